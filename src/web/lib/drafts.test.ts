import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { FakeStorage } from '../../../tests/support/fake-storage.ts';
import {
  countUnsentBySheet,
  countUnsentMarks,
  discardDraft,
  discardOldDrafts,
  discardUserDrafts,
  hasDrafts,
  moveStudentDrafts,
  readDraft,
  transferDraft,
  writeDraft,
} from './drafts.ts';

beforeEach(() => {
  vi.stubGlobal('sessionStorage', new FakeStorage());
  vi.stubGlobal('localStorage', new FakeStorage());
  sessionStorage.setItem('CURRENT-USER-ID', '7');
});
afterEach(() => vi.unstubAllGlobals());

const write = (form: string, values: Record<string, string>) => writeDraft(form, { values, base: {} });

describe('drafts', () => {
  it('that a form can’t show are discarded', () => {
    write('sheet-create', { categories: 'of an earlier version' });
    expect(readDraft('sheet-create', ({ categories }) => categories === '[]')).toBeNull();
    expect(hasDrafts()).toBe(false);
    write('sheet-create', { categories: '[]' });
    expect(readDraft('sheet-create', ({ categories }) => categories === '[]')).not.toBeNull();
  });

  it('exist once the user has typed something', () => {
    write('profile-password', {});
    write('course-create', { course_name: '' });
    expect(hasDrafts()).toBe(false);
    write('student-edit:7', { first_name: 'Karim' });
    expect(hasDrafts()).toBe(true);
    sessionStorage.setItem('CURRENT-USER-ID', '70');
    expect(hasDrafts()).toBe(false);
  });

  it('are read as they were written', () => {
    const draft = {
      values: { first_name: ' Karim', fsc_marks: '12e' },
      base: { first_name: 'Hina' },
      entered: {},
    };
    writeDraft('student-create', draft);
    expect(readDraft('student-create')).toEqual(draft);
    expect(readDraft('family-create')).toBeNull();
  });

  it('are transferred without empty fields and with an empty version', () => {
    const entered = { changed_by: 'Ali Khan', changed_at: '2026-03-14T08:00:00.000Z' };
    transferDraft('family-edit:1', { father_name: 'Imran', mother_name: ' ', address: '' }, entered);
    expect(readDraft('family-edit:1')).toEqual({
      values: { father_name: 'Imran', version: '' },
      base: { father_name: '' },
      entered,
    });
  });

  it('are transferred with all fields of a group', () => {
    const typed = { a1: 'Calculus', b1: '', a2: '', b2: '' };
    transferDraft('semester', typed, { changed_by: null, changed_at: null }, (name) => name.slice(1));
    expect(readDraft('semester')).toMatchObject({
      values: { a1: 'Calculus', b1: '', version: '' },
      base: { a1: '', b1: '' },
      entered: {},
    });
  });

  it('follow a student to a new registration number', () => {
    const base = { id: '12', version: '"s3"' };
    writeDraft('student-edit:12', { values: { ...base, last_name: 'Khan' }, base });
    write('academics-create:12:2', { title1: 'Calculus' });
    write('academics-edit:12:1', { title1: 'Physics', version: '' });
    for (const form of ['course-edit:12', 'family-edit:123']) write(form, { x: '1' });
    moveStudentDrafts('12', '34');
    expect(readDraft('student-edit:34')).toMatchObject({
      values: { id: '34', last_name: 'Khan', version: expect.not.stringMatching(/^$|s3/) },
      base: { id: '34' },
    });
    expect(readDraft('academics-create:34:2')?.values).toEqual({ title1: 'Calculus' });
    expect(readDraft('academics-edit:34:1')?.values).toEqual({ title1: 'Physics', version: '' });
    for (const form of ['student-edit:12', 'academics-create:12:2', 'course-edit:34', 'family-edit:34'])
      expect(readDraft(form)).toBeNull();
    for (const form of ['course-edit:12', 'family-edit:123'])
      expect(readDraft(form)?.values).toEqual({ x: '1' });
  });

  it('are invisible to other users', () => {
    write('student-create', { first_name: 'Karim' });
    sessionStorage.setItem('CURRENT-USER-ID', '8');
    expect(readDraft('student-create')).toBeNull();
  });

  it('survive a sign-out and the same user’s next sign-in', () => {
    write('student-create', { first_name: 'Karim' });
    sessionStorage.removeItem('CURRENT-USER-ID');
    expect(readDraft('student-create')).toBeNull();
    sessionStorage.setItem('CURRENT-USER-ID', '7');
    expect(readDraft('student-create')?.values).toEqual({ first_name: 'Karim' });
  });

  it('are discarded one at a time or all of a user', () => {
    write('a', { x: '1' });
    write('b', { x: '2' });
    write('c', { x: '3' });
    discardDraft('a');
    expect(readDraft('a')).toBeNull();
    expect(readDraft('b')?.values).toEqual({ x: '2' });
    discardUserDrafts('7');
    expect(readDraft('b')).toBeNull();
    expect(sessionStorage.getItem('CURRENT-USER-ID')).toBe('7');
  });

  it('in local storage belong to their user as well', () => {
    localStorage.setItem('DRAFT:7:sheet:1', '[]');
    localStorage.setItem('DRAFT:70:sheet:1', '[]');
    expect(countUnsentMarks()).toBe(1);
    expect([...countUnsentBySheet()]).toEqual([[1, 1]]);
    expect(hasDrafts()).toBe(true);
    discardUserDrafts('7');
    expect(hasDrafts()).toBe(false);
    expect(localStorage.getItem('DRAFT:70:sheet:1')).toBe('[]');
  });

  it('are removed 24 hours after they were typed, whoever’s they are', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const hours = (count: number) => vi.setSystemTime(Date.now() + count * 3_600_000);
    write('a', { x: '1' });
    sessionStorage.setItem('CURRENT-USER-ID', '8');
    write('b', { x: '2' });
    hours(20);
    write('c', { x: '3' });
    discardOldDrafts();
    expect(readDraft('b')?.values).toEqual({ x: '2' });
    hours(4.1);
    discardOldDrafts();
    expect(readDraft('b')).toBeNull();
    expect(readDraft('c')?.values).toEqual({ x: '3' });
    sessionStorage.setItem('CURRENT-USER-ID', '7');
    expect(readDraft('a')).toBeNull();
    expect(sessionStorage.getItem('CURRENT-USER-ID')).toBe('7');
  });

  it.each([
    '{"values":{"x":"1"}}',
    '[["S1",2,{"text":"7","was":null}]]',
    'not json',
    '7',
    'null',
    '{"at":9e15}',
  ])('without a time of the past get the present one: %s', (stored) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    localStorage.setItem('DRAFT:8:sheet:1', stored);
    localStorage.setItem('THEME', 'dark');
    const read = () => localStorage.getItem('DRAFT:8:sheet:1');
    discardOldDrafts();
    vi.setSystemTime(Date.now() + 24 * 3_600_000);
    discardOldDrafts();
    const kept: unknown = JSON.parse(read() ?? 'null');
    expect(kept).toMatchObject({ at: expect.any(Number) });
    vi.setSystemTime(Date.now() + 1);
    discardOldDrafts();
    expect(read()).toBeNull();
    expect(localStorage.getItem('THEME')).toBe('dark');
  });

  it.each(['not json', '7', 'null', '{"values":{"x":1}}', '{"values":7}'])(
    'ignore %s as the stored value',
    (stored) => {
      sessionStorage.setItem('DRAFT:7:a', stored);
      expect(readDraft('a')?.values ?? {}).toEqual({});
    },
  );
});
