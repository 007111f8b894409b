import { sql } from 'kysely';
import { type GradeLetter, gradePoints, toGradeLetter } from '../../../domain/grading/gpa.ts';
import { answerStandings } from '../../../domain/grading/standing.ts';
import {
  loadLimit,
  loadText,
  type RegistrationCheck,
  type StandingBefore,
} from '../../../domain/marksheets/registration.ts';
import { findCourseStates, isLacking } from '../../../domain/schemes/audit.ts';
import { foldKey, type Need, type SchemeRow } from '../../../domain/schemes/scheme.ts';
import { type Attempt, listTakenCourses } from '../../../domain/schemes/taken-courses.ts';
import { jsonElements } from '../../db/dialect/sql.ts';
import type { Db } from '../../db/schema.ts';
import { groupBy } from '../../group-by.ts';
import { type AuditRow, findAuditParts, toAttempts, toSchemeFacts } from '../../students/audit/facts.ts';
import { findNamedCourses } from '../../students/audit/named-courses.ts';
import { type PublishedScheme, schemeFinder } from '../../students/audit/schemes.ts';
import { toStandingFacts } from '../../students/grading/notified-standing.ts';
import { type BatchPolicy, loadPolicies } from '../../students/grading/policies.ts';
import { toFigures } from '../../students/grading/standing-facts.ts';
import { type Blocked, findBlocked } from '../../students/holds/blocks.ts';
import type { SheetColumns } from '../sheet.ts';
import { isDated, type TermColumns } from './last-days.ts';

/** The course for which a student stands or is to stand on a list. */
export interface CheckedSheet extends Pick<SheetColumns, 'course_id' | 'credits' | 'scheme_row'> {
  /** Undefined before it is made. */
  sheet_id: number | undefined;
}

/** A row of the term that brings credit hours or will, of any sheet that rectifies no other one. */
interface TermEntry {
  sheet_id: number;
  student_id: string;
  course_id: number;
  credits: number;
  status: string;
}

export const findTermEntries = async (
  db: Db,
  termId: number,
  ids: readonly string[],
): Promise<TermEntry[]> => {
  const { rows } = await sql<TermEntry>`
    select h.sheet_id, r.student_id, h.course_id, h.credits, r.status
    from ${jsonElements(db, sql.val(JSON.stringify(ids)))} l cross join sheet_rows r
      join sheets h on h.sheet_id = r.sheet_id
    where r.student_id = l.value and h.term_id = ${termId} and h.rectifies is null
    order by h.sheet_id`.execute(db);
  return rows;
};

/** Withdrawn and excused rows bring no credit hours. */
const countsInLoad = (status: string) => status !== 'withdrawn' && status !== 'excused';

/** What the checks of one student follow from. */
interface StudentFacts {
  parts: AuditRow;
  attempts: readonly Attempt[];
  policy: BatchPolicy;
  scheme: PublishedScheme | undefined;
  statesOf: ReturnType<typeof findCourseStates>['statesOf'];
  standing: StandingBefore;
  entries: readonly TermEntry[];
  hold: Blocked | undefined;
}

export interface CheckedStudent {
  attempt: number;
  before: GradeLetter | null;
  checks: RegistrationCheck[];
}

export const holdChecks = (hold: Blocked | undefined): RegistrationCheck[] =>
  hold === undefined ? [] : [{ rule: 'hold', state: 'refused', text: hold.text }];

/** The row of a list as it stands; none before the student is added. */
interface StandingRow {
  status: string;
  /** The semester to which a confirmed sheet wrote the result: what came later is not looked at. */
  recordedIn: number | null;
}
const NEW_ROW: StandingRow = { status: 'graded', recordedIn: null };

/** Checks the rows of students in a term. What they follow from is read once for all courses. */
export class StudentChecks {
  readonly #term: TermColumns;
  readonly #facts: ReadonlyMap<string, StudentFacts>;
  readonly #codes: ReadonlyMap<number, string>;

