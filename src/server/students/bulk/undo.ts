import { setImmediate } from 'node:timers/promises';
import { type BulkAction, type BulkUndone, bulkPlace, bulkUndoReply } from '../../../contract/bulk.ts';
import { ResultCounts } from '../../academics/course-results.ts';
import type { Actor } from '../../accounts/actor.ts';
import { locked } from '../../db/dialect.ts';
import type { Tx } from '../../db/schema.ts';
import { AppError } from '../../errors.ts';
import { CohortCounts } from '../listing.ts';
import { restoreRecords } from '../restore-records.ts';
import { holdBulk } from './apply.ts';
import { undoneText } from './change.ts';
import { storeMoves } from './move-students.ts';

/** Students put back in one go: as many as take a few milliseconds. */
const PIECE = { moved: 100, deleted: 25 } as const;

/** What the history keeps of one student of a bulk change. */
interface Entry {
  id: number;
  entity_id: string;
  /** JSON of the student, or of the whole record where it was deleted. */
  before: string;
}

/**
 * Puts back what a change of many students has changed. Those that have been changed since stay as they are. Asked
 * for again, it answers the same and does nothing.
 *
 * @throws AppError not-found when there is no such change, forbidden when others than administrators undo a delete
 */
export async function undoBulk(tx: Tx, actor: Actor, bulkId: number): Promise<BulkUndone> {
  await holdBulk(tx);
  const bulk = await tx.selectFrom('bulk_changes').selectAll().where('id', '=', bulkId).executeTakeFirst();
  if (bulk === undefined) throw new AppError('not-found', 'There has been no such change.');
  const { action, students } = bulk;
  if (action === 'delete' && actor.role !== 'admin') {
    throw new AppError('forbidden', 'Only an administrator can do this.');
  }
  if (bulk.undo !== null) return bulkUndoReply.parse(JSON.parse(bulk.undo));

  const counts = new CohortCounts();
  const results = new ResultCounts();
  let undone = 0;
  for await (const entries of entriesOf(tx, bulkId, action)) {
    undone +=
      action === 'delete'
        ? await putBack(tx, actor, entries, { counts, results })
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

/** The entries of a bulk change, piece by piece, without those whose student has been changed since. */
async function* entriesOf(tx: Tx, bulkId: number, action: BulkAction): AsyncGenerator<readonly Entry[]> {
  const limit = action === 'delete' ? PIECE.deleted : PIECE.moved;
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
    yield await untouched(tx, entries, action);
    await setImmediate();
  }
}

/** Results recorded since a move to the next semester are of that semester, so they count as a change too. */
const touches = (action: BulkAction) =>
  action === 'next-semester' ? (['student', 'semester'] as const) : (['student'] as const);

async function untouched(tx: Tx, entries: readonly Entry[], action: BulkAction): Promise<readonly Entry[]> {
  const ids = entries.map(({ entity_id }) => entity_id);
  // Held first, so that what the history says of them next stays true.
  await locked(tx, tx.selectFrom('students').select('id').where('id', 'in', ids)).execute();
  const latest = await tx
    .selectFrom('history')
    .select((eb) => ['entity_id', eb.fn.max('id').as('id')])
    .where('entity', 'in', touches(action))
    .where('entity_id', 'in', ids)
    .groupBy('entity_id')
    .execute();
  const latestOf = new Map(latest.map(({ entity_id, id }) => [entity_id, Number(id)]));
  return entries.filter(({ id, entity_id }) => latestOf.get(entity_id) === id);
}

/** Answers how many there were to move back. */
async function moveBack(
  tx: Tx,
  actor: Actor,
  entries: readonly Entry[],
  counts: CohortCounts,
): Promise<number> {
  if (entries.length === 0) return 0;
  const placeOf = new Map(
    entries.map(({ entity_id, before }) => [entity_id, bulkPlace.parse(JSON.parse(before))]),
  );
  const rows = await tx
    .selectFrom('students')
    .selectAll()
    .where('id', 'in', [...placeOf.keys()])
    .execute();
  const moves = rows.flatMap((before) => {
    const to = placeOf.get(before.id);
    return to === undefined ? [] : { before, to };
  });
  await storeMoves(tx, actor, moves, { counts, bulkId: null });
  return moves.length;
}

/** Answers how many there were to restore. */
async function putBack(
  tx: Tx,
  actor: Actor,
  entries: readonly Entry[],
  sums: { counts: CohortCounts; results: ResultCounts },
): Promise<number> {
  return (await restoreRecords(tx, actor, entries, sums)).length;
}
