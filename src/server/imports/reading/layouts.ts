import type { ImportColumn, ImportKind, ResultLayout } from '../../../contract/imports.ts';
import { GRADE_LETTERS } from '../../../domain/grading/gpa.ts';
import { FIELDS, type FieldRule, normalizeHeading } from './fields.ts';

/** The beginning of the fields of columns with the grades of a course; the heading follows. */
const GRADE_FIELD = 'grade ';
/** Fields that a sheet with a column per course has beside them. */
const SHARED_FIELDS = ['student_id', 'student_name', 'first_name', 'last_name', 'semester'];

/** The course that a field has the grades of, as its heading names it; undefined for other fields. */
export const courseOfField = (field: string): string | undefined =>
  field.startsWith(GRADE_FIELD) ? field.slice(GRADE_FIELD.length) : undefined;

/**
 * The fields that columns of a file can be read as. In a sheet with a column per course any column may have grades of one: that of
 * its heading, or another one that the mapping names.
 */
export function getFieldRules(
  kind: ImportKind,
  layout: ResultLayout,
  columns: readonly ImportColumn[],
  mapping: Readonly<Record<string, number>> = {},
): readonly FieldRule[] {
  if (kind !== 'results' || layout === 'row-per-subject') return FIELDS[kind];
  const courses = new Map(columns.flatMap(({ heading }) => (heading === '' ? [] : [[heading, heading]])));
  for (const [field, index] of Object.entries(mapping)) {
    const course = courseOfField(field);
    if (course && !courses.has(course)) courses.set(course, columns[index]?.heading || course);
  }
  return [
    ...FIELDS.results.filter(({ field }) => SHARED_FIELDS.includes(field)),
    ...[...courses].map(
      ([course, label]): FieldRule => ({
        field: `${GRADE_FIELD}${course}`,
        label,
        required: false,
        value: 'grade',
        headings: [],
      }),
    ),
  ];
}

/** The column of each field by the headings, where no column was chosen. */
export function recognisedMapping(
  kind: ImportKind,
  layout: ResultLayout,
  columns: readonly ImportColumn[],
): Record<string, number> {
  const byHeading = kind !== 'results' || layout === 'row-per-subject';
  return Object.fromEntries(
    columns.flatMap((column): [string, number][] => {
      const { field, heading, index } = column;
      if (field !== null && (byHeading || SHARED_FIELDS.includes(field))) return [[field, index]];
      const isOnly = columns.filter((other) => other.heading === heading).length === 1;
      return !byHeading && isOnly && hasGrades(column) ? [[`${GRADE_FIELD}${heading}`, index]] : [];
    }),
  );
}

/** Headings of columns beside the grades of courses. */
const OTHER_HEADINGS = new Set([
  ...FIELDS.students.flatMap(({ headings }) => headings),
  ...['sr', 'sno', 'srno', 'serno', 'serial', 'serialno', 'no', 'sgpa', 'cgpa', 'gpa', 'status', 'standing'],
]);
const COURSE_CODE = /^\p{L}{2,6}[\s-]?\d{2,4}\p{L}?$|^\d+$/u;
const GRADES = new Set<string>(GRADE_LETTERS);

/** Whether a column has grades of a course: its heading is like a code or number, or one of its first values is a letter. */
const hasGrades = ({ heading, samples }: ImportColumn) =>
  heading !== '' &&
  !OTHER_HEADINGS.has(normalizeHeading(heading)) &&
  (COURSE_CODE.test(heading) || samples.some((sample) => GRADES.has(sample.toUpperCase())));
