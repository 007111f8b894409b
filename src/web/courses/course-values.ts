import type { Course } from '../../contract/courses.ts';

/** Names the draft of the form that edits a course. */
export const courseEditDraftKey = (courseId: string) => `course-edit:${courseId}`;

/** The values of the form, as typed. */
export interface CourseValues {
  course_id: string;
  course_code: string;
  course_name: string;
  credits: string;
  course_description: string;
  marks: string;
  /** The name of the marks file; the file itself can't be a text value. */
  file: string;
  /** `leave_out` to leave out students who were absent. */
  absent: string;
  /** The sheet of a workbook; empty for the first one. */
  sheet: string;
  /** The column of marks, where several may have them; empty until it is chosen. */
  column: string;
  /** `comma` or `point`, where a comma may be a decimal comma; empty until it is chosen. */
  decimal: string;
}

export const EMPTY_COURSE: CourseValues = {
  course_id: '',
  course_code: '',
  course_name: '',
  credits: '',
  course_description: '',
  marks: '',
  file: '',
  absent: '',
  sheet: '',
  column: '',
  decimal: '',
};

/** The fields that a concurrent edit can change. */
export const COURSE_DETAIL_LABELS = {
  course_code: 'Course code',
  course_name: 'Course name',
  credits: 'Credit hours',
  course_description: 'Description',
} as const;

/** Labels in the order of the form, as the error summary lists them. */
export const COURSE_LABELS = {
  course_id: 'Course ID',
  ...COURSE_DETAIL_LABELS,
  marks: 'Course marks (CSV)',
  file: 'File',
  absent: 'Absent students',
  sheet: 'Sheet',
  column: 'Column of marks',
  /** The server's field for a column that is not chosen yet. */
  columns: 'Column of marks',
  decimal: 'Decimals',
} as const;

export const toCourseValues = (course: Course): CourseValues => ({
  course_id: String(course.course_id),
  course_code: course.course_code,
  course_name: course.course_name,
  credits: String(course.credits ?? ''),
  course_description: course.course_description ?? '',
  marks: '',
  file: '',
  absent: '',
  sheet: '',
  column: '',
  decimal: '',
});

export const toCourseBody = ({
  course_id,
  course_code,
  course_name,
  credits,
  course_description,
}: CourseValues) => ({
  course_id,
  course_code,
  course_name,
  credits,
  course_description,
});
