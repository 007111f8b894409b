import { randomInt } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import type { Api } from '../api.ts';
import { unique } from '../records.ts';
import { field } from './forms.ts';

interface Course {
  course_id: number;
  course_code: string;
  course_name: string;
  course_description?: string;
}

/** A course with an ID that no other test uses. */
export const newCourse = (changes: Partial<Course> = {}): Course => ({
  course_id: randomInt(10_000, 2 ** 40),
  course_code: `CE-${unique()}`,
  course_name: `Operating Systems ${unique()}`,
  ...changes,
});

/** Creates a course through the API, with marks as CSV. */
export async function addCourse(api: Api, marks = '', changes: Partial<Course> = {}): Promise<Course> {
  const course = newCourse(changes);
  await api.post('/api/courses', course);
  if (marks !== '') await api.post('/api/courses-marks', { course_id: course.course_id, marks });
  return course;
}

export const marksField = (page: Page): Locator => field(page, 'Course marks (CSV)');

export const courseCard = (page: Page, course: Pick<Course, 'course_code'>): Locator =>
  page.getByRole('article').filter({ hasText: course.course_code });

/** Searches the catalogue, which shows cards in the visible part only. */
export async function findCourseCard(page: Page, course: Pick<Course, 'course_code'>): Promise<Locator> {
  await page.getByRole('searchbox', { name: 'Search courses' }).fill(course.course_code);
  return courseCard(page, course);
}

export const flash = (page: Page, text: string): Locator => page.getByText(text, { exact: true });

export async function fillCourse(page: Page, course: Course): Promise<void> {
  await field(page, 'Course ID').fill(String(course.course_id));
  await field(page, 'Course code').fill(course.course_code);
  await field(page, 'Course name').fill(course.course_name);
  if (course.course_description) await field(page, 'Description').fill(course.course_description);
}
