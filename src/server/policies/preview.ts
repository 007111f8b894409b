import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import {
  POLICY_SAMPLE_SIZE,
  type PolicyPreview,
  type PolicyPreviewInput,
} from '../../contract/grading/policies.ts';
import type { PolicyRules } from '../../domain/grading/policy.ts';
import { answerStandings, STANDING_RULES } from '../../domain/grading/standing.ts';
import type { Standing } from '../../domain/student.ts';
import type { Db } from '../db/schema.ts';
import { invalidField } from '../errors.ts';
import { toSemesterFacts, withAverages } from '../students/derived/derive-student.ts';
import { type GradedSemester, loadFacts } from '../students/derived/student-facts.ts';
import { type BatchPolicy, loadPolicies, type Policies } from '../students/grading/policies.ts';
import { toFigures } from '../students/grading/standing-facts.ts';

/** Students looked at in one go: as many as take a few milliseconds. */
const BATCH_SIZE = 20;

/** Number of students per batch. */
export async function countBatches(db: Db): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('cohorts')
    .select((eb) => ['degree', eb.fn.sum<number>('students').as('students')])
    .groupBy('degree')
    .execute();
  return new Map(rows.map(({ degree, students }) => [degree, Number(students)]));
}

/** @throws ValidationError on `degrees` for a batch without students */
async function requireBatches(
  db: Db,
  degrees: readonly string[] | null,
): Promise<ReadonlyMap<string, number>> {
  const all = await countBatches(db);
  if (degrees === null) return all;
  const empty = degrees.filter((degree) => (all.get(degree) ?? 0) === 0);
  if (empty.length > 0) {
    const names = empty.length === 1 ? `batch ${empty[0]}` : `the batches ${empty.join(', ')}`;
    throw invalidField('degrees', `There is no student in ${names}.`);
  }
  return new Map(degrees.map((degree) => [degree, all.get(degree) ?? 0]));
}

export interface FoundPreview {
  preview: PolicyPreview;
  students: number;
  /** The highest number of a policy then. */
  highest: number;
}

/**
 * Finds the students whose CGPAs or standings a policy would change. Only batches that get another repeat policy or other rules on
 * the standing are read.
 *
 * @throws ValidationError on `degrees` for a batch without students
 */
export async function previewPolicy(db: Db, { degrees, rules }: PolicyPreviewInput): Promise<FoundPreview> {
  const batches = await requireBatches(db, degrees);
  const students = [...batches.values()].reduce((sum, count) => sum + count, 0);
  const policies = await loadPolicies(db);
  const hash = createHash('sha256').update(
    JSON.stringify([policies.highest, degrees?.toSorted() ?? null, rules, students]),
  );
  const preview: PolicyPreview = {
    fingerprint: '',
    students,
    changed_students: 0,
    sample: [],
    standing: { changed: 0, sample: [], moves: [] },
    drafts: await countDrafts(db, degrees),
  };
  const moves = new Map<string, PolicyPreview['standing']['moves'][number]>();
  for await (const change of changedStudents(db, [...batches.keys()], { policies, rules })) {
    const { id, first_name, last_name, cgpa, standing } = change;
    hash.update(`\n${id} ${JSON.stringify([cgpa?.figures, standing?.standings])}`);
    if (cgpa !== undefined) {
      preview.changed_students += 1;
      if (preview.sample.length < POLICY_SAMPLE_SIZE) {
        const { before, after } = cgpa;
        preview.sample.push({ id, first_name, last_name, cgpa_before: before, cgpa_after: after });
      }
    }
    if (standing !== undefined) {
      const { semester, before, after } = standing;
      preview.standing.changed += 1;
      const move = moves.get(`${before} ${after}`) ?? { before, after, students: 0 };
      moves.set(`${before} ${after}`, { ...move, students: move.students + 1 });
      if (preview.standing.sample.length < POLICY_SAMPLE_SIZE) {
        preview.standing.sample.push({ id, first_name, last_name, semester, before, after });
      }
    }
  }
  preview.standing.moves = [...moves.values()].sort((a, b) => b.students - a.students);
  return {
    preview: { ...preview, fingerprint: hash.digest('base64url') },
    students,
    highest: policies.highest,
  };
}

/** Mark sheets of batches that follow the policy in force, as they have not been submitted and rectify no other sheet. */
async function countDrafts(db: Db, degrees: readonly string[] | null): Promise<number> {
  const { drafts } = await db
    .selectFrom('sheets')
    .select((eb) => eb.fn.countAll<number>().as('drafts'))
    .where('state', '=', 'draft')
    .where('rectifies', 'is', null)
    .$if(degrees !== null, (query) => query.where('degree', 'in', degrees ?? []))
    .executeTakeFirstOrThrow();
  return Number(drafts);
}

