import type { Course } from '../../../../../contract/courses.ts';
import { foldText } from '../../../../../domain/search-text.ts';
import { CREDIT_HOURS } from '../../../../../domain/student.ts';
import { foldCode } from '../../../../courses/course-search.ts';
import type { SubjectValues } from './subject-slots.ts';

/** The course whose ID, code or name is `text`; undefined for none, and for several with that code or name. */
export function findCourseByText(courses: readonly Course[], text: string): Course | undefined {
  const typed = text.trim();
  if (typed === '') return undefined;
  const byId = courses.find(({ course_id }) => String(course_id) === typed);
  return (
    byId ??
    single(courses.filter(({ course_code }) => foldCode(course_code) === foldCode(typed))) ??
    single(courses.filter(({ course_name }) => foldText(course_name).trim() === foldText(typed).trim()))
  );
}

const single = (found: readonly Course[]) => (found.length === 1 ? found[0] : undefined);

/** The values that choosing a course fills in. A course without credit hours leaves those of the subject. */
export const courseValues = ({ course_id, course_name, credits }: Course): Partial<SubjectValues> => ({
  title: course_name,
  id: String(course_id),
  ...(credits !== null && { credit: String(credits) }),
});

/**
 * The values that typing the ID of a course fills in. Title and credit hours change if they are empty or those of the course that
 * was there before, not if they were typed.
 */
export function followCourse(
  subject: SubjectValues,
  before: Course | undefined,
  course: Course | undefined,
): Partial<SubjectValues> {
  if (course === undefined) return {};
  const { title = '', credit } = courseValues(course);
  const ofCourseBefore = before && courseValues(before);
  const follows = (typed: string, previous: string | undefined) => typed === '' || typed === previous;
  return {
    ...(follows(subject.title, ofCourseBefore?.title) && { title }),
    ...(credit !== undefined && follows(subject.credit, ofCourseBefore?.credit) && { credit }),
  };
}

/** `EE-206, ID 2206, 4 credit hours` */
export function courseDetail({ course_code, course_id, credits }: Course): string {
  const hours = credits === null ? [] : [`${credits} credit hour${credits === CREDIT_HOURS.min ? '' : 's'}`];
  return [course_code, `ID ${course_id}`, ...hours].join(', ');
}
