import type { ResultLayout } from '../../../contract/imports.ts';
import { resultInput } from '../../../contract/students/academics.ts';
import { isSameCourseTitle } from '../../../domain/course-titles.ts';
import { checkInput } from '../../http/validation.ts';
import type { Subject } from '../../students/semester-slots.ts';
import { courseOfField } from '../reading/layouts.ts';
import { type Catalogue, type CatalogueCourse, foldTitle } from './catalogue.ts';
import type { FieldErrors, ReadRow, RecordRows } from './kind.ts';

const courseSchema = resultInput.pick({ course_id: true });

/** A subject of a row: all of the row, or one of its columns with grades. What is undefined stays as it is. */
export interface SubjectCell {
  /** Where its errors and changes are shown; undefined for a row per subject, which has a field for each. */
  field: string | undefined;
  /** Null where it is emptied. */
  courseId: number | null | undefined;
  /** Undefined where the number is not in the catalogue any more. */
  course: CatalogueCourse | undefined;
  /** The title is that of another course of the catalogue. */
  isTitleOfOther: boolean;
  title: unknown;
  credits: unknown;
  grade: unknown;
}

/** The names of courses that rows have, to look them up together. */
export function courseNames(records: readonly RecordRows[], layout: ResultLayout): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { rows } of records) {
    for (const { values } of rows) {
      const own =
        layout === 'column-per-course'
          ? Object.keys(values).flatMap((field) => courseOfField(field) ?? [])
          : [values.course_id, values.course_code, values.title];
      for (const name of own) if (typeof name === 'string') names.add(name.trim());
    }
  }
  return names;
}

/**
 * A title that is not that of the course: one of them is wrong. A row with the code of the course is refused; one with its number, which
 * says nothing to a reader, is warned of. A subject keeps the title that it has.
 */
export function contradictionText(
  { course, isTitleOfOther, title }: SubjectCell,
  before: Subject | undefined,
): string | undefined {
  if (course === undefined || typeof title !== 'string') return undefined;
  if (before?.course_id === course.course_id && foldTitle(before.title) === foldTitle(title))
    return undefined;
  if (!isTitleOfOther && isSameCourseTitle(title, course.course_name)) return undefined;
  const { course_id, course_code, course_name } = course;
  return `Course ${course_id} (${course_code}) is “${course_name}”, not “${title}”. Correct the course or the title.`;
}

/** The subjects of a row, with the texts about courses that can't be found. */
export function readSubjects(
  { values }: ReadRow,
  layout: ResultLayout,
  catalogue: Catalogue,
): { cells: SubjectCell[]; errors: FieldErrors } {
  if (layout === 'row-per-subject') {
    const course = readCourse(values, catalogue);
    if ('errors' in course) return { cells: [], errors: course.errors };
    const { title, credits, grade } = values;
    const isTitleOfOther =
      course.course !== undefined &&
      typeof title === 'string' &&
      catalogue.isTitleOfOther(title, course.course);
    return {
      cells: [{ field: undefined, ...course, isTitleOfOther, title: title ?? undefined, credits, grade }],
      errors: {},
    };
  }
  const errors: Record<string, readonly string[]> = {};
  const cells = Object.entries(values).flatMap(([field, grade]): SubjectCell[] => {
    const name = courseOfField(field);
    if (name === undefined) return [];
    const [course, ...others] = catalogue.byName(name);
    if (course === undefined) errors[field] = [`There is no course with the ID, code or title “${name}”.`];
    else if (others.length > 0) errors[field] = [ambiguousName(name)];
    else {
      const { course_id: courseId } = course;
      return [
        { field, courseId, course, isTitleOfOther: false, title: undefined, credits: undefined, grade },
      ];
    }
    return [];
  });
  return { cells, errors };
}

type FoundCourse = Pick<SubjectCell, 'courseId' | 'course'>;

/** The course of a row, by its number, its code or both. */
function readCourse(
  { course_id, course_code }: ReadRow['values'],
  catalogue: Catalogue,
): FoundCourse | { errors: FieldErrors } {
  const checked = checkInput(courseSchema, { course_id });
  if ('errors' in checked) return checked;
  const given = checked.input.course_id;
  if (typeof course_code !== 'string') {
    const isEmptied = course_id === null || course_code === null;
    const courseId = given ?? (isEmptied ? null : undefined);
    return { courseId, course: given === null ? undefined : catalogue.byId(given) };
  }
  const coded = catalogue.byCode(course_code.trim());
  const found = given === null ? coded : coded.filter((course) => course.course_id === given);
  const [course, ...others] = found;
  if (course !== undefined && others.length === 0) return { courseId: course.course_id, course };
  const text =
    coded.length === 0
      ? 'The course code must be that of an existing course.'
      : given === null
        ? ambiguousCode(course_code)
        : `The course code must be that of course ${given}.`;
  return { errors: { course_code: [text] } };
}

const ambiguousName = (name: string) =>
  `Several courses have the code or title “${name}”. Put the course ID in its place in the headings.`;
const ambiguousCode = (code: string) => `Several courses have the code ${code}. Give the course id.`;
