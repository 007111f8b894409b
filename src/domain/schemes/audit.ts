import type { RepeatPolicy } from '../grading/policy.ts';
import { type AssignableCourse, assignCourses } from './assignment.ts';
import type { CourseGroups } from './equivalents.ts';
import { countCredits } from './hours.ts';
import { foldKey, type SchemeRow } from './scheme.ts';
import {
  type Attempt,
  type Filling,
  listTakenCourses,
  type SheetEntry,
  type TakenCourse,
} from './taken-courses.ts';

export const ROW_STATES = ['passed', 'substituted', 'waived', 'in-progress', 'failed', 'open'] as const;
export type RowState = (typeof ROW_STATES)[number];

/** Rows in these states are missing for the degree. */
const LACKING_STATES = ['in-progress', 'failed', 'open'] as const satisfies readonly RowState[];
export const isLacking = (state: RowState): boolean => LACKING_STATES.some((one) => one === state);

/** What an administrator decided for a student about a row: the course that counts for it, or null where it is waived. */
export interface RowException {
  row: string;
  course_id: number | null;
}

/** A course that was passed elsewhere. */
export interface OutsideCredit {
  outside_id: number;
  /** The key of the row that it fills; null for none. */
  row: string | null;
  title: string;
  credits: number;
}

/** What an audit follows from, of one student. */
export interface AuditFacts {
  attempts: readonly Attempt[];
  /** Rows on mark sheets that are not confirmed and rectify no other one, `graded` or `incomplete`. */
  entries: readonly SheetEntry[];
  exceptions: readonly RowException[];
  outside: readonly OutsideCredit[];
}

export type RowFilling = Filling | { kind: 'outside'; outside: OutsideCredit };

export interface AuditedRow {
  row: SchemeRow;
  state: RowState;
  filledBy: RowFilling | null;
  /** Of a lacking row: its options with the needs that are not met. */
  options: { course_id: number; missing: number[] }[];
}

export interface Audit {
  /** No row is lacking. */
  isComplete: boolean;
  rows: AuditedRow[];
  /** Passed courses that fill no row. */
  extra: Extract<Filling, { kind: 'attempt' }>[];
}

/** How the courses of a student fill the rows of a scheme. */
export function auditStudent(
  rows: readonly SchemeRow[],
  { attempts, entries, exceptions, outside }: AuditFacts,
  rules: { groups: CourseGroups; policy: RepeatPolicy },
): Audit {
  const { groups } = rules;
  const taken = listTakenCourses(attempts, entries, rules);
  const exceptionOf = new Map(exceptions.map((one) => [foldKey(one.row), one]));
  const decided = decideRows(rows, { taken, exceptionOf, outside, groups });
  const { used } = decided;
  const audited = new Map(decided.rows);
  const open = rows.filter((row) => !audited.has(row));
  const free = taken.filter(({ group }) => !used.has(group));
  for (const [i, course] of assignTo(open, free, groups).entries()) {
    const row = open[i];
    if (row === undefined) continue;
    if (course !== undefined) used.add(course.group);
    audited.set(row, { state: course?.state ?? 'open', filledBy: course?.filling ?? null });
  }
  const statesOf = courseStates(decided.rows, taken, groups);
  const all = rows.map((row): AuditedRow => {
    const { state, filledBy } = audited.get(row) ?? { state: 'open', filledBy: null };
    const substitute = exceptionOf.get(foldKey(row.key))?.course_id ?? null;
    const options = substitute === null ? row.options : [substitute];
    const missing = row.needs.flatMap((need) => (isMet(need, statesOf) ? [] : need.course_id));
    return {
      row,
      state,
      filledBy,
      options: isLacking(state) ? options.map((course_id) => ({ course_id, missing })) : [],
    };
  });
  return {
    isComplete: all.every(({ state }) => !isLacking(state)),
    rows: all,
    extra: taken.flatMap(({ state, group, filling, isWithoutCredits }) =>
      state === 'passed' && !isWithoutCredits && !used.has(group) && filling.kind === 'attempt'
        ? filling
        : [],
    ),
  };
}

type Audited = Pick<AuditedRow, 'state' | 'filledBy'>;

