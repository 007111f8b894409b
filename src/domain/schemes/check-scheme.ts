import { plural } from '../format-count.ts';
import { SUBJECT_COUNT } from '../student.ts';
import type { CourseGroups } from './equivalents.ts';
import { countCredits } from './hours.ts';
import { type SchemeRow, sumSemesters } from './scheme.ts';

/** What keeps a scheme from being published. */
export const SCHEME_REFUSALS = ['empty', 'credits', 'need'] as const;
/** What is told before a scheme is published. */
export const SCHEME_WARNINGS = ['sum', 'semester-load', 'course-twice', 'title', 'slots'] as const;

export interface SchemeFault<Rule extends string> {
  rule: Rule;
  text: string;
  /** Of the rows. */
  keys: string[];
}
export type SchemeRefusal = SchemeFault<(typeof SCHEME_REFUSALS)[number]>;
export type SchemeWarning = SchemeFault<(typeof SCHEME_WARNINGS)[number]>;

/** Credit hours of a semester, as the framework of the Higher Education Commission has them. */
const SEMESTER_LOAD = { min: 15, max: 18 } as const;

/** A course as the catalogue has it. */
export interface SchemeCourse {
  course_code: string;
  course_name: string;
  credits: number | null;
}

export interface SchemeFacts {
  courses: ReadonlyMap<number, SchemeCourse>;
  /** The courses that count as one; of each batch where they differ. */
  groups: readonly CourseGroups[];
  /** The credit hours that the policy of each batch asks for the degree. */
  degreeCredits: readonly { degree: string; credits: number }[];
}

/** Whether the rows contradict themselves or the catalogue. */
export function checkScheme(
  rows: readonly SchemeRow[],
  facts: SchemeFacts,
): { refusals: SchemeRefusal[]; warnings: SchemeWarning[] } {
  const refusals: SchemeRefusal[] =
    rows.length === 0
      ? [{ rule: 'empty', text: 'The scheme has no rows.', keys: [] }]
      : [
          ...rows.flatMap((row) => findOtherCredits(row, facts)),
          ...rows.flatMap((row) => findUnmetNeeds(row, rows, facts)),
        ];
  const warnings: SchemeWarning[] = [
    ...findOtherSums(rows, facts),
    ...findLoads(rows),
    ...findCoursesTwice(rows, facts),
    ...rows.flatMap((row) => findOtherTitle(row, facts)),
    ...findFullSemesters(rows),
  ];
  return { refusals, warnings };
}

const codeOf = (id: number, { courses }: Pick<SchemeFacts, 'courses'>): string =>
  courses.get(id)?.course_code ?? `course ${id}`;

/** What a row is called in a text: the code of a core course, the title of a choice. */
function rowName({ options, title }: SchemeRow, facts: SchemeFacts): string {
  const [only, ...others] = options;
  return only === undefined || others.length > 0 ? title : codeOf(only, facts);
}

function findOtherCredits(row: SchemeRow, facts: SchemeFacts): SchemeRefusal[] {
  const credits = countCredits(row);
  return row.options.flatMap((id) => {
    const own = facts.courses.get(id)?.credits ?? null;
    if (own === null || credits === 0 || own === credits) return [];
    const text = `${codeOf(id, facts)} has ${plural(own, 'credit hour')}, its row ${row.key} has ${credits}.`;
    return { rule: 'credits', text, keys: [row.key] };
  });
}

function findUnmetNeeds(row: SchemeRow, rows: readonly SchemeRow[], facts: SchemeFacts): SchemeRefusal[] {
  return row.needs.flatMap(({ course_id, kind }) => {
    const latest = kind === 'before' ? row.semester - 1 : row.semester;
    const others = rows.filter((one) => one !== row && one.semester <= latest);
    const isMet = facts.groups.every((groups) =>
      others.some(({ options }) => options.some((id) => groups.of(id) === groups.of(course_id))),
    );
    if (isMet) return [];
    const [name, code] = [rowName(row, facts), codeOf(course_id, facts)];
    const text =
      kind === 'before'
        ? `${name} needs ${code}, which no earlier semester has.`
        : `${name} needs ${code} beside it, which neither an earlier semester nor its own has.`;
    return { rule: 'need', text, keys: [row.key] };
  });
}

function findOtherSums(rows: readonly SchemeRow[], { degreeCredits }: SchemeFacts): SchemeWarning[] {
  if (rows.length === 0) return [];
  const sum = rows.reduce((total, row) => total + countCredits(row), 0);
  const batches = new Map<number, string[]>();
  for (const { degree, credits } of degreeCredits)
    if (credits !== sum) batches.set(credits, [...(batches.get(credits) ?? []), degree]);
  if (batches.size === 0) return [];
  const wanted = [...batches].map(([credits, degrees]) =>
    degreeCredits.length === degrees.length
      ? String(credits)
      : `${credits} (${degrees.length === 1 ? 'batch' : 'batches'} ${degrees.join(', ')})`,
  );
  const text = `The rows come to ${plural(sum, 'credit hour')} of ${wanted.join(' and ')}.`;
  return [{ rule: 'sum', text, keys: [] }];
}

const findLoads = (rows: readonly SchemeRow[]): SchemeWarning[] =>
  sumSemesters(rows)
    .filter(({ credits }) => credits < SEMESTER_LOAD.min || credits > SEMESTER_LOAD.max)
    .map(({ semester, credits }) => ({
      rule: 'semester-load',
      text: `Semester ${semester} has ${plural(credits, 'credit hour')}; usual are ${SEMESTER_LOAD.min} to ${SEMESTER_LOAD.max}.`,
      keys: keysOf(rows, semester),
    }));

const keysOf = (rows: readonly SchemeRow[], semester: number): string[] =>
  rows.flatMap((row) => (row.semester === semester ? row.key : []));

function findCoursesTwice(rows: readonly SchemeRow[], facts: SchemeFacts): SchemeWarning[] {
  const keys = new Map<number, string[]>();
  for (const { options, key } of rows) for (const id of options) keys.set(id, [...(keys.get(id) ?? []), key]);
  return [...keys]
    .filter(([, of]) => of.length > 1)
    .map(([id, of]) => ({
      rule: 'course-twice',
      text: `${codeOf(id, facts)} is in ${of.length} rows: ${of.join(', ')}.`,
      keys: of,
    }));
}

function findOtherTitle(row: SchemeRow, facts: SchemeFacts): SchemeWarning[] {
  const [only, ...others] = row.options;
  const course = only === undefined || others.length > 0 ? undefined : facts.courses.get(only);
  if (course === undefined || course.course_name === row.title) return [];
  const text = `${course.course_code} is called “${course.course_name}” in the catalogue, “${row.title}” here.`;
  return [{ rule: 'title', text, keys: [row.key] }];
}

const findFullSemesters = (rows: readonly SchemeRow[]): SchemeWarning[] =>
  sumSemesters(rows)
    .filter((semester) => semester.rows > SUBJECT_COUNT)
    .map(({ semester, rows: count }) => ({
      rule: 'slots',
      text: `Semester ${semester} has ${count} rows; the results of a semester have ten subjects.`,
      keys: keysOf(rows, semester),
    }));
