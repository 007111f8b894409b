import { beforeEach, describe, expect, it, vi } from 'vitest';
import { findLastSubjects, findNeighbours, storeLastSubjects, storeShownStudents } from './student-run.ts';

const [ada, bano, cyra] = ['Ada', 'Bano', 'Cyra'].map((name, i) => ({ id: String(i + 1), name }));

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
});

describe('the students of the list', () => {
  it('are before and after each other, but not across rows that are not loaded', () => {
    storeShownStudents([ada ?? null, bano ?? null, null, cyra ?? null]);
    expect(findNeighbours('1')).toEqual({ next: bano });
    expect(findNeighbours('2')).toEqual({ previous: ada });
    expect(findNeighbours('3')).toEqual({});
    expect(findNeighbours('4')).toEqual({});
  });

  it('are none where nothing, or something else, is stored', () => {
    expect(findNeighbours('1')).toEqual({});
    sessionStorage.setItem('STUDENTS-SHOWN', '{"1":2}');
    expect(findNeighbours('1')).toEqual({});
    sessionStorage.setItem('STUDENTS-SHOWN', '[["1", 2], 3');
    expect(findNeighbours('1')).toEqual({});
  });
});

describe('the subjects that were saved last', () => {
  const ofClass = { department: 'CE', degree: '46', semester: 3 };
  const statics = { title: 'Statics', id: '1101', credit: '3' };

  it('are offered to other students of the class in the same semester, without grades', () => {
    const graded = { ...statics, grade: 'F', shown: true };
    storeLastSubjects({ ...ofClass, student: { id: '1', name: 'Ada' }, subjects: [graded] });
    expect(findLastSubjects('2', ofClass)).toEqual({ student: ada, subjects: [statics] });
    expect(findLastSubjects('1', ofClass)).toBeUndefined();
    expect(findLastSubjects('2', { ...ofClass, semester: 4 })).toBeUndefined();
    expect(findLastSubjects('2', { ...ofClass, degree: '47' })).toBeUndefined();
    expect(findLastSubjects('2', { ...ofClass, department: 'EE' })).toBeUndefined();
    expect(sessionStorage.getItem('LAST-SUBJECTS')).not.toContain('F');
  });
});
