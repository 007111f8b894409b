import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import {
  POLICY_SAMPLE_SIZE,
  type PolicyPreview,
  type PolicyPreviewInput,
} from '../../contract/grading/policies.ts';
import type { RepeatPolicy } from '../../domain/grading/policy.ts';
import type { Db } from '../db/schema.ts';
import { invalidField } from '../errors.ts';
import { loadSubjects } from '../students/derived/reindex.ts';
import { loadPolicies, type Policies } from '../students/grading/policies.ts';
import { computeAverages } from '../students/semester-slots.ts';

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
 * Finds the students whose CGPAs a policy would change. Only a batch that gets another repeat policy is read, and of its
 * students only those who repeated a course can differ.
 *
 * @throws ValidationError on `degrees` for a batch without students
 */
export async function previewPolicy(db: Db, { degrees, rules }: PolicyPreviewInput): Promise<FoundPreview> {
  const batches = await requireBatches(db, degrees);
  const students = [...batches.values()].reduce((sum, count) => sum + count, 0);
  const policies = await loadPolicies(db);
  const isOther = (degree: string) => policies.of(degree).rules.repeat_policy !== rules.repeat_policy;
  const affected = [...batches.keys()].filter(isOther);
  const hash = createHash('sha256').update(
    JSON.stringify([policies.highest, degrees?.toSorted() ?? null, rules, students]),
  );
  const preview: PolicyPreview = { fingerprint: '', students, changed_students: 0, sample: [] };
  for await (const change of changedCgpas(db, affected, { policies, policy: rules.repeat_policy })) {
    preview.changed_students += 1;
    hash.update(`\n${change.id} ${change.figures}`);
    if (preview.sample.length < POLICY_SAMPLE_SIZE) {
      const { id, first_name, last_name, cgpa_before, cgpa_after } = change;
      preview.sample.push({ id, first_name, last_name, cgpa_before, cgpa_after });
    }
  }
  return {
    preview: { ...preview, fingerprint: hash.digest('base64url') },
    students,
    highest: policies.highest,
  };
}

interface CgpaChange {
  id: string;
  first_name: string;
  last_name: string;
  cgpa_before: number;
  cgpa_after: number;
  /** All semesters, before and after. */
  figures: string;
}

/** In the order of the IDs. */
async function* changedCgpas(
  db: Db,
  degrees: readonly string[],
  { policies, policy }: { policies: Policies; policy: RepeatPolicy },
): AsyncGenerator<CgpaChange> {
  if (degrees.length === 0) return;
  for await (const students of readStudents(db, degrees)) {
    const repeated = await findRepeaters(
      db,
      students.map(({ id }) => id),
    );
    if (repeated.length === 0) continue;
    const subjectsById = await loadSubjects(db, repeated);
    for (const { id, first_name, last_name, degree } of students) {
      const subjects = subjectsById.get(id);
      if (subjects === undefined) continue;
      const last = Math.max(...subjects.map(({ semester }) => semester));
      const semesters = Array.from({ length: last }, (_, i) =>
        subjects.filter(({ semester }) => semester === i + 1),
      );
      const [before, after] = [policies.of(degree).rules.repeat_policy, policy].map((one) =>
        computeAverages(semesters, one).map(({ cgpa }) => cgpa),
      );
      const changed = before?.findLastIndex((cgpa, i) => cgpa !== after?.[i]) ?? -1;
      if (changed < 0) continue;
      yield {
        ...{ id, first_name, last_name },
        cgpa_before: (before?.[changed] ?? 0) / 100,
        cgpa_after: (after?.[changed] ?? 0) / 100,
        figures: JSON.stringify([before, after]),
      };
    }
  }
}

/** The students of these batches, a batch of rows at a time, in the order of the IDs. */
async function* readStudents(db: Db, degrees: readonly string[]) {
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
    const own = rows.filter(({ degree }) => degrees.includes(degree));
    if (own.length > 0) yield own;
    last = end.id;
    await setImmediate();
  }
}

/** Those with two graded attempts of a course. */
async function findRepeaters(db: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('semester_subjects')
    .select('student_id')
    .distinct()
    .where('student_id', 'in', ids)
    .where('course_id', 'is not', null)
    .where('credits', 'is not', null)
    .where('half_points', 'is not', null)
    .groupBy(['student_id', 'course_id'])
    .having((eb) => eb.fn.countAll(), '>', 1)
    .execute();
  return rows.map(({ student_id }) => student_id);
}
