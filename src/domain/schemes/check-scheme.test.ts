import { describe, expect, test } from 'vitest';
import { checkScheme, type SchemeFacts } from './check-scheme.ts';
import { CourseGroups, NO_EQUIVALENTS } from './equivalents.ts';
import type { SchemeRow } from './scheme.ts';

const COURSES = new Map([
  [101, { course_code: 'MATH-101', course_name: 'Calculus', credits: 3 }],
  [111, { course_code: 'EE-111', course_name: 'Circuits', credits: null }],
  [116, { course_code: 'EE-116', course_name: 'Circuit Analysis', credits: null }],
  [215, { course_code: 'EE-215', course_name: 'Electronics', credits: 4 }],
]);

const row = (course: number, semester: number, more: Partial<SchemeRow> = {}): SchemeRow => ({
  key: COURSES.get(course)?.course_code ?? '',
  semester,
  title: COURSES.get(course)?.course_name ?? '',
  theory: 3,
  lab: 1,
  options: [course],
  needs: [],
  ...more,
});

const check = (rows: readonly SchemeRow[], more: Partial<SchemeFacts> = {}) =>
  checkScheme(rows, {
    courses: COURSES,
    groups: [NO_EQUIVALENTS],
    degreeCredits: [{ degree: '46', credits: 4 }],
    ...more,
  });

describe('the check of a scheme', () => {
  test('refuses one without rows', () => {
    expect(check([]).refusals).toEqual([{ rule: 'empty', text: 'The scheme has no rows.', keys: [] }]);
  });

  test('refuses other credit hours than those of the course', () => {
    expect(check([row(101, 1)]).refusals).toEqual([
      { rule: 'credits', text: 'MATH-101 has 3 credit hours, its row MATH-101 has 4.', keys: ['MATH-101'] },
    ]);
    expect(check([row(101, 1, { theory: 0, lab: 0 }), row(111, 1)]).refusals).toEqual([]);
  });

  test('refuses a need that no earlier semester has', () => {
    const needs = [{ course_id: 116, kind: 'before' as const }];
    const rows = [row(111, 1), row(215, 3, { needs })];
    expect(check(rows).refusals).toEqual([
      { rule: 'need', text: 'EE-215 needs EE-116, which no earlier semester has.', keys: ['EE-215'] },
    ]);
    const groups = [new CourseGroups([{ course_id: 111, other_id: 116 }])];
    expect(check(rows, { groups }).refusals).toEqual([]);
  });

  test('meets a need beside it in the same semester, and refuses a circle of needs before', () => {
    const need = (course_id: number, kind: 'before' | 'beside') => ({ needs: [{ course_id, kind }] });
    expect(check([row(111, 1, need(116, 'beside')), row(116, 1, need(111, 'beside'))]).refusals).toEqual([]);
    expect(check([row(111, 1, need(116, 'before')), row(116, 1, need(111, 'before'))]).refusals).toHaveLength(
      2,
    );
  });

  test('warns of sums, loads, courses in two rows, titles and more than ten rows', () => {
    const many = Array.from({ length: 11 }, (_, i) => row(111, 2, { key: `R-${i}`, theory: 1 }));
    const { warnings } = check([row(215, 1, { title: 'Electronics I' }), ...many], {
      degreeCredits: [
        { degree: '45', credits: 26 },
        { degree: '46', credits: 130 },
        { degree: '47', credits: 136 },
      ],
    });
    expect(warnings.map(({ rule, text }) => [rule, text])).toEqual([
      ['sum', 'The rows come to 26 credit hours of 130 (batch 46) and 136 (batch 47).'],
      ['semester-load', 'Semester 1 has 4 credit hours; usual are 15 to 18.'],
      ['semester-load', 'Semester 2 has 22 credit hours; usual are 15 to 18.'],
      ['course-twice', `EE-111 is in 11 rows: ${many.map(({ key }) => key).join(', ')}.`],
      ['title', 'EE-215 is called “Electronics” in the catalogue, “Electronics I” here.'],
      ['slots', 'Semester 2 has 11 rows; the results of a semester have ten subjects.'],
    ]);
  });
});
