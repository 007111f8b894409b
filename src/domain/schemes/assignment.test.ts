import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AssignableCourse, assignCourses, COURSE_STATES, type CourseState } from './assignment.ts';

/** Every assignment of courses to rows. */
function* assignments(
  courses: readonly AssignableCourse[],
  rowCount: number,
  row = 0,
): Generator<(number | undefined)[]> {
  if (row === rowCount) {
    yield [];
    return;
  }
  for (const rest of assignments(courses, rowCount, row + 1)) {
    yield [undefined, ...rest];
    for (const [course, { rows }] of courses.entries())
      if (rows.includes(row) && !rest.includes(course)) yield [course, ...rest];
  }
}

/** What assignments are compared by, in this order; the greatest is the best. */
function rate(assigned: readonly (number | undefined)[], courses: readonly AssignableCourse[]): number[] {
  const states = assigned.map((course) => (course === undefined ? undefined : courses[course]?.state));
  const value = (state: CourseState | undefined) =>
    state === undefined ? -3 : -COURSE_STATES.indexOf(state);
  return [
    ...COURSE_STATES.map((state) => states.filter((one) => one === state).length),
    ...states.map(value),
    ...assigned.map((course) => -(course ?? 0)),
  ];
}

const isGreater = (a: readonly number[], b: readonly number[]) => {
  const at = a.findIndex((value, i) => value !== b[i]);
  return at >= 0 && (a[at] ?? 0) > (b[at] ?? 0);
};

const passed = (...rows: number[]): AssignableCourse => ({ state: 'passed', rows });

describe('the assignment of courses to rows', () => {
  test('moves a course to another row so that both are filled', () => {
    // Rows A {EE-451, EE-452} and B {EE-452, EE-453}; EE-452 was passed first.
    expect(assignCourses(2, [passed(0, 1), passed(0)])).toEqual([1, 0]);
    expect(assignCourses(2, [passed(0, 1)])).toEqual([0, undefined]);
  });

  test('prefers passed courses to more rows', () => {
    expect(assignCourses(2, [{ state: 'failed', rows: [0] }, passed(0)])).toEqual([1, undefined]);
  });

  test('is the best of all, and no course fills two rows', () => {
    const state = fc.constantFrom(...COURSE_STATES);
    const cases = fc
      .integer({ min: 1, max: 5 })
      .chain((rowCount) =>
        fc.tuple(
          fc.constant(rowCount),
          fc.array(
            fc.record({ state, rows: fc.uniqueArray(fc.nat({ max: rowCount - 1 }), { maxLength: 4 }) }),
            { maxLength: 6 },
          ),
        ),
      );
    fc.assert(
      fc.property(cases, ([rowCount, courses]) => {
        const assigned = assignCourses(rowCount, courses);
        const used = assigned.filter((course) => course !== undefined);
        expect(new Set(used).size).toBe(used.length);
        for (const [row, course] of assigned.entries())
          if (course !== undefined) expect(courses[course]?.rows).toContain(row);
        const best = rate(assigned, courses);
        for (const other of assignments(courses, rowCount))
          expect(isGreater(rate(other, courses), best)).toBe(false);
      }),
      { numRuns: 400 },
    );
  });

  test('fills sixty rows from two hundred courses', () => {
    const courses = Array.from({ length: 200 }, (_, i) => passed(i % 60, (i * 7) % 60, (i * 11) % 60));
    expect(assignCourses(60, courses)).not.toContain(undefined);
  });
});