  private constructor(
    term: TermColumns,
    facts: ReadonlyMap<string, StudentFacts>,
    codes: ReadonlyMap<number, string>,
  ) {
    this.#term = term;
    this.#facts = facts;
    this.#codes = codes;
  }

  static async load(db: Db, term: TermColumns, ids: readonly string[]): Promise<StudentChecks> {
    const all = await findAuditParts(db, ids);
    const policies = await loadPolicies(db);
    const findScheme = schemeFinder(db);
    const entries = groupBy(await findTermEntries(db, term.term_id, ids), ({ student_id }) => student_id);
    const holds = await findBlocked(db, ids, 'registration');
    const facts = new Map<string, StudentFacts>();
    const needed = new Set<number>();
    for (const parts of all) {
      const policy = policies.of(parts.degree);
      const attempts = toAttempts(parts, policy.groups);
      const scheme = isDated(term) ? await findScheme(parts) : undefined;
      const rules = { groups: policy.groups, policy: policy.rules.repeat_policy };
      const { statesOf } = findCourseStates(scheme?.rows ?? [], { attempts, ...toSchemeFacts(parts) }, rules);
      for (const row of scheme?.rows ?? []) for (const { course_id } of row.needs) needed.add(course_id);
      facts.set(parts.id, {
        ...{ parts, attempts, policy, scheme, statesOf },
        standing: findStanding(parts, policy),
        entries: entries.get(parts.id) ?? [],
        hold: holds.get(parts.id),
      });
    }
    const courses = await findNamedCourses(db, needed);
    return new StudentChecks(
      term,
      facts,
      new Map(courses.map(({ course_id, course_code }) => [course_id, course_code])),
    );
  }

