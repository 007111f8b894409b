import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CourseGroups } from './equivalents.ts';

describe('courses that count as one', () => {
  test('are symmetric and transitive, named by the smallest course id', () => {
    const groups = new CourseGroups([
      { course_id: 30, other_id: 20 },
      { course_id: 5, other_id: 4 },
      { course_id: 10, other_id: 30 },
    ]);
    expect([10, 20, 30, 4, 5, 6].map((id) => groups.of(id))).toEqual([10, 10, 10, 4, 4, 6]);
    expect(groups.courses.toSorted((a, b) => a - b)).toEqual([4, 5, 10, 20, 30]);
  });

  test('are those that a path of pairs leads to', () => {
    const pairs = fc.array(fc.record({ course_id: fc.nat({ max: 12 }), other_id: fc.nat({ max: 12 }) }), {
      maxLength: 14,
    });
    fc.assert(
      fc.property(pairs, (all) => {
        const groups = new CourseGroups(all);
        for (let from = 0; from <= 12; from += 1) {
          const reached = new Set([from]);
          for (let size = 0; size !== reached.size; ) {
            size = reached.size;
            for (const { course_id, other_id } of all) {
              if (reached.has(course_id)) reached.add(other_id);
              if (reached.has(other_id)) reached.add(course_id);
            }
          }
          expect(groups.of(from)).toBe(Math.min(...reached));
        }
      }),
    );
  });
});
