import { describe, expect, it } from 'vitest';
import { passRate, sortCourses } from './pass-rate-sort.ts';

const course = (course_id: number, results: number, failed: number, course_code: string | null = 'ME-1') => ({
  ...{ course_id, results, failed, course_code },
  course_name: course_code && 'Statics',
});
const COURSES = [
  course(1, 10, 1, 'ME-10'),
  course(2, 10, 5, 'ME-9'),
  course(3, 100, 50),
  course(4, 2, 2, null),
];

describe('sortCourses', () => {
  const ids = (...order: [least: number, column: 'course' | 'rate' | 'failed', down?: true]) => {
    const [least, column, down] = order;
    const direction = down ? 'descending' : 'ascending';
    return sortCourses(COURSES, least, { column, direction }).map(({ course_id }) => course_id);
  };

  it('sorts by pass rate, then by more results', () => {
    expect(ids(1, 'rate')).toEqual([4, 3, 2, 1]);
    expect(ids(1, 'rate', true)).toEqual([1, 3, 2, 4]);
  });

  it('omits courses with too few results', () => {
    expect(ids(3, 'failed')).toEqual([1, 2, 3]);
    expect(ids(101, 'failed')).toEqual([]);
  });

  it('sorts codes in natural order, and deleted courses by their ID', () => {
    expect(ids(1, 'course')).toEqual([4, 3, 2, 1]);
  });
});

it('passRate is the share of passed results', () => {
  expect(passRate(course(1, 8, 2))).toBe(0.75);
});
