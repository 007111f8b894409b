import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { ConfirmInput, ConfirmPreview } from '../../../contract/marksheets/confirmation.ts';
import type { Sheet } from '../../../contract/marksheets/sheets.ts';
import { chunks } from '../../chunks.ts';
import { storeSheetMarks } from '../../courses/store-marks.ts';
import { locked } from '../../db/dialect/locks.ts';
import { jsonToRows } from '../../db/dialect/sql.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { AppError, invalidField, requireSamePreview } from '../../errors.ts';
import { recordChange } from '../../history/record-change.ts';
import type { AuthorWithRole } from '../../http/transact-as.ts';
import { CohortCounts } from '../../students/derived/cohort-counts.ts';
import { ResultCounts } from '../../students/derived/result-counts.ts';
import { storeNotifiedStandings } from '../../students/grading/notified-standing.ts';
import { loadResults } from '../../students/semesters/load-results.ts';
import { storeResults } from '../../students/semesters/store-results.ts';
import { getLetter } from '../present-rows.ts';
import { presentSheet } from '../present-sheet.ts';
import { bumpVersion, formatIds, lockSheet, parseCells, requireSheet, type SheetColumns } from '../sheet.ts';
import { listDepending } from './depending.ts';
import { compareResults } from './difference.ts';
import { findNotification } from './notifications.ts';
import {
  type ConfirmationPlan,
  type PlannedRow,
  planConfirmation,
  toHalfPoints,
  withSlot,
} from './preview.ts';
import { mayConfirm } from './second-person.ts';

/** Students whose results are stored before other calls run again. */
const STUDENTS_AT_ONCE = 50;

/**
 * Confirms a submitted sheet: results, averages, the marks of the course, checksum and history in one transaction. Blocked rows
 * that `leave` names are left for later: see `remaining.ts`.
 *
 * @throws AppError conflict for another state, for the submitter where a second person has to confirm, and for other blocked
 * rows; stale with a new preview when the fingerprint no longer holds; ValidationError where `leave` names a row that can be
 * written
 */
export async function confirmSheet(
  tx: Tx,
  author: AuthorWithRole,
  sheetId: number,
  { fingerprint, leave }: ConfirmInput,
): Promise<Sheet> {
  const sheet = await lockSheet(tx, sheetId);
  if (sheet.state !== 'submitted') {
    throw new AppError(
      'conflict',
      sheet.state === 'draft'
        ? 'This mark sheet has not been submitted yet.'
        : 'This mark sheet is confirmed already.',
    );
  }
  await lockStudents(tx, sheetId);
  const plan = await planConfirmation(tx, sheet);
  await requireSecondPerson(tx, author, sheet, plan);
  const { preview, planned } = plan;
  await requireFingerprint(tx, sheet, plan, fingerprint);
  const left = requireLeft(preview.blocked, leave ?? []);

  const difference = sheet.rectifies === null ? null : await compareResults(tx, sheet, plan);
  const notification = await findSheetNotification(tx, sheet);
  await storeLetters(tx, author, sheet, planned, notification === null);
  if (!(await storeSheetMarks(tx, author, sheet.course_id, sheetId, sheet.rectifies))) {
    throw new AppError('conflict', 'The course has been deleted. Restore it from its history first.');
  }
  const confirmed_at = new Date().toISOString();
  const checksum = computeChecksum(sheet, plan);
  await setLeft(tx, sheetId, left, 1);
  await bumpVersion(tx, sheet, 'setup');
  await tx
    .updateTable('sheets')
    .set({
      state: 'confirmed',
      confirmed_by: author.id,
      confirmed_name: author.name,
      confirmed_at,
      checksum,
      notification,
      difference: difference === null ? null : JSON.stringify(difference),
    })
    .where('sheet_id', '=', sheetId)
    .execute();
  await recordChange(tx, author, {
    action: 'update',
    entity: 'sheet',
    entityId: sheetId,
    before: { state: 'submitted' },
    after: {
      state: 'confirmed',
      results: planned.length,
      ...(left.length > 0 && { not_recorded: left.join(', ') }),
      checksum,
      ...(sheet.submitted_by === author.id && { confirmed_by_the_submitter: 'yes' }),
    },
  });
  return presentSheet(tx, await requireSheet(tx, sheetId));
}

/** Locked before they are planned for, so that no result changes in between. */
export async function lockStudents(tx: Tx, sheetId: number): Promise<void> {
  const listed = tx.selectFrom('sheet_rows').select('student_id').where('sheet_id', '=', sheetId);
  await locked(tx, tx.selectFrom('students').select('id').where('id', 'in', listed).orderBy('id')).execute();
}

/** @throws AppError stale with the preview as it is now */
export async function requireFingerprint(
  tx: Tx,
  sheet: SheetColumns,
  plan: ConfirmationPlan,
  fingerprint: string,
): Promise<void> {
  if (plan.preview.fingerprint === fingerprint) return;
  const current: ConfirmPreview = {
    ...plan.preview,
    depending: await listDepending(tx, sheet, plan),
    refused: null,
  };
  requireSamePreview(
    current,
    fingerprint,
    'Records have changed since this was previewed. Look at it again.',
  );
}

