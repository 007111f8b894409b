import { type RawBuilder, sql } from 'kysely';
import type { StudentFilter } from '../../../contract/students/student-list.ts';
import { queryWords, readQuery, type SearchedClass, wordForms } from '../../../domain/search-text.ts';
import { DEPARTMENT_CODES, SEMESTER_COUNT, STANDINGS, STATUS_CODES } from '../../../domain/student.ts';
import { contains } from '../../db/dialect/sql.ts';
import type { NamedParameter } from '../../db/prepared-query.ts';
import type { Db } from '../../db/schema.ts';

/**
 * The two parts of every order: the active students, and after them the others. An index has each of them in order, so the
 * active ones come first without sorting.
 */
export type ListPart = 'active' | 'others';

/** A filter as the queries use it. */
export interface ParsedFilter {
  /** Each has to match a word in the `search_text` of a student in one of its `wordForms`. */
  words: readonly string[];
  /** Always in the same order, so that filters of one kind share one compiled query. */
  conditions: readonly Condition[];
  values: Readonly<Record<string, string | number>>;
  /** The parts that may have matches, in order. */
  parts: readonly ListPart[];
}

export type Condition = keyof typeof CONDITIONS;

/** Each condition on a row of `students` named `s`, the cheapest to evaluate first. */
const CONDITIONS = {
  current_sem: (value) => sql`s.current_sem = ${value('current_sem')}`,
  department: (value) => sql`s.department = ${value('department')}`,
  degree: (value) => sql`s.degree = ${value('degree')}`,
  syn: (value) => sql`s.syn = ${value('syn')}`,
  gender: (value) => sql`s.gender = ${value('gender')}`,
  status: (value) => sql`s.status in (${sql.join(STATUS_CODES.map((_, i) => value(`status_${i}`)))})`,
  standing: (value) => sql`s.standing in (${sql.join(STANDINGS.map((_, i) => value(`standing_${i}`)))})`,
  incomplete: () => sql`s.is_complete = 0`,
  // A student without a CGPA has -1.
  cgpa_from: (value) => sql`s.cgpa >= ${value('cgpa_from')}`,
  cgpa_below: (value) => sql`s.cgpa >= 0 and s.cgpa < ${value('cgpa_below')}`,
  fell_by: (value) => sql`s.fall >= ${value('fell_by')} and s.fall > 0`,
  failed: (value) => sql`exists (select 1 from semester_subjects t
    where t.course_id = ${value('failed')} and t.half_points = 0 and t.student_id = s.id)`,
} as const satisfies Record<string, (value: NamedParameter) => RawBuilder<unknown>>;

const isCondition = (name: string): name is Condition => Object.hasOwn(CONDITIONS, name);

const hundredths = (points: number) => Math.round(points * 100);

/** Conditions on one of several values. Each has as many parameters as values exist, so that any number shares one query. */
const LISTS = { status: STATUS_CODES, standing: STANDINGS } as const;

function listValues(
  name: keyof typeof LISTS,
  selected: readonly string[] | undefined,
): Record<string, string> {
  if (selected === undefined) return {};
  return Object.fromEntries(
    LISTS[name].map((code, i) => [`${name}_${i}`, selected[i] ?? selected[0] ?? code]),
  );
}

/**
 * The class that the search of a filter names, and the filter as one of its students; undefined for other filters, and for one that
 * has another class besides.
 */
export function parseClassFilter({
  q,
  ...filter
}: StudentFilter): { named: SearchedClass; filter: ParsedFilter } | undefined {
  const { words, ofClass: named } = readQuery(q ?? '');
  if (named === undefined) return undefined;
  const { department, degree, syn = filter.syn } = named;
  const isOther = (['department', 'degree', 'syn'] as const).some(
    (name) => filter[name] !== undefined && filter[name] !== { department, degree, syn }[name],
  );
  return isOther
    ? undefined
    : { named, filter: { ...parseFilter({ ...filter, department, degree, syn }), words } };
}

