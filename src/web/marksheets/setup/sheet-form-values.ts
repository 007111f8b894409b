import type { CourseListItem } from '../../../contract/courses.ts';
import type { SYNDICATES } from '../../../domain/student.ts';
import { readCategories, TEMPLATES, toCategoriesBody, writeCategories } from './setup-values.ts';

/** The fields of a new sheet. `course` is what is typed, `course_id` the course that it names. */
export const LABELS = {
  course_id: 'Course',
  term_id: 'Term',
  title: 'Title',
  credits: 'Credit hours',
  department: 'Department',
  degree: 'Batch',
  syn: 'Syndicates',
  semester: 'Semester',
  ids: 'CMS IDs',
} as const;
export type SheetField = keyof typeof LABELS | 'course' | 'by' | 'categories';
export type SheetValues = Record<SheetField, string>;

export const emptySheet = (termId: string): SheetValues => ({
  course: '',
  course_id: '',
  term_id: termId,
  title: '',
  credits: '',
  department: '',
  degree: '',
  syn: '',
  semester: '',
  by: 'class',
  ids: '',
  categories: writeCategories(TEMPLATES[0]?.categories ?? []),
});

/** IDs as they are pasted: with spaces, commas, semicolons or line ends between them. */
export const readIds = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean);

export const readSyndicates = (text: string) =>
  text.split(',').filter((one): one is (typeof SYNDICATES)[number] => one !== '');

export function toSheetBody(values: SheetValues) {
  const { course_id, term_id, title, credits, department, degree, semester } = values;
  return {
    course_id,
    term_id,
    title,
    credits,
    department,
    degree,
    semester,
    syn: readSyndicates(values.syn),
    ...(values.by === 'ids' && { ids: readIds(values.ids) }),
    categories: toCategoriesBody(readCategories(values.categories)),
  };
}

/** The values that choosing a course fills in. Title and credit hours that were typed stay. */
export function chooseCourse(
  values: SheetValues,
  before: CourseListItem | undefined,
  course: CourseListItem,
): Partial<SheetValues> {
  const credits = String(course.credits ?? '');
  const follows = (typed: string, previous: string | undefined) => typed === '' || typed === previous;
  return {
    course: `${course.course_code} ${course.course_name}`,
    course_id: String(course.course_id),
    ...(follows(values.title, before?.course_name) && { title: course.course_name }),
    ...(follows(values.credits, before === undefined ? undefined : String(before.credits ?? '')) && {
      credits,
    }),
  };
}
