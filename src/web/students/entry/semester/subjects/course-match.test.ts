import { describe, expect, it } from 'vitest';
import type { Course } from '../../../../../contract/courses.ts';
import { courseDetail, courseValues, findCourseByText, followCourse } from './course-match.ts';

const course = (
  course_id: number,
  course_code: string,
  course_name: string,
  credits: number | null = 3,
): Course => ({
  ...{ course_id, course_code, course_name, credits },
  ...{ course_description: null, average: null, std_dev: null, marks_count: 0 },
});

const physics = course(1102, 'PHY-102', 'Applied Physics', 4);
const signals = course(2206, 'EE-206', 'Signals and Systems', null);
const COURSES = [physics, signals, course(7, 'HU-1', 'Seminar'), course(8, 'HU-2', 'Seminar')];

describe('finding a course by what was typed', () => {
  it.each([
    ['1102', physics],
    [' phy-102 ', physics],
    ['ee206', signals],
    ['EE 206', signals],
    ['signals and systems', signals],
    ['Signals', undefined],
    ['110', undefined],
    ['Seminar', undefined],
    ['', undefined],
  ])('answers for %j', (text, found) => {
    expect(findCourseByText(COURSES, text)).toBe(found);
  });
});

describe('what a course fills in', () => {
  const empty = { title: '', id: '', credit: '', grade: '' };

  it('is title, ID and credit hours, if it has any', () => {
    expect(courseValues(physics)).toEqual({ title: 'Applied Physics', id: '1102', credit: '4' });
    expect(courseValues(signals)).toEqual({ title: 'Signals and Systems', id: '2206' });
    expect(courseDetail(physics)).toBe('PHY-102, ID 1102, 4 credit hours');
  });

  it('keeps a title and credit hours that were typed', () => {
    expect(followCourse(empty, undefined, physics)).toEqual({ title: 'Applied Physics', credit: '4' });
    expect(followCourse({ ...empty, title: 'Optics', credit: '2' }, undefined, physics)).toEqual({});
    const before = { ...empty, ...courseValues(course(7, 'HU-1', 'Seminar', 1)) };
    expect(followCourse(before, course(7, 'HU-1', 'Seminar', 1), physics)).toEqual({
      ...{ title: 'Applied Physics', credit: '4' },
    });
    expect(followCourse(before, undefined, undefined)).toEqual({});
  });
});