export function parseFilter({ q, status, standing, ...filter }: StudentFilter): ParsedFilter {
  const values: Record<string, string | number> = {
    ...listValues('status', status),
    ...listValues('standing', standing),
  };
  for (const [name, value] of Object.entries(filter)) {
    if (value === undefined || !isCondition(name)) continue;
    const inHundredths = name === 'cgpa_from' || name === 'cgpa_below' || name === 'fell_by';
    values[name] = inHundredths ? hundredths(Number(value)) : value;
  }
  const conditions = Object.keys(CONDITIONS)
    .filter(isCondition)
    .filter((name) => Object.hasOwn(values, name in LISTS ? `${name}_0` : name));
  const includes = {
    active: status === undefined || status.includes('active'),
    others: status === undefined || status.some((one) => one !== 'active'),
  };
  const parts = (['active', 'others'] as const).filter((part) => includes[part]);
  return { words: q === undefined ? [] : queryWords(q), conditions, values, parts };
}

/** The conditions joined by `and`, without those that the caller has covered by other means. */
export function filterConditions(
  conditions: readonly Condition[],
  value: NamedParameter,
  { except = [] }: { except?: readonly Condition[] } = {},
): RawBuilder<unknown> {
  const parts = conditions.filter((name) => !except.includes(name)).map((name) => CONDITIONS[name](value));
  return parts.length === 0 ? sql`1 = 1` : sql.join(parts, sql` and `);
}

/** The condition on a row of `students`. */
export const isInPart = (part: ListPart) => sql`s.is_active = ${sql.lit(part === 'active' ? 1 : 0)}`;

/** The conditions that {@link indexBranches} contains. */
export const BRANCH_CONDITIONS = ['current_sem', 'department'] as const;

export const isOfBranch = (name: Condition) => BRANCH_CONDITIONS.some((one) => one === name);

export const isCgpaLimit = (name: Condition) => name === 'cgpa_from' || name === 'cgpa_below';

/** How many {@link indexBranches} a filter has. */
export const countBranches = (conditions: readonly Condition[]) =>
  (conditions.includes('current_sem') ? 1 : SEMESTER_COUNT) *
  (conditions.includes('department') ? 1 : DEPARTMENT_CODES.length);

/**
 * A condition for every pair of semester and department that the filter allows, within one part. The indexes of the list
 * begin with these three columns, so within one branch the rows are in order.
 */
export function indexBranches(
  conditions: readonly Condition[],
  part: ListPart,
  value: NamedParameter,
): RawBuilder<unknown>[] {
  const semesters = conditions.includes('current_sem')
    ? [value('current_sem')]
    : Array.from({ length: SEMESTER_COUNT }, (_, i) => sql.lit(i + 1));
  const departments = conditions.includes('department')
    ? [value('department')]
    : DEPARTMENT_CODES.map((code) => sql.lit(code));
  return semesters.flatMap((semester) =>
    departments.map(
      (department) => sql`s.current_sem = ${semester} and s.department = ${department} and ${isInPart(part)}`,
    ),
  );
}

/** How many forms each word of the search has: the part of a query's shape that {@link matchesWords} needs. */
export const countForms = (words: readonly string[]): number[] => words.map((word) => wordForms(word).length);

/** The parameters of {@link matchesWords}. */
export const wordValues = (words: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    words.flatMap((word, i) => wordForms(word).map((form, j) => [`word_${i}_${j}`, ` ${form}`])),
  );

/** Each word of the search, in one of its forms, is the beginning of a word of the row. */
export function matchesWords(db: Db, forms: readonly number[], value: NamedParameter): RawBuilder<unknown> {
  const conditions = forms.map((count, i) => {
    const found = Array.from({ length: count }, (_, j) =>
      contains(db, sql`s.search_text`, value(`word_${i}_${j}`)),
    );
    return sql`(${sql.join(found, sql` or `)})`;
  });
  return sql.join([sql`1 = 1`, ...conditions], sql` and `);
}