interface StudentChange {
  id: string;
  first_name: string;
  last_name: string;
  /** The latest semester whose CGPA changes; `figures` are those of all semesters, before and after. */
  cgpa?: { before: number; after: number; figures: unknown };
  /** The latest semester whose standing changes; `standings` are those of all semesters, before and after. */
  standing?: { semester: number; before: Standing | null; after: Standing | null; standings: unknown };
}

/** Finds the students who change, in the order of the IDs. */
async function* changedStudents(
  db: Db,
  degrees: readonly string[],
  { policies, rules }: { policies: Policies; rules: PolicyRules },
): AsyncGenerator<StudentChange> {
  const getsOther = (name: keyof PolicyRules) => (degree: string) =>
    policies.of(degree).rules[name] !== rules[name];
  const byAttempts = new Set(degrees.filter(getsOther('repeat_policy')));
  const byLimits = new Set(
    degrees.filter((degree) => STANDING_RULES.some((name) => getsOther(name)(degree))),
  );
  const affected = new Set([...byAttempts, ...byLimits]);
  if (affected.size === 0) return;
  for await (const students of readStudents(db, affected)) {
    const repeaters = await findRepeaters(
      db,
      students.flatMap(({ id, degree }) => (byAttempts.has(degree) ? [id] : [])),
      policies.equivalents.courses,
    );
    const read = students.filter(({ id, degree }) => byLimits.has(degree) || repeaters.has(id));
    if (read.length === 0) continue;
    const facts = await loadFacts(
      db,
      read.map(({ id }) => id),
    );
    const factsById = new Map(facts.map(({ row, semesters }) => [row.id, semesters]));
    for (const { id, first_name, last_name, degree } of read) {
      const semesters = factsById.get(id) ?? [];
      const [before, after] = [
        policies.of(degree),
        { policy_id: policies.highest + 1, rules, groups: policies.of(degree).groups },
      ].map((policy) => withStandings(semesters, policy, repeaters.has(id)));
      if (before === undefined || after === undefined) continue;
      const change = { id, first_name, last_name, ...compareFigures(before, after) };
      if (change.cgpa !== undefined || change.standing !== undefined) yield change;
    }
  }
}

type Figures = ReturnType<typeof withStandings>;

/**
 * CGPA and standing of each semester by a policy.
 *
 * @param isRepeater the student repeated a course; the CGPA of any other is the stored one by each repeat policy
 */
function withStandings(semesters: readonly GradedSemester[], policy: BatchPolicy, isRepeater: boolean) {
  const averaged = isRepeater ? withAverages(semesters, policy) : semesters;
  const facts = averaged.map(toSemesterFacts);
  const standings = answerStandings(facts.map(toFigures), policy);
  return facts.map(({ semester, cgpa }, i) => ({
    semester,
    cgpa,
    standing: standings[i]?.standing ?? null,
  }));
}

function compareFigures(before: Figures, after: Figures): Pick<StudentChange, 'cgpa' | 'standing'> {
  const last = (name: 'cgpa' | 'standing') => {
    const i = before.findLastIndex((one, at) => one[name] !== after[at]?.[name]);
    const [was, is] = [before[i], after[i]];
    return was === undefined || is === undefined ? undefined : { was, is };
  };
  const all = (name: 'cgpa' | 'standing') => [before, after].map((some) => some.map((one) => one[name]));
  const [cgpa, standing] = [last('cgpa'), last('standing')];
  return {
    ...(cgpa && {
      cgpa: { before: cgpa.was.cgpa / 100, after: cgpa.is.cgpa / 100, figures: all('cgpa') },
    }),
    ...(standing && {
      standing: {
        semester: standing.was.semester,
        before: standing.was.standing,
        after: standing.is.standing,
        standings: all('standing'),
      },
    }),
  };
}

/** The students of these batches, a batch of rows at a time, in the order of the IDs. */
async function* readStudents(db: Db, degrees: ReadonlySet<string>) {
  for (let last = ''; ; ) {
    const rows = await db
      .selectFrom('students')
      .select(['id', 'first_name', 'last_name', 'degree'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(BATCH_SIZE)
      .execute();
    const end = rows.at(-1);
    if (end === undefined) return;
    const own = rows.filter(({ degree }) => degrees.has(degree));
    if (own.length > 0) yield own;
    last = end.id;
    await setImmediate();
  }
}

/** Those with two graded attempts of a course, or one of a course that has equivalents. */
async function findRepeaters(
  db: Db,
  ids: readonly string[],
  joined: readonly number[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const attempts = sql<number>`count(*)`;
  const rows = await db
    .selectFrom('semester_subjects')
    .select('student_id')
    .distinct()
    .where('student_id', 'in', ids)
    .where('course_id', 'is not', null)
    .where('credits', 'is not', null)
    .where('half_points', 'is not', null)
    .groupBy(['student_id', 'course_id'])
    .having((eb) =>
      eb.or([eb(attempts, '>', 1), ...(joined.length > 0 ? [eb('course_id', 'in', [...joined])] : [])]),
    )
    .execute();
  return new Set(rows.map(({ student_id }) => student_id));
}
