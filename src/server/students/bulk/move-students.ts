import { sql } from 'kysely';
import type { BulkPlace } from '../../../contract/bulk.ts';
import { listedRows } from '../../db/dialect.ts';
import type { Tx } from '../../db/schema.ts';
import type { Author } from '../../history/record-change.ts';
import { recordChanges } from '../../history/record-changes.ts';
import { CohortCounts, relist, type StudentRow } from '../listing.ts';
import { presentStudent } from '../present.ts';
import { type Change, placeAfter } from './change.ts';
import { inPieces } from './in-pieces.ts';

/** Students changed in one go: as many as take a few milliseconds. */
const PIECE = 100;

/** Gives each student the place that the change asks for, with an entry of the history each. */
export async function moveStudents(
  tx: Tx,
  author: Author,
  ids: readonly string[],
  change: Change,
  bulkId: number,
): Promise<void> {
  const counts = new CohortCounts();
  for await (const piece of inPieces(ids, PIECE)) {
    const rows = await tx.selectFrom('students').selectAll().where('id', 'in', piece).execute();
    const moves = rows.flatMap((before) => {
      const to = placeAfter(change, before);
      return to === null ? [] : { before, to };
    });
    await storeMoves(tx, author, moves, { counts, bulkId });
  }
  await counts.store(tx);
}

/** A student as they were, and the place that they get. */
export interface Move {
  before: StudentRow;
  to: BulkPlace;
}

/**
 * Stores a few moves.
 *
 * @param counts is stored by the caller, after the last of its pieces
 */
export async function storeMoves(
  tx: Tx,
  author: Author,
  moves: readonly Move[],
  { counts, bulkId }: { counts: CohortCounts; bulkId: number | null },
): Promise<void> {
  if (moves.length === 0) return;
  const places = listedRows(
    tx,
    moves.map(({ before: { id }, to: { department, syn, current_sem } }) => ({
      id,
      department,
      syn,
      current_sem,
    })),
    { id: 'text', department: 'text', syn: 'text', current_sem: 'integer' },
  );
  await sql`
    update students set version = version + 1, department = p.department, syn = p.syn, current_sem = p.current_sem
    from ${places} p where students.id = p.id`.execute(tx);
  await relist(tx, new Map(moves.map(({ before }) => [before.id, before])), counts);
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
