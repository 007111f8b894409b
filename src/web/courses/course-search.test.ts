import { expect, it } from 'vitest';
import type { CourseListItem } from '../../contract/courses.ts';
import { searchTerms } from '../lib/text-match.ts';
import { searchCourses, toSearchableCourse } from './course-search.ts';

const course = (course_id: number, course_code: string, course_name: string): CourseListItem => ({
  course_id,
  course_code,
  course_name,
  course_description: null,
  credits: null,
  average: null,
  std_dev: null,
  marks_count: 0,
  histogram: [],
});

const all = [
  course(2222, 'CE-222', 'Operating Systems'),
  course(3234, 'EE-234', 'Digital System Design'),
  course(1215, 'MA-215', 'Théorie des probabilités'),
  course(4433, 'CS433', 'Real-time Systems'),
].map(toSearchableCourse);

it.each([
  ['', [2222, 3234, 1215, 4433]],
  ['ce-222', [2222]],
  ['ce222', [2222]],
  ['ce 222', [2222]],
  ['CS-433', [4433]],
  ['cs433', [4433]],
  ['cs\u2011433', [4433]],
  ['real-time', [4433]],
  ['-', [2222, 3234, 1215, 4433]],
  ['3234', [3234]],
  ['system', [2222, 3234, 4433]],
  ['design ee', [3234]],
  ['theorie', [1215]],
  ['chemistry', []],
])('searchCourses finds courses by %j', (query, ids) => {
  expect(searchCourses(all, searchTerms(query)).map((found) => found.course.course_id)).toEqual(ids);
});
