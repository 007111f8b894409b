import { setImmediate } from 'node:timers/promises';
import {
  BULK_CHANGES_SHOWN,
  type BulkAction,
  type BulkChangesReply,
  type BulkUndoResult,
  bulkUndoReply,
  placement,
} from '../../../contract/students/bulk.ts';
import { locked } from '../../db/dialect/locks.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { AppError } from '../../errors.ts';
import type { Actor } from '../../http/actor.ts';
import type { VerifiedActor } from '../../http/transact-as.ts';
import { CohortCounts } from '../derived/cohort-counts.ts';
import { ResultCounts } from '../derived/result-counts.ts';
import { restoreRecords } from '../restore-student.ts';
import { lockBulkChanges, storeMoves } from './apply.ts';
import { undoneText } from './change.ts';

/** Students per batch: as many as take a few milliseconds. */
const BATCH_SIZE = { moved: 100, deleted: 25 } as const;

/** The history entry of one student of a bulk change. */
interface Entry {
  id: number;
  entity_id: string;
  /** JSON of the student, or of the whole record where it was deleted. */
  before: string;
}

/** The latest bulk changes, of all users for administrators and their own for others. */
export async function listBulkChanges(db: Db, actor: Pick<Actor, 'id' | 'role'>): Promise<BulkChangesReply> {
  const rows = await db
    .selectFrom('bulk_changes')
    .leftJoin('users', 'users.id', 'bulk_changes.user_id')
    .select(['bulk_changes.id', 'at', 'user_id', 'users.name', 'students', 'undo'])
    .select((eb) => eb.ref('action').$castTo<BulkAction>().as('action'))
    .where('action', '!=', 'import')
    .$if(actor.role !== 'admin', (query) => query.where('user_id', '=', actor.id))
    .orderBy('bulk_changes.id', 'desc')
    .limit(BULK_CHANGES_SHOWN)
    .execute();
  return {
    changes: rows.map(({ user_id, name, undo, ...change }) => ({
      ...change,
      user: user_id === null || name === null ? null : { id: user_id, name },
      undo: undo === null ? null : bulkUndoReply.parse(JSON.parse(undo)),
    })),
  };
}

/**
 * Undoes a bulk change. Students that have been changed since stay as they are. A second call answers the same and changes
 * nothing.
 *
 * @throws AppError not-found when there is no such change, forbidden when a delete is undone by anyone but an administrator
 *   or its author
 */
export async function undoBulk(tx: Tx, actor: VerifiedActor, bulkId: number): Promise<BulkUndoResult> {
  await lockBulkChanges(tx);
  const bulk = await tx.selectFrom('bulk_changes').selectAll().where('id', '=', bulkId).executeTakeFirst();
  // An import is undone by a call of its own.
  if (bulk === undefined || bulk.action === 'import')
    throw new AppError('not-found', 'There has been no such change.');
  const { action, students, user_id } = bulk;
  if (action === 'delete' && actor.role !== 'admin' && user_id !== actor.id) {
    throw new AppError('forbidden', 'Only an administrator or whoever deleted the students can do this.');
  }
  if (bulk.undo !== null) return bulkUndoReply.parse(JSON.parse(bulk.undo));

  const counts = new CohortCounts();
  const results = new ResultCounts();
  let undone = 0;
  for await (const entries of readEntries(tx, bulkId, action)) {
    undone +=
      action === 'delete'
        ? await restoreDeleted(tx, actor, entries, { counts, results })
        : await moveBack(tx, actor, entries, counts);
  }
  await results.store(tx);
  await counts.store(tx);

  const left = students - undone;
  const reply = { message: undoneText(action, undone, left), undone, left };
  await tx
    .updateTable('bulk_changes')
    .set({ undo: JSON.stringify(reply) })
    .where('id', '=', bulkId)
    .execute();
  return reply;
}

/** The entries of a bulk change in batches, without students that have been changed since. */
async function* readEntries(tx: Tx, bulkId: number, action: BulkAction): AsyncGenerator<readonly Entry[]> {
  const limit = action === 'delete' ? BATCH_SIZE.deleted : BATCH_SIZE.moved;
  for (let last = 0; ; ) {
    const entries = await tx
      .selectFrom('history')
      .select((eb) => ['id', 'entity_id', eb.ref('before').$notNull().as('before')])
      .where('bulk_id', '=', bulkId)
      .where('id', '>', last)
      .orderBy('id')
      .limit(limit)
      .execute();
    const end = entries.at(-1);
    if (end === undefined) return;
    last = end.id;
    yield await unchangedSince(tx, entries, action);
    await setImmediate();
  }
}

/** Results recorded after a move to the next semester belong to that semester, so they count as a change as well. */
const checkedEntities = (action: BulkAction) =>
  action === 'next-semester' ? (['student', 'semester'] as const) : (['student'] as const);

async function unchangedSince(
  tx: Tx,
  entries: readonly Entry[],
  action: BulkAction,
): Promise<readonly Entry[]> {
  const ids = entries.map(({ entity_id }) => entity_id);
  // Locked before the history is read, so that no change can come in between.
  await locked(tx, tx.selectFrom('students').select('id').where('id', 'in', ids)).execute();
  const latest = await tx
    .selectFrom('history')
    .select((eb) => ['entity_id', eb.fn.max('id').as('id')])
    .where('entity', 'in', checkedEntities(action))
    .where('entity_id', 'in', ids)
    .groupBy('entity_id')
    .execute();
  const latestById = new Map(latest.map(({ entity_id, id }) => [entity_id, Number(id)]));
  return entries.filter(({ id, entity_id }) => latestById.get(entity_id) === id);
}

/** Returns how many students were moved back. */
async function moveBack(
  tx: Tx,
  actor: VerifiedActor,
  entries: readonly Entry[],
  counts: CohortCounts,
): Promise<number> {
  if (entries.length === 0) return 0;
  const placements = new Map(
    entries.map(({ entity_id, before }) => [entity_id, placement.parse(JSON.parse(before))]),
  );
  const rows = await tx
    .selectFrom('students')
    .selectAll()
    .where('id', 'in', [...placements.keys()])
    .execute();
  const moves = rows.flatMap((before) => {
    const to = placements.get(before.id);
    return to === undefined ? [] : { before, to };
  });
  await storeMoves(tx, actor, moves, { counts, bulkId: null });
  return moves.length;
}

/** Returns how many students were restored. */
async function restoreDeleted(
  tx: Tx,
  actor: VerifiedActor,
  entries: readonly Entry[],
  sums: { counts: CohortCounts; results: ResultCounts },
): Promise<number> {
  return (await restoreRecords(tx, actor, entries, sums)).length;
}
