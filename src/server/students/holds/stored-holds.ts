import type { Selectable } from 'kysely';
import { z } from 'zod';
import { type Hold, holdReply } from '../../../contract/students/holds.ts';
import { calendarDate } from '../../../domain/age.ts';
import { HOLD_BLOCKS, HOLD_KINDS, holdState } from '../../../domain/holds.ts';
import type { Db, HoldsTable } from '../../db/schema.ts';

export type HoldRow = Selectable<HoldsTable>;

export const parseBlocks = ({ blocks }: Pick<HoldRow, 'blocks'>): Hold['blocks'] =>
  holdReply.shape.blocks.parse(JSON.parse(blocks));

export const parseOverrides = ({ overrides }: Pick<HoldRow, 'overrides'>): string[] =>
  holdReply.shape.overrides.parse(JSON.parse(overrides));

/** A hold as the history and whole records keep it. */
export const storedHold = z.object({
  hold_id: z.int(),
  kind: z.enum(HOLD_KINDS),
  reason: z.string(),
  blocks: z.array(z.enum(HOLD_BLOCKS)),
  starts_on: z.iso.date(),
  ends_on: z.iso.date().nullable(),
  placed_at: z.iso.datetime(),
  placed_by: z.int().nullable(),
  placed_name: z.string(),
  released_at: z.iso.datetime().nullable(),
  released_by: z.int().nullable(),
  released_name: z.string().nullable(),
  release_reason: z.string().nullable(),
  overrides: z.array(z.string()),
  version: z.int(),
});
export type StoredHold = z.infer<typeof storedHold>;

export const toHoldState = ({ student_id: _, ...row }: HoldRow): StoredHold => ({
  ...row,
  blocks: parseBlocks(row),
  overrides: parseOverrides(row),
});

/** The row of a hold that a whole record keeps. */
export const toHoldRow = (student_id: string, state: StoredHold): HoldRow => ({
  ...state,
  student_id,
  blocks: JSON.stringify(state.blocks),
  overrides: JSON.stringify(state.overrides),
});

export const getHoldState = (
  { starts_on, ends_on, released_at }: Pick<HoldRow, 'starts_on' | 'ends_on' | 'released_at'>,
  today: string,
) => holdState({ from: starts_on, until: ends_on, isReleased: released_at !== null }, today);

export function presentHold(row: HoldRow, today = calendarDate(new Date())): Hold {
  const { hold_id, student_id, kind, reason, starts_on, ends_on, placed_at, placed_by, placed_name } = row;
  const { released_at, released_by, released_name, release_reason, version } = row;
  return {
    ...{ hold_id, student_id, kind, reason, blocks: parseBlocks(row), from: starts_on, until: ends_on },
    ...{ by: { id: placed_by, name: placed_name }, placed_at, state: getHoldState(row, today) },
    released:
      released_at === null || released_name === null || release_reason === null
        ? null
        : { by: { id: released_by, name: released_name }, at: released_at, reason: release_reason },
    overrides: parseOverrides(row),
    version,
  };
}

/** The holds of these students, each student's latest first. */
export const findHolds = (db: Db, ids: readonly string[]): Promise<HoldRow[]> =>
  db.selectFrom('holds').selectAll().where('student_id', 'in', ids).orderBy('hold_id', 'desc').execute();
