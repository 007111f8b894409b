import { sql } from 'kysely';
import type { BulkInput, BulkReply, Placement } from '../../../contract/students/bulk.ts';
import { pausedChunks } from '../../chunks.ts';
import { advisoryLock, locked } from '../../db/dialect/locks.ts';
import { jsonToRows } from '../../db/dialect/sql.ts';
import type { Tx } from '../../db/schema.ts';
import { invalidField, requireSamePreview } from '../../errors.ts';
import { type Author, recordChanges } from '../../history/record-change.ts';
import type { Created } from '../../http/idempotency.ts';
import type { AuthorWithRole } from '../../http/transact-as.ts';
import { CohortCounts } from '../derived/cohort-counts.ts';
import type { StudentRow } from '../derived/derived-columns.ts';
import { reindex, removeFromIndex } from '../derived/reindex.ts';
import { ResultCounts, readCounted } from '../derived/result-counts.ts';
import { presentStudent } from '../queries.ts';
import { requireDeletingRight } from '../semesters/protected-slots.ts';
import { readWholeRecords } from '../whole-record.ts';
import { type BulkChange, doneText, parseChange, placementAfter } from './change.ts';
import { previewChange, selectPreviewStudents } from './preview.ts';

/** Students per batch: as many as take a few milliseconds. */
const DELETE_BATCH_SIZE = 40;
const MOVE_BATCH_SIZE = 100;

/** Deletes students with families and results. The history keeps each whole record. */
async function deleteStudents(tx: Tx, author: Author, ids: readonly string[], bulkId: number): Promise<void> {
  const counts = new CohortCounts();
  const results = new ResultCounts();
  for await (const batch of pausedChunks(ids, DELETE_BATCH_SIZE)) {
    await deleteWholeRecords(tx, author, batch, { counts, results, bulkId });
  }
  await results.store(tx);
  await counts.store(tx);
}

/**
 * Deletes a batch of students.
 *
 * @param sums `counts` and `results` are stored by the caller after its last batch
 */
export async function deleteWholeRecords(
  tx: Tx,
  author: Author,
  ids: readonly string[],
  { counts, results, bulkId }: { counts: CohortCounts; results: ResultCounts; bulkId: number | null },
): Promise<void> {
  const rows = await tx.selectFrom('students').selectAll().where('id', 'in', ids).execute();
  const records = await readWholeRecords(tx, rows);
  results.add(await readCounted(tx, ids), -1);
  await removeFromIndex(tx, rows, counts);
  await tx.deleteFrom('students').where('id', 'in', ids).execute();
  await recordChanges(
    tx,
    author,
    rows.map((row) => ({
      action: 'delete',
      entity: 'student',
      entityId: row.id,
      before: records.get(row.id),
    })),
    bulkId,
  );
}

/** Moves students to another semester, syndicate, department or status, each with an entry in the history. */
async function moveStudents(
  tx: Tx,
  author: Author,
  ids: readonly string[],
  change: BulkChange,
  bulkId: number,
): Promise<void> {
  const counts = new CohortCounts();
  for await (const batch of pausedChunks(ids, MOVE_BATCH_SIZE)) {
    const rows = await tx.selectFrom('students').selectAll().where('id', 'in', batch).execute();
    const moves = rows.flatMap((before) => {
      const to = placementAfter(change, before);
      return to === null ? [] : { before, to };
    });
    await storeMoves(tx, author, moves, { counts, bulkId });
  }
  await counts.store(tx);
}

/** A student before the move, and the new placement. */
export interface Move {
  before: StudentRow;
  to: Placement;
}

/**
 * Stores a batch of moves.
 *
 * @param counts stored by the caller after its last batch
 */
export async function storeMoves(
  tx: Tx,
  author: Author,
  moves: readonly Move[],
  { counts, bulkId }: { counts: CohortCounts; bulkId: number | null },
): Promise<void> {
  if (moves.length === 0) return;
  const places = jsonToRows(
    tx,
    moves.map(({ before: { id }, to: { degree: _, ...to } }) => ({ id, ...to })),
    {
      id: 'text',
      department: 'text',
      syn: 'text',
      current_sem: 'integer',
      status: 'text',
      status_date: 'text',
      status_reason: 'text',
    },
  );
  await sql`
    update students set version = version + 1, department = p.department, syn = p.syn, current_sem = p.current_sem,
      status = p.status, status_date = p.status_date, status_reason = p.status_reason
    from ${places} p where students.id = p.id`.execute(tx);
  await reindex(tx, new Map(moves.map(({ before }) => [before.id, before])), counts);
  await recordChanges(
    tx,
    author,
    moves.map(({ before, to }) => ({
      action: 'update',
      entity: 'student',
      entityId: before.id,
      before: presentStudent(before),
      after: presentStudent({ ...before, ...to }),
    })),
    bulkId,
  );
}

/** Bulk changes run one at a time, so that two of them cannot deadlock on each other's students. */
export const lockBulkChanges = (tx: Tx) => advisoryLock(tx, 'bulk change');

/**
 * Applies a bulk change to all selected students, or to none.
 *
 * @throws AppError stale, with a new preview, when the students or their versions differ from the preview; forbidden when an
 *   administrator has to delete one of them
 */
export async function applyBulk(
  tx: Tx,
  author: AuthorWithRole,
  input: BulkInput,
): Promise<Created<BulkReply>> {
  await lockBulkChanges(tx);
  const change = parseChange(input);
  const { preview, changing } = await previewChange(tx, input, change, (ids) =>
    locked(tx, selectPreviewStudents(tx, ids)).execute(),
  );
  requireSamePreview(
    preview,
    input.fingerprint,
    'Some of these students have changed since the preview. Check the new preview.',
  );
  if (changing.length === 0) throw invalidField('action', 'None of these students would change.');
  if (change.action === 'delete') await requireDeletingRight(tx, author, changing);
  const bulkId = await storeBulk(tx, author, change, changing.length);
  if (change.action === 'delete') await deleteStudents(tx, author, changing, bulkId);
  else await moveStudents(tx, author, changing, change, bulkId);
  const reply: BulkReply = {
    message: doneText(change, changing.length),
    change: { id: bulkId, action: change.action, students: changing.length },
  };
  return { etag: `"b${bulkId}"`, reply };
}

async function storeBulk(tx: Tx, author: Author, { action }: BulkChange, students: number): Promise<number> {
  const { id } = await tx
    .insertInto('bulk_changes')
    .values({ at: new Date().toISOString(), user_id: author.id, action, students })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
