import type { Course } from '../../contract/courses.ts';

/** What the forms hold, as typed. */
export interface CourseValues {
  course_id: string;
  course_code: string;
  course_name: string;
  course_description: string;
  marks: string;
  /** The name of the file with marks: the file itself is no text. */
  file: string;
}

export const EMPTY_COURSE: CourseValues = {
  course_id: '',
  course_code: '',
  course_name: '',
  course_description: '',
  marks: '',
  file: '',
};

/** What another person's save can differ in. */
export const DETAIL_LABELS = {
  course_code: 'Course code',
  course_name: 'Course name',
  course_description: 'Description',
} as const;

/** In the order of the form; the error summary follows it. */
export const COURSE_LABELS = {
  course_id: 'Course ID',
  ...DETAIL_LABELS,
  marks: 'Course marks (CSV)',
  file: 'File',
} as const;

export const fromCourse = (course: Course): CourseValues => ({
  course_id: String(course.course_id),
  course_code: course.course_code,
  course_name: course.course_name,
  course_description: course.course_description ?? '',
  marks: '',
  file: '',
});

export const toCourseBody = ({ course_id, course_code, course_name, course_description }: CourseValues) => ({
  course_id,
  course_code,
  course_name,
  course_description,
});
