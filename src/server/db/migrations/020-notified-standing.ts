import { sql } from 'kysely';
import { z } from 'zod';
import { DEFAULT_RULES, type PolicyRules } from '../../../domain/grading/policy.ts';
import { gpaStanding } from '../../../domain/grading/repeat-policy.ts';
import { standingAfterEach } from '../../../domain/grading/standing.ts';
import { columnTypes, jsonToRows } from '../dialect/sql.ts';
import type { Tx } from '../schema.ts';

/**
 * The standing of each semester as it was notified, with its policy. Of what is notified already it is computed from the results
 * as they are now, by the policy that was in force for the batch at the notification: what the results were then is not known.
 */
export async function up(db: Tx): Promise<void> {
  const { text, int } = columnTypes(db);
  await db.schema.alterTable('semesters').addColumn('notified_policy', int).execute();
  await db.schema.alterTable('semesters').addColumn('notified_standing', text).execute();
  await db.schema.alterTable('semesters').addColumn('notified_clause', text).execute();
  const policies = await readPolicies(db);
  for (let last = ''; ; ) {
    const students = await nextStudents(db, last);
    const end = students.at(-1);
    if (end === undefined) return;
    last = end.id;
    await storeStandings(db, students, policies);
  }
}

/** Students per statement. */
const PAGE = 200;

interface StudentOfSheets {
  id: string;
  degree: string;
}

/** The next students with a final semester that a mark sheet wrote to. */
async function nextStudents(db: Tx, last: string): Promise<StudentOfSheets[]> {
  const { rows } = await sql<StudentOfSheets>`
    select s.id, s.degree from students s where s.id > ${last} and exists (
      select 1 from sheet_results w join semesters a on a.student_id = w.student_id and a.semester = w.semester
      where w.student_id = s.id and a.is_provisional = 0)
    order by s.id limit ${sql.lit(PAGE)}`.execute(db);
  return rows;
}

interface Policy {
  policy_id: number;
  created_at: string;
  degrees: readonly string[] | null;
  rules: PolicyRules;
}

const batches = z.array(z.string()).nullable();
const someRules = z.custom<Partial<PolicyRules>>((value) => typeof value === 'object' && value !== null);

/** The highest number first. */
async function readPolicies(db: Tx): Promise<Policy[]> {
  const { rows } = await sql<{
    policy_id: number;
    created_at: string;
    degrees: string | null;
    rules: string;
  }>`
    select policy_id, created_at, degrees, rules from policies order by policy_id desc`.execute(db);
  return rows.map(({ policy_id, created_at, degrees, rules }) => ({
    ...{ policy_id, created_at },
    degrees: batches.parse(JSON.parse(degrees ?? 'null')),
    rules: { ...DEFAULT_RULES, ...someRules.parse(JSON.parse(rules)) },
  }));
}

/** The policy that was in force for a batch; the first one, which is as old as the installation, is in force without another. */
function findPolicy(policies: readonly Policy[], degree: string, at: string): Policy {
  const ofBatch = policies.filter(({ degrees }) => degrees === null || degrees.includes(degree));
  const found = ofBatch.find(({ created_at }) => created_at <= at) ?? ofBatch.at(-1);
  if (found === undefined) throw new Error('Policy 1, which applies to every batch, is missing.');
  return found;
}

interface SubjectRow {
  student_id: string;
  semester: number;
  slot: number;
  course_id: number | null;
  credits: number | null;
  half_points: number | null;
}

async function storeStandings(
  db: Tx,
  students: readonly StudentOfSheets[],
  policies: readonly Policy[],
): Promise<void> {
  const ids = sql.join(students.map(({ id }) => id));
  const { rows: semesters } = await sql<{
    student_id: string;
    semester: number;
    is_provisional: number;
    notified_at: string | null;
  }>`select a.student_id, a.semester, a.is_provisional, (
      select max(n.notified_at) from sheet_results w
        join sheets h on h.sheet_id = w.sheet_id
        join result_notifications n on n.number = h.notification
      where w.student_id = a.student_id and w.semester = a.semester) as notified_at
    from semesters a where a.student_id in (${ids}) order by a.student_id, a.semester`.execute(db);
  const { rows: subjects } = await sql<SubjectRow>`
    select student_id, semester, slot, course_id, credits, half_points from semester_subjects
    where student_id in (${ids}) order by student_id, semester, slot`.execute(db);
  const stored = students.flatMap(({ id, degree }) => {
    const own = semesters.filter(({ student_id }) => student_id === id);
    const subjectsOf = own.map(({ semester }) =>
      subjects.filter((subject) => subject.student_id === id && subject.semester === semester),
    );
    return own.flatMap(({ semester, is_provisional, notified_at }, i) => {
      if (is_provisional === 1 || notified_at === null) return [];
      const { policy_id, rules } = findPolicy(policies, degree, notified_at);
      const averages = gpaStanding(
        subjectsOf.map((some) =>
          some.map(({ half_points, ...subject }) => ({
            ...subject,
            points: half_points === null ? null : half_points / 2,
          })),
        ),
        rules.repeat_policy,
      );
      const standings = standingAfterEach(
        own.map((one, at) => ({
          semester: one.semester,
          sgpa: averages[at]?.sgpa ?? 0,
          cgpa: averages[at]?.cgpa ?? 0,
          fails: (subjectsOf[at] ?? []).filter(({ half_points }) => half_points === 0).length,
          isGraded: (subjectsOf[at] ?? []).some((one) => one.credits !== null && one.half_points !== null),
          isProvisional: one.is_provisional === 1,
        })),
        rules,
      );
      const { standing = null, clause = null } = standings[i] ?? {};
      return { student_id: id, semester, policy_id, standing: standing ?? '', clause };
    });
  });
  await sql`update semesters
    set notified_policy = l.policy_id, notified_standing = l.standing, notified_clause = l.clause
    from ${jsonToRows(db, stored, {
      ...{ student_id: 'text', semester: 'integer', policy_id: 'integer' },
      ...{ standing: 'text', clause: 'text' },
    })} l
    where semesters.student_id = l.student_id and semesters.semester = l.semester`.execute(db);
}
