import { describe, expect, test } from 'vitest';
import type { WaitingFor } from '../../../../contract/grading/grading.ts';
import { classesWaitedFor, countIncomplete, incompleteText } from './provisional-text.ts';

const sheet = (sheet_id: number, degree: string, changes: Partial<WaitingFor> = {}): WaitingFor => ({
  ...{ sheet_id, title: `Course ${sheet_id}`, department: 'CE', degree, semester: 1 },
  ...{ term_id: 3, term_name: 'Fall 2026' },
  ...changes,
});

describe('what a provisional semester waits for', () => {
  test('is named by class, with the mark sheets of each', () => {
    const named = classesWaitedFor([sheet(4, '50'), sheet(7, '50'), sheet(9, '49', { semester: 3 })]);
    expect(named.map(({ name, sheets }) => [name, sheets.map(({ title }) => title)])).toEqual([
      ['CE-50, semester 1, Fall 2026', ['Course 4', 'Course 7']],
      ['CE-49, semester 3, Fall 2026', ['Course 9']],
    ]);
    expect(classesWaitedFor([])).toEqual([]);
  });
});

describe('the incomplete subjects of a semester', () => {
  test('are those of which a mark sheet says so', () => {
    const ungraded = [
      { slot: 1, status: 'incomplete' as const },
      { slot: 2, status: 'withdrawn' as const },
      { slot: 3, status: null },
    ];
    expect(countIncomplete({ ungraded })).toBe(1);
    expect(countIncomplete(undefined)).toBe(0);
    expect([1, 2].map(incompleteText)).toEqual(['1 subject is incomplete', '2 subjects are incomplete']);
  });
});