  /** The load that needs no reason; null where nothing is checked, or without such a student. */
  limit(id: string): number | null {
    const own = this.#facts.get(id);
    if (own === undefined || !isDated(this.#term)) return null;
    return loadLimit(own.policy.rules, { ...own.standing, isSummer: this.#term.summer === 1 });
  }

  /** Of the courses that the student takes in the term. */
  credits(id: string): number {
    const entries = this.#facts.get(id)?.entries ?? [];
    return entries.reduce((sum, { credits, status }) => (countsInLoad(status) ? sum + credits : sum), 0);
  }

  check(id: string, sheet: CheckedSheet, row = NEW_ROW): CheckedStudent {
    const own = this.#facts.get(id);
    if (own === undefined) return { attempt: 1, before: null, checks: [] };
    const { groups } = own.policy;
    const group = groups.of(sheet.course_id);
    const attempts = own.attempts.filter(
      ({ course_id, semester }) =>
        course_id !== null &&
        groups.of(course_id) === group &&
        (row.recordedIn === null || semester < row.recordedIn),
    );
    const last = attempts.at(-1)?.points ?? null;
    const isChecked = isDated(this.#term) && countsInLoad(row.status);
    return {
      attempt: attempts.length + 1,
      before: last === null ? null : toGradeLetter(last * 2),
      checks: [
        ...(isChecked ? this.#needs(own, sheet, group) : []),
        ...(isChecked ? this.#load(own, id, sheet) : []),
        ...(isChecked ? passed(own, attempts) : []),
        ...this.#twice(own, sheet, group),
        // Whoever has the result of the course is registered no more.
        ...(row.recordedIn === null ? holdChecks(own.hold) : []),
      ],
    };
  }

  /** Whether a row needs a course that the student is taking, and is there on the condition that it is passed. */
  waitsFor(id: string, sheet: CheckedSheet, courseId: number, status: string): boolean {
    const own = this.#facts.get(id);
    if (own === undefined || !isDated(this.#term) || !countsInLoad(status)) return false;
    const { groups } = own.policy;
    return listNeeds(own, sheet, groups.of(sheet.course_id)).some(
      (need) => groups.of(need.course_id) === groups.of(courseId) && findNeed(own, need) === 'if-passed',
    );
  }

  #needs(own: StudentFacts, sheet: CheckedSheet, group: number): RegistrationCheck[] {
    return listNeeds(own, sheet, group).map((need) => {
      const code = this.#codes.get(need.course_id) ?? need.course_id;
      const found = findNeed(own, need);
      if (found === 'met') return { rule: 'needs', state: 'met', text: `Needs ${code}: met.` };
      if (found === 'if-passed')
        return { rule: 'needs', state: 'if-passed', text: `Needs ${code}: if passed.` };
      return { rule: 'needs', state: 'warn', text: `Needs ${code}: not met.` };
    });
  }

  #load(own: StudentFacts, id: string, sheet: CheckedSheet): RegistrationCheck[] {
    const limit = this.limit(id);
    const others = own.entries.filter(
      ({ sheet_id, status }) => sheet_id !== sheet.sheet_id && countsInLoad(status),
    );
    const credits = others.reduce((sum, one) => sum + one.credits, sheet.credits);
    return limit === null || credits <= limit
      ? []
      : [{ rule: 'load', state: 'warn', text: loadText(credits, limit) }];
  }

  /** Courses that count as one are one only in dated terms. */
  #twice({ entries, policy }: StudentFacts, sheet: CheckedSheet, group: number): RegistrationCheck[] {
    const isSame = (courseId: number) =>
      isDated(this.#term) ? policy.groups.of(courseId) === group : courseId === sheet.course_id;
    const other = entries.find(({ sheet_id, course_id }) => sheet_id !== sheet.sheet_id && isSame(course_id));
    if (other === undefined) return [];
    return [
      {
        rule: 'twice',
        state: 'refused',
        text: `On mark sheet ${other.sheet_id} of this course already.`,
      },
    ];
  }
}

/** Of the row of the student's own scheme that has the course; of the row of the sheet, if that is one of several. */
function listNeeds({ policy, scheme }: StudentFacts, sheet: CheckedSheet, group: number): readonly Need[] {
  const rows = scheme?.rows.filter(({ options }) => options.some((one) => policy.groups.of(one) === group));
  const ofSheet = (row: SchemeRow) =>
    sheet.scheme_row !== null && foldKey(row.key) === foldKey(sheet.scheme_row);
  return (rows?.find(ofSheet) ?? rows?.[0])?.needs ?? [];
}

/** As printed, of the last semester that is final. */
function findStanding(parts: AuditRow, { policy_id, rules }: BatchPolicy): StandingBefore {
  const facts = toStandingFacts(parts);
  const last = facts.findLastIndex(({ is_provisional, graded }) => is_provisional === 0 && graded > 0);
  const semester = facts[last];
  if (semester === undefined) return { cgpa: null, isOnProbation: false };
  const told = answerStandings(facts.map(toFigures), { policy_id, rules })[last]?.standing;
  return { cgpa: semester.cgpa / 100, isOnProbation: told === 'probation' || told === 'review' };
}

function findNeed(
  { statesOf, entries, policy: { groups } }: StudentFacts,
  { course_id, kind }: Need,
): 'met' | 'if-passed' | 'not-met' {
  const states = [...statesOf(course_id)];
  if (states.some((state) => !isLacking(state))) return 'met';
  const group = groups.of(course_id);
  const isBeside =
    kind === 'beside' &&
    entries.some((one) => countsInLoad(one.status) && groups.of(one.course_id) === group);
  if (isBeside) return 'met';
  return states.includes('in-progress') ? 'if-passed' : 'not-met';
}

/** @param attempts at the course or one that counts as it */
function passed({ policy }: StudentFacts, attempts: readonly Attempt[]): RegistrationCheck[] {
  const { groups, rules } = policy;
  const [taken] = listTakenCourses(attempts, [], { groups, policy: rules.repeat_policy });
  if (taken?.state !== 'passed' || taken.filling.kind !== 'attempt') return [];
  const { points, semester } = taken.filling.attempt;
  if (points === null || points < gradePoints(rules.improve_below)) return [];
  const letter = toGradeLetter(points * 2);
  return [{ rule: 'passed', state: 'warn', text: `Passed with ${letter} in semester ${semester}.` }];
}