/** The blocked rows, each of which is to be named. */
function requireLeft(blocked: ConfirmPreview['blocked'], leave: readonly string[]): string[] {
  const named = new Set(leave);
  const others = blocked.filter(({ student_id }) => !named.has(student_id));
  if (others.length > 0) {
    const names = others.map(({ student_id, reason }) => `${student_id}: ${reason}`);
    const more = names.length > 5 ? ` And ${names.length - 5} more.` : '';
    throw new AppError(
      'conflict',
      `The mark sheet can’t be confirmed: rows are blocked. ${names.slice(0, 5).join(' ')}${more}`,
    );
  }
  const left = blocked.map(({ student_id }) => student_id);
  const writable = [...named].filter((id) => !left.includes(id));
  if (writable.length === 0) return left;
  throw invalidField('leave', `The leave names rows that are not blocked: ${formatIds(writable, 5)}.`);
}

/** Marks rows as left for later, or as recorded. */
export async function setLeft(tx: Tx, sheetId: number, ids: readonly string[], isLeft: 0 | 1): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .updateTable('sheet_rows')
    .set({ is_left: isLeft })
    .where('sheet_id', '=', sheetId)
    .where('student_id', 'in', ids)
    .execute();
}

/** Why this person may not write the results of a sheet; null if they may. */
export async function findObstacle(
  db: Db,
  person: { id: number | null },
  sheet: SheetColumns,
  { grading }: ConfirmationPlan,
): Promise<string | null> {
  if (await mayConfirm(db, person, sheet, grading.rules)) return null;
  return 'You submitted this mark sheet, so another administrator has to confirm it.';
}

/** @throws AppError conflict, see {@link findObstacle} */
export async function requireSecondPerson(
  tx: Tx,
  author: AuthorWithRole,
  sheet: SheetColumns,
  plan: ConfirmationPlan,
): Promise<void> {
  const obstacle = await findObstacle(tx, author, sheet, plan);
  if (obstacle !== null) throw new AppError('conflict', obstacle);
}

/** A class that has been notified stays so; a rectification is as final as the sheet that it rectifies. */
async function findSheetNotification(tx: Tx, sheet: SheetColumns): Promise<number | null> {
  if (sheet.rectifies !== null) return (await requireSheet(tx, sheet.rectifies)).notification;
  return findNotification(tx, sheet);
}

/** Stores the results in the students' semesters, and which sheet wrote them. */
export async function storeLetters(
  tx: Tx,
  author: AuthorWithRole,
  sheet: SheetColumns,
  planned: readonly PlannedRow[],
  isProvisional: boolean,
): Promise<void> {
  const counts = new CohortCounts();
  const results = new ResultCounts();
  for (const some of chunks(planned, STUDENTS_AT_ONCE)) {
    const recorded = await loadResults(
      { db: tx, lock: (query) => locked(tx, query) },
      some.map(({ row }) => row.student_id),
    );
    const plans = some.flatMap((one) => {
      const before = recorded.get(one.row.student_id);
      if (before === undefined) return [];
      const provisional = isProvisional ? one.write.semester : undefined;
      return { ...before, semesters: withSlot(before, one), provisional };
    });
    await storeResults({ tx, author, right: 'mark-sheet', bulkId: null, counts, results }, plans);
    await setImmediate();
  }
  await results.store(tx);
  await counts.store(tx);
  await storeWritten(tx, sheet, planned);
  for (const some of chunks(planned, STUDENTS_AT_ONCE)) {
    await storeNotifiedStandings(
      tx,
      some.map(({ row }) => row.student_id),
    );
  }
}

/** One statement: a rectification takes the place of the sheet that it rectifies. */
async function storeWritten(tx: Tx, sheet: SheetColumns, planned: readonly PlannedRow[]): Promise<void> {
  if (planned.length === 0) return;
  const rows = jsonToRows(
    tx,
    planned.map(({ row, write }) => ({
      student_id: row.student_id,
      semester: write.semester,
      slot: write.slot,
      half_points: toHalfPoints(write.points),
    })),
    { student_id: 'text', semester: 'integer', slot: 'integer', half_points: 'integer' },
  );
  await sql`insert into sheet_results (student_id, semester, slot, course_id, sheet_id, half_points)
    select student_id, semester, slot, ${sql.lit(sheet.course_id)}, ${sql.lit(sheet.sheet_id)}, half_points
    from ${rows} r where true
    on conflict (student_id, semester, slot) do update
    set course_id = excluded.course_id, sheet_id = excluded.sheet_id, half_points = excluded.half_points`.execute(
    tx,
  );
}

const inTextOrder = <Row extends { student_id: string }>(rows: readonly Row[]) =>
  rows.toSorted((a, b) => (a.student_id < b.student_id ? -1 : 1));

/**
 * SHA-256 of what was confirmed: the rows with their letters, the boundaries and the policy. The rows are taken in the order
 * of their IDs as plain texts, whatever order they are shown in.
 */
export function computeChecksum(
  sheet: SheetColumns,
  { rows, grading }: Pick<ConfirmationPlan, 'rows' | 'grading'>,
): string {
  const content = [
    [sheet.sheet_id, sheet.course_id, sheet.term_id, sheet.title, sheet.credits, sheet.semester],
    [sheet.department, sheet.degree, sheet.rectifies],
    [grading.policy_id, grading.method, grading.boundaries],
    JSON.parse(sheet.categories),
    inTextOrder(rows).map((row) => [
      row.student_id,
      row.status,
      row.semester,
      row.total,
      getLetter(row, grading),
      Object.entries(parseCells(row)),
      // Only where there is some, so that older checksums hold.
      ...(row.attendance === null ? [] : [JSON.parse(row.attendance)]),
    ]),
  ];
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