/** The rows that an exception or a course from elsewhere decides, with the groups of the courses that substitute. */
function decideRows(
  rows: readonly SchemeRow[],
  {
    taken,
    exceptionOf,
    outside,
    groups,
  }: {
    taken: readonly TakenCourse[];
    exceptionOf: ReadonlyMap<string, RowException>;
    outside: readonly OutsideCredit[];
    groups: CourseGroups;
  },
): { rows: ReadonlyMap<SchemeRow, Audited>; used: Set<number> } {
  const byGroup = new Map(taken.map((course) => [course.group, course]));
  const outsideOf = new Map(
    outside.flatMap((one) => (one.row === null ? [] : [[foldKey(one.row), one] as const])),
  );
  const used = new Set<number>();
  const decided = new Map<SchemeRow, Audited>();
  for (const row of rows) {
    const fromElsewhere = outsideOf.get(foldKey(row.key));
    const exception = exceptionOf.get(foldKey(row.key));
    if (fromElsewhere !== undefined)
      decided.set(row, { state: 'passed', filledBy: { kind: 'outside', outside: fromElsewhere } });
    else if (exception?.course_id === null) decided.set(row, { state: 'waived', filledBy: null });
    else if (exception !== undefined) {
      const group = groups.of(exception.course_id);
      const course = used.has(group) ? undefined : byGroup.get(group);
      used.add(group);
      decided.set(row, judgeSubstitution(row, course));
    }
  }
  return { rows: decided, used };
}

const isFor = ({ isWithoutCredits }: TakenCourse, row: SchemeRow) =>
  !isWithoutCredits || countCredits(row) === 0;

function judgeSubstitution(
  row: SchemeRow,
  course: TakenCourse | undefined,
): Pick<AuditedRow, 'state' | 'filledBy'> {
  if (course === undefined || !isFor(course, row)) return { state: 'open', filledBy: null };
  return { state: course.state === 'passed' ? 'substituted' : course.state, filledBy: course.filling };
}

function assignTo(
  rows: readonly SchemeRow[],
  courses: readonly TakenCourse[],
  groups: CourseGroups,
): (TakenCourse | undefined)[] {
  const rowsOf = new Map<number, number[]>();
  for (const [i, { options }] of rows.entries()) {
    for (const group of new Set(options.map((id) => groups.of(id)))) {
      const places = rowsOf.get(group);
      if (places === undefined) rowsOf.set(group, [i]);
      else places.push(i);
    }
  }
  const candidates = courses.map((course): AssignableCourse => {
    const places = rowsOf.get(course.group) ?? [];
    return {
      state: course.state,
      rows: places.filter((i) => {
        const row = rows[i];
        return row !== undefined && isFor(course, row);
      }),
    };
  });
  return assignCourses(rows.length, candidates).map((i) => (i === undefined ? undefined : courses[i]));
}

/**
 * How far a student has come with a course: it is taken, or a row that has it among its options is waived, filled from elsewhere, or
 * substituted by a course that has come as far.
 */
function courseStates(
  decided: ReadonlyMap<SchemeRow, Audited>,
  taken: readonly TakenCourse[],
  groups: CourseGroups,
): (courseId: number) => ReadonlySet<RowState> {
  const states = new Map<number, Set<RowState>>();
  const add = (group: number, state: RowState) => {
    states.set(group, (states.get(group) ?? new Set()).add(state));
  };
  for (const [{ options }, { state }] of decided) for (const id of options) add(groups.of(id), state);
  for (const { group, state } of taken) add(group, state);
  return (courseId) => states.get(groups.of(courseId)) ?? NO_STATES;
}
const NO_STATES: ReadonlySet<RowState> = new Set();

/** A need is met by a course that is passed, or for `beside` in progress. */
const isMet = (
  { course_id, kind }: SchemeRow['needs'][number],
  statesOf: (courseId: number) => ReadonlySet<RowState>,
): boolean =>
  [...statesOf(course_id)].some(
    (state) => !isLacking(state) || (kind === 'beside' && state === 'in-progress'),
  );

/** How far a student has come with courses, without an assignment of courses to rows. See {@link courseStates}. */
export function findCourseStates(
  rows: readonly SchemeRow[],
  { attempts, entries, exceptions, outside }: AuditFacts,
  rules: { groups: CourseGroups; policy: RepeatPolicy },
): { statesOf: (courseId: number) => ReadonlySet<RowState>; taken: readonly TakenCourse[] } {
  const taken = listTakenCourses(attempts, entries, rules);
  const exceptionOf = new Map(exceptions.map((one) => [foldKey(one.row), one]));
  const { groups } = rules;
  const decided = decideRows(rows, { taken, exceptionOf, outside, groups });
  return { statesOf: courseStates(decided.rows, taken, groups), taken };
}
