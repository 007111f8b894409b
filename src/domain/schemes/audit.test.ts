import { describe, expect, test } from 'vitest';
import { type AuditFacts, auditStudent } from './audit.ts';
import { CourseGroups, NO_EQUIVALENTS } from './equivalents.ts';
import type { SchemeRow } from './scheme.ts';
import type { Attempt, SheetEntry } from './taken-courses.ts';

const row = (key: string, options: number[], more: Partial<SchemeRow> = {}): SchemeRow => ({
  key,
  semester: 1,
  title: key,
  theory: 3,
  lab: 0,
  options,
  needs: [],
  ...more,
});

const attempt = (
  course_id: number,
  semester: number,
  points: number,
  credits: number | null = 3,
): Attempt => ({
  semester,
  slot: 1,
  title: `Course ${course_id}`,
  course_id,
  credits,
  points,
});

const entry = (course_id: number): SheetEntry => ({
  sheet_id: 9,
  course_id,
  title: `Course ${course_id}`,
  credits: 3,
  semester: 3,
});

const audit = (
  rows: readonly SchemeRow[],
  facts: Partial<AuditFacts>,
  { groups = NO_EQUIVALENTS, policy = 'latest' as const } = {},
) =>
  auditStudent(
    rows,
    { attempts: [], entries: [], exceptions: [], outside: [], ...facts },
    { groups, policy },
  );

/** The state of each row and the course that fills it. */
const states = (audited: ReturnType<typeof audit>) =>
  audited.rows.map(({ state, filledBy }) =>
    filledBy?.kind === 'attempt' ? [state, filledBy.attempt.course_id] : [state, filledBy?.kind ?? null],
  );

const ELECTIVES = [row('A', [451, 452]), row('B', [452, 453])];

describe('the audit of a student', () => {
  test('fills both of two electives, whichever was passed first', () => {
    const both = audit(ELECTIVES, { attempts: [attempt(452, 7, 3), attempt(451, 8, 2)] });
    expect(states(both)).toEqual([
      ['passed', 451],
      ['passed', 452],
    ]);
    expect(both.isComplete).toBe(true);
    const one = audit(ELECTIVES, { attempts: [attempt(452, 7, 3)] });
    expect(states(one)).toEqual([
      ['passed', 452],
      ['open', null],
    ]);
    expect(one.isComplete).toBe(false);
  });

  test('prefers the better letter, the earlier attempt, the smaller course id', () => {
    const rows = [row('A', [1, 2, 3, 4])];
    expect(states(audit(rows, { attempts: [attempt(1, 1, 2), attempt(2, 2, 4)] }))).toEqual([['passed', 2]]);
    expect(states(audit(rows, { attempts: [attempt(1, 2, 3), attempt(2, 1, 3)] }))).toEqual([['passed', 2]]);
    expect(states(audit(rows, { attempts: [attempt(2, 1, 3), attempt(1, 1, 3)] }))).toEqual([['passed', 1]]);
  });

  test('follows the repeat policy', () => {
    const attempts = [attempt(1, 1, 1), attempt(1, 2, 0)];
    expect(states(audit([row('A', [1])], { attempts }))).toEqual([['failed', 1]]);
    const best = auditStudent(
      [row('A', [1])],
      { attempts, entries: [], exceptions: [], outside: [] },
      { groups: NO_EQUIVALENTS, policy: 'best' },
    );
    expect(states(best)).toEqual([['passed', 1]]);
  });

  test('tells what is in progress and what was failed, each in one row', () => {
    const rows = [row('A', [1, 2]), row('B', [1, 2]), row('C', [1, 2])];
    expect(states(audit(rows, { attempts: [attempt(1, 1, 0)], entries: [entry(2)] }))).toEqual([
      ['in-progress', 'sheet'],
      ['failed', 1],
      ['open', null],
    ]);
    const repeated = audit([row('A', [1])], { attempts: [attempt(1, 1, 2)], entries: [entry(1)] });
    expect(states(repeated)).toEqual([['passed', 1]]);
  });

  test('takes an attempt without credit hours for rows without credit hours only', () => {
    const rows = [row('A', [1]), row('B', [1], { theory: 0 })];
    const audited = audit(rows, { attempts: [attempt(1, 1, 3, null)] });
    expect(states(audited)).toEqual([
      ['open', null],
      ['passed', 1],
    ]);
    expect(audited.extra).toEqual([]);
  });

  test('counts joined courses as one', () => {
    const groups = new CourseGroups([
      { course_id: 1, other_id: 11 },
      { course_id: 11, other_id: 21 },
    ]);
    const rows = [row('A', [1]), row('B', [21])];
    const audited = audit(rows, { attempts: [attempt(11, 1, 3), attempt(21, 2, 2)] }, { groups });
    expect(states(audited)).toEqual([
      ['passed', 21],
      ['open', null],
    ]);
  });

  test('keeps a substitution for its row, and the course from others', () => {
    const rows = [
      row('A', [1]),
      row('B', [2, 9]),
      row('C', [3], { needs: [{ course_id: 1, kind: 'before' }] }),
    ];
    const exceptions = [{ row: 'a', course_id: 9 }];
    expect(states(audit(rows, { exceptions, attempts: [attempt(1, 1, 4)] }))).toEqual([
      ['open', null],
      ['open', null],
      ['open', null],
    ]);
    const passed = audit(rows, { exceptions, attempts: [attempt(9, 1, 3)] });
    expect(states(passed)[0]).toEqual(['substituted', 9]);
    expect(passed.rows[1]?.state).toBe('open');
    expect(passed.rows[2]?.options).toEqual([{ course_id: 3, missing: [] }]);
    expect(audit(rows, { exceptions }).rows[0]?.options).toEqual([{ course_id: 9, missing: [] }]);
  });

  test('leaves the options of a waived row to others, and meets needs for them', () => {
    const rows = [
      row('A', [1, 2]),
      row('B', [2]),
      row('C', [3], { needs: [{ course_id: 1, kind: 'before' }] }),
    ];
    const audited = audit(rows, {
      exceptions: [{ row: 'A', course_id: null }],
      attempts: [attempt(2, 1, 3)],
    });
    expect(audited.rows.map(({ state }) => state)).toEqual(['waived', 'passed', 'open']);
    expect(audited.rows[2]?.options).toEqual([{ course_id: 3, missing: [] }]);
  });

  test('fills a row from elsewhere, so that the course that fits is extra', () => {
    const outside = [{ outside_id: 5, row: 'A', title: 'Calculus', credits: 3 }];
    const audited = audit([row('A', [1])], { outside, attempts: [attempt(1, 1, 4)] });
    expect(states(audited)).toEqual([['passed', 'outside']]);
    expect(audited.extra.map(({ attempt: { course_id } }) => course_id)).toEqual([1]);
  });

  test('names the needs that are not met', () => {
    const needs = [
      { course_id: 1, kind: 'before' as const },
      { course_id: 2, kind: 'beside' as const },
    ];
    const rows = [row('C', [3, 4], { needs })];
    expect(audit(rows, {}).rows[0]?.options).toEqual([
      { course_id: 3, missing: [1, 2] },
      { course_id: 4, missing: [1, 2] },
    ]);
    const taken = audit(rows, { entries: [entry(1), entry(2)] });
    expect(taken.rows[0]?.options[0]?.missing).toEqual([1]);
  });
});
