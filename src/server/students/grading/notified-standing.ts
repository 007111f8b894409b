import { sql } from 'kysely';
import {
  type AnsweredStanding,
  answerStandings,
  standingAfterEach,
} from '../../../domain/grading/standing.ts';
import { jsonElements } from '../../db/dialect/sql.ts';
import { preparedUpdate } from '../../db/prepared-query.ts';
import type { Db, PoliciesTable, Tx } from '../../db/schema.ts';
import { type ResultParts, resultColumns, semesterTuples, subjectTuples } from '../queries.ts';
import { parseRules } from './policies.ts';
import { type SemesterFacts, toFigures } from './standing-facts.ts';

/** A recorded semester, as its standing is read. */
export interface StandingFacts extends SemesterFacts {
  /** Credit hours with a grade. */
  credits: number;
  /** Subjects without a grade. */
  ungraded: { slot: number; course_id: number | null }[];
}

/**
 * The recorded semesters of a student from the entry on, in order. Every property by its name, and no tuple is spread: that would take most of the
 * time of the call that answers them.
 */
export function toStandingFacts(parts: Pick<ResultParts, 'semesters' | 'subjects'>): StandingFacts[] {
  const tuples = semesterTuples(parts);
  const semesters = tuples.map((tuple): StandingFacts => {
    const [, semester, sgpa, cgpa, , is_provisional, , notified_policy, notified_standing, notified_clause] =
      tuple;
    return {
      semester,
      sgpa,
      cgpa,
      is_provisional,
      notified_policy,
      notified_standing,
      notified_clause,
      graded: 0,
      fails: 0,
      credits: 0,
      ungraded: [],
    };
  });
  for (const [semester, slot, , course_id, credits, half_points] of subjectTuples(parts)) {
    // Semesters are numbered without holes.
    const own = semesters[semester - 1];
    if (own === undefined) continue;
    if (half_points === null) own.ungraded.push({ slot, course_id });
    else if (half_points === 0) own.fails += 1;
    if (half_points === null || credits === null) continue;
    own.graded += 1;
    own.credits += credits;
  }
  return semesters.filter((_, i) => tuples[i]?.[6] === 0);
}

/** Computed items by the number of their semester: the semesters before an entry are not among them. */
const bySemester = <Item>(facts: readonly StandingFacts[], computed: readonly Item[]) =>
  new Map(
    facts.flatMap(({ semester }, i) => {
      const item = computed[i];
      return item === undefined ? [] : [[semester, item] as const];
    }),
  );

/** Whether a confirmed mark sheet wrote to a semester of the table `semesters`. */
const IS_WRITTEN = sql`exists (select 1 from sheet_results w
  where w.student_id = semesters.student_id and w.semester = semesters.semester)`;

/**
 * Stores the standing of those semesters of students that mark sheets wrote to and that have become final, as it is now. What
 * is stored stays whatever changes later, until a mark sheet of a class that is not notified writes to the semester. To be
 * called wherever a semester may have become final or provisional, after the figures have been stored.
 */
export async function storeNotifiedStandings(tx: Tx, ids: readonly string[]): Promise<void> {
  const students = sql`(select value from ${jsonElements(tx, sql`${JSON.stringify(ids)}`)} l)`;
  await sql`update semesters set notified_policy = null, notified_standing = null, notified_clause = null
    where student_id in ${students} and notified_policy is not null
      and (is_provisional = 1 or not ${IS_WRITTEN})`.execute(tx);
  // One that had no standing then, without a grade, gets it with its first grade.
  const { rows: lacking } = await sql<{ student_id: string; semester: number }>`
    select student_id, semester from semesters
    where student_id in ${students} and is_provisional = 0
      and (notified_policy is null or notified_standing = '') and ${IS_WRITTEN}`.execute(tx);
  if (lacking.length === 0) return;
  const rows = await readResultParts(tx, [...new Set(lacking.map(({ student_id }) => student_id))]);
  const today = new Map(
    rows.map((row) => {
      const facts = toStandingFacts(row);
      const standings = standingAfterEach(facts.map(toFigures), parseRules(row));
      return [row.id, { policy_id: row.policy_id, standings: bySemester(facts, standings) }];
    }),
  );
  await updateNotified(
    tx,
    lacking.flatMap(({ student_id, semester }) => {
      const own = today.get(student_id);
      const standing = own?.standings.get(semester);
      if (own === undefined || standing === undefined) return [];
      return {
        student_id,
        semester,
        notified_policy: own.policy_id,
        notified_standing: standing.standing ?? '',
        notified_clause: standing.clause,
      };
    }),
  );
}

const updateNotified = preparedUpdate(
  'semesters',
  { student_id: 'text', semester: 'integer' },
  { notified_policy: 'integer', notified_standing: 'text', notified_clause: 'text' },
);

/** The results of students and the policies of their figures. */
async function readResultParts(db: Db, ids: readonly string[]) {
  const { rows } = await sql<ResultParts & Pick<PoliciesTable, 'rules'> & { id: string }>`
    select s.id, p.rules, ${resultColumns(db)}
    from ${jsonElements(db, sql`${JSON.stringify(ids)}`)} l
      cross join students s
      inner join policies p on p.policy_id = s.policy_id
    where s.id = l.value`.execute(db);
  return rows;
}

/** The standing of students after a semester, as it is answered; by ID. */
export async function findStandings(
  db: Db,
  ids: readonly string[],
  semester: number,
): Promise<ReadonlyMap<string, AnsweredStanding>> {
  const found = new Map<string, AnsweredStanding>();
  for (const row of await readResultParts(db, ids)) {
    const policy = { policy_id: row.policy_id, rules: parseRules(row) };
    const facts = toStandingFacts(row);
    const standing = bySemester(facts, answerStandings(facts.map(toFigures), policy)).get(semester);
    if (standing !== undefined) found.set(row.id, standing);
  }
  return found;
}
