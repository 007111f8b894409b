import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { SCHEME_SAMPLE_SIZE, type SchemePreview } from '../../contract/schemes/schemes.ts';
import { checkScheme } from '../../domain/schemes/check-scheme.ts';
import type { SchemeRow } from '../../domain/schemes/scheme.ts';
import type { Db, Tx } from '../db/schema.ts';
import { AppError, requireSamePreview } from '../errors.ts';
import { type Author, recordChange } from '../history/record-change.ts';
import { findAuditParts } from '../students/audit/facts.ts';
import { findNamedCourses } from '../students/audit/named-courses.ts';
import { auditParts, lackingKeys, loadAuditRules } from '../students/audit/read-audit.ts';
import { lockSchemes, parseRows, schemeFinder } from '../students/audit/schemes.ts';
import { loadPolicies } from '../students/grading/policies.ts';
import {
  namedIn,
  parseDegrees,
  requireScheme,
  type SchemeTableRow,
  toSchemeState,
} from './present-scheme.ts';
import { lockDraft } from './write-scheme.ts';

/** Students looked at in one go. */
const BATCH_SIZE = 20;

/** What the check of a scheme depends on beside its rows. */
async function checkRow(db: Db, row: SchemeTableRow, rows: readonly SchemeRow[]) {
  const courses = await findNamedCourses(db, namedIn(rows));
  const policies = await loadPolicies(db);
  const batches = await findBatches(db, row);
  // Without any, the policy of a batch that is named nowhere.
  const degrees = batches.length === 0 ? [''] : batches;
  return checkScheme(rows, {
    courses: new Map(courses.map((course) => [course.course_id, course])),
    groups: parseDegrees(row)?.map((degree) => policies.of(degree).groups) ?? [policies.equivalents.ofAll],
    degreeCredits: degrees.map((degree) => ({ degree, credits: policies.of(degree).rules.degree_credits })),
  });
}

/** The batches that a scheme is for; of one for all, those that have students of the department. */
async function findBatches(db: Db, row: SchemeTableRow): Promise<string[]> {
  const named = parseDegrees(row);
  if (named !== null) return named;
  const rows = await db
    .selectFrom('cohorts')
    .select('degree')
    .where('department', '=', row.department)
    .groupBy('degree')
    .having((eb) => eb(eb.fn.sum('students'), '>', 0))
    .orderBy('degree')
    .execute();
  return rows.map(({ degree }) => degree);
}

interface FoundPreview {
  preview: SchemePreview;
  /** Of what the preview depends on beside the students. */
  state: string;
}

/** What is in force, so that a preview is known to hold when it still is. */
async function readState(db: Db, row: SchemeTableRow): Promise<string> {
  const { number } = await db
    .selectFrom('schemes')
    .select((eb) => eb.fn.max('number').as('number'))
    .executeTakeFirstOrThrow();
  const pairs = await db.selectFrom('equivalents').select('equivalent_id').orderBy('equivalent_id').execute();
  const { highest } = await loadPolicies(db);
  return JSON.stringify([row.version, number, pairs.map(({ equivalent_id }) => equivalent_id), highest]);
}

/** Checks a draft, and finds the students whose lacking rows it would change. */
async function previewScheme(db: Db, row: SchemeTableRow): Promise<FoundPreview> {
  const rows = parseRows(row);
  const state = await readState(db, row);
  const { refusals, warnings } = await checkRow(db, row, rows);
  const hash = createHash('sha256').update(JSON.stringify([row.scheme_id, state, refusals, warnings]));
  const preview: SchemePreview = {
    ...{ fingerprint: '', refusals, warnings, students: 0, changed_students: 0 },
    ...{ more: 0, fewer: 0, other: 0, sample: [] },
  };
  for await (const { before, after, ...student } of auditStudents(db, row, rows)) {
    preview.students += 1;
    hash.update(`\n${student.id}`);
    if (before !== null && before.join() === after.join()) continue;
    hash.update(JSON.stringify([before, after]));
    preview.changed_students += 1;
    const [was, is] = [before?.length ?? 0, after.length];
    preview[is > was ? 'more' : is < was ? 'fewer' : 'other'] += 1;
    if (preview.sample.length < SCHEME_SAMPLE_SIZE)
      preview.sample.push({ ...student, lacking_before: before, lacking_after: after });
  }
  return { preview: { ...preview, fingerprint: hash.digest('base64url') }, state };
}

/** The active students of a scheme's batches, in the order of their IDs, with their lacking rows. */
async function* auditStudents(db: Db, { department, ...row }: SchemeTableRow, rows: readonly SchemeRow[]) {
  const degrees = parseDegrees(row);
  const findScheme = schemeFinder(db);
  const getRules = await loadAuditRules(db);
  for (let last = ''; ; ) {
    const students = await db
      .selectFrom('students')
      .select(['id', 'first_name', 'last_name', 'department', 'degree'])
      .where('id', '>', last)
      .where('department', '=', department)
      .where('status', '=', 'active')
      .$if(degrees !== null, (query) => query.where('degree', 'in', degrees ?? []))
      .orderBy('id')
      .limit(BATCH_SIZE)
      .execute();
    const end = students.at(-1);
    if (end === undefined) return;
    last = end.id;
    const parts = await findAuditParts(
      db,
      students.map(({ id }) => id),
    );
    const partsById = new Map(parts.map((one) => [one.id, one]));
    for (const { id, first_name, last_name, ...ofClass } of students) {
      const own = partsById.get(id);
      if (own === undefined) continue;
      const rules = getRules(ofClass);
      const present = await findScheme(ofClass);
      const { audit } = auditParts(own, { scheme_id: 0, number: 0, name: '', rows }, rules);
      const before = present === undefined ? null : lackingKeys(auditParts(own, present, rules).audit);
      yield { id, first_name, last_name, before, after: lackingKeys(audit) };
    }
    // Lets other calls run.
    await setImmediate();
  }
}

export const readPreview = async (db: Db, schemeId: number): Promise<FoundPreview> =>
  previewScheme(db, await requireScheme(db, schemeId));

/**
 * Puts a draft in force.
 *
 * @param found the preview, read before the transaction
 * @throws AppError stale, with the present preview; conflict with the refusals
 */
export async function publishScheme(
  tx: Tx,
  author: Author,
  schemeId: number,
  { fingerprint, found, ifMatch }: { fingerprint: string; found: FoundPreview; ifMatch: string | undefined },
): Promise<SchemeTableRow> {
  await lockSchemes(tx);
  const row = await lockDraft(tx, schemeId, ifMatch);
  const isCurrent = found.state === (await readState(tx, row));
  const { preview } = isCurrent ? found : await previewScheme(tx, row);
  requireSamePreview(preview, fingerprint);
  if (preview.refusals.length > 0) {
    throw new AppError('conflict', 'The scheme contradicts itself, so it can’t be published.', {
      details: { refusals: preview.refusals },
    });
  }
  const { number } = await tx
    .selectFrom('schemes')
    .select((eb) => eb.fn.max('number').as('number'))
    .executeTakeFirstOrThrow();
  const after = await tx
    .updateTable('schemes')
    .set({
      number: (number ?? 0) + 1,
      version: row.version + 1,
      published_at: new Date().toISOString(),
      published_by: author.id,
      published_name: author.name,
    })
    .where('scheme_id', '=', schemeId)
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordChange(tx, author, {
    action: 'update',
    entity: 'scheme',
    entityId: schemeId,
    before: toSchemeState(row),
    after: toSchemeState(after),
  });
  return after;
}
