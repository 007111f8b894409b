import { sql } from 'kysely';
import { calendarDate } from '../../../domain/age.ts';
import { type HoldBlock, type HoldKind, holdText } from '../../../domain/holds.ts';
import { jsonElements } from '../../db/dialect/sql.ts';
import type { Db } from '../../db/schema.ts';
import { groupBy } from '../../group-by.ts';
import { parseBlocks } from './stored-holds.ts';

/** Why something is blocked for a student. */
export interface Blocked {
  /** The holds in the order of their days: `fees, since 2026-11-02, Accounts; library, …`. */
  text: string;
  holdIds: number[];
}

interface ActiveHold {
  hold_id: number;
  student_id: string;
  kind: HoldKind;
  blocks: string;
  starts_on: string;
  placed_name: string;
}

/**
 * For which of these students something is blocked today, and why. Every call that issues a paper or registers a student asks
 * this, and asks it again in the transaction that stores it.
 */
export async function findBlocked(
  db: Db,
  ids: readonly string[],
  block: HoldBlock,
): Promise<ReadonlyMap<string, Blocked>> {
  if (ids.length === 0) return new Map();
  const today = calendarDate(new Date());
  const { rows } = await sql<ActiveHold>`
    select h.hold_id, h.student_id, h.kind, h.blocks, h.starts_on, h.placed_name
    from ${jsonElements(db, sql.val(JSON.stringify(ids)))} l cross join holds h
    where h.student_id = l.value and h.released_at is null
      and h.starts_on <= ${today} and (h.ends_on is null or h.ends_on >= ${today})
    order by h.starts_on, h.hold_id`.execute(db);
  const active = groupBy(
    rows.filter((row) => parseBlocks(row).includes(block)),
    ({ student_id }) => student_id,
  );
  return new Map(
    [...active].map(([id, holds]) => [
      id,
      {
        text: holds
          .map(({ kind, starts_on, placed_name }) => holdText({ kind, from: starts_on, by: placed_name }))
          .join('; '),
        holdIds: holds.map(({ hold_id }) => hold_id),
      },
    ]),
  );
}
