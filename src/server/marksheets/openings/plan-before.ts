import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { OpeningPreviewInput } from '../../../contract/marksheets/openings.ts';
import { isPostgres } from '../../db/dialect/sql.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { today } from '../registration/last-days.ts';
import { requireTermColumns } from '../registration/list-registrations.ts';
import { type PlannedOpening, planOpening } from './preview-opening.ts';

/** A plan that was made before the transaction that opens. */
export interface PlanBefore {
  plan: PlannedOpening;
  /** The latest entry of the history when the plan was begun. */
  lastEntry: number;
  /** Of who stood on the sheets of the term, and of the day, on which holds depend. */
  lists: string;
}

/**
 * Plans an opening before its transaction, so that others don't wait for the audits of hundreds of students. Only on SQLite, which
 * has one writer: its entries of the history are in the order of their transactions, so they tell whether the plan holds still.
 */
export async function planBefore(
  db: Db,
  termId: number,
  input: OpeningPreviewInput,
): Promise<PlanBefore | undefined> {
  if (isPostgres(db)) return undefined;
  const { last } = await db
    .selectFrom('history')
    .select((eb) => eb.fn.max('id').as('last'))
    .executeTakeFirstOrThrow();
  const lists = await hashLists(db, termId);
  const plan = await planOpening(db, await requireTermColumns(db, termId), input);
  return { plan, lists, lastEntry: last ?? 0 };
}

/**
 * Whether nothing that a plan follows from has changed since. Of mark sheets that are not confirmed it follows only who stands on
 * them, so that marks which are entered meanwhile change nothing.
 */
export async function holdsStill(tx: Tx, termId: number, { lastEntry, lists }: PlanBefore): Promise<boolean> {
  const { rows } = await sql`
    select h.id from history h
    where h.id > ${lastEntry} and not (h.entity = 'sheet' and exists (
      select 1 from sheets s where s.sheet_id = cast(h.entity_id as integer) and s.state <> 'confirmed'))
    limit 1`.execute(tx);
  return rows.length === 0 && lists === (await hashLists(tx, termId));
}

async function hashLists(db: Db, termId: number): Promise<string> {
  const rows = await db
    .selectFrom('sheets as h')
    .leftJoin('sheet_rows as r', 'r.sheet_id', 'h.sheet_id')
    .select(['h.sheet_id', 'r.student_id'])
    .where('h.term_id', '=', termId)
    .orderBy('h.sheet_id')
    .orderBy('r.student_id')
    .execute();
  const hash = createHash('sha256').update(today());
  for (const { sheet_id, student_id } of rows) hash.update(`${sheet_id} ${student_id}\n`);
  return hash.digest('base64url');
}
