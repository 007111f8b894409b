import { HOLD_ENDS_FIRST, type HoldInput } from '../../../contract/students/holds.ts';
import { calendarDate } from '../../../domain/age.ts';
import { MOST_HOLDS } from '../../../domain/holds.ts';
import { locked } from '../../db/dialect/locks.ts';
import type { Tx } from '../../db/schema.ts';
import { AppError, invalidField } from '../../errors.ts';
import { type Author, recordChange, recordChanges } from '../../history/record-change.ts';
import { requireVersion, versionPart } from '../../http/etags.ts';
import { noSuchStudent } from '../former-ids.ts';
import { lockStudent } from '../queries.ts';
import { getHoldState, type HoldRow, parseOverrides, presentHold, toHoldState } from './stored-holds.ts';

/** Whoever issues papers or registers keeps the student's row meanwhile, so a hold is placed before or after it. */
export async function placeHold(tx: Tx, author: Author, id: string, input: HoldInput): Promise<HoldRow> {
  if ((await lockStudent(tx, id)) === undefined) throw noSuchStudent();
  const { kind, reason, blocks, from = calendarDate(new Date()), until } = input;
  if (until !== null && until < from) throw invalidField('until', HOLD_ENDS_FIRST);
  const { held } = await tx
    .selectFrom('holds')
    .select((eb) => eb.fn.countAll().as('held'))
    .where('student_id', '=', id)
    .executeTakeFirstOrThrow();
  if (Number(held) >= MOST_HOLDS) throw invalidField('holds', `The holds must be at most ${MOST_HOLDS}.`);
  const row = await tx
    .insertInto('holds')
    .values({
      ...{ student_id: id, kind, reason, blocks: JSON.stringify(blocks), starts_on: from, ends_on: until },
      ...{ placed_at: new Date().toISOString(), placed_by: author.id, placed_name: author.name },
      ...{ overrides: '[]', version: 1 },
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const after = toHoldState(row);
  await recordChange(tx, author, { action: 'create', entity: 'hold', entityId: id, after });
  return row;
}

/** The hold at the version that the change is based on, and its student, locked until the transaction ends. */
async function lockHold(tx: Tx, holdId: number, ifMatch: string | undefined): Promise<HoldRow> {
  const find = () => tx.selectFrom('holds').selectAll().where('hold_id', '=', holdId);
  const found = await find().executeTakeFirst();
  // A student before what they have, as everywhere. A change of the ID meanwhile has moved the hold.
  if (found !== undefined) await lockStudent(tx, found.student_id);
  const row = await locked(tx, find()).executeTakeFirst();
  if (row === undefined) throw new AppError('not-found', 'There is no such hold.');
  await requireVersion(tx, ifMatch, {
    part: versionPart.hold(row.version),
    current: presentHold(row),
    entities: ['hold'],
    id: row.student_id,
  });
  return row;
}

/** @throws AppError not-found, stale, or conflict when it was released before or has ended */
export async function releaseHold(
  tx: Tx,
  author: Author,
  { holdId, reason }: { holdId: number; reason: string },
  ifMatch: string | undefined,
): Promise<HoldRow> {
  const row = await lockHold(tx, holdId, ifMatch);
  const state = getHoldState(row, calendarDate(new Date()));
  if (state === 'released') throw new AppError('conflict', 'This hold was released before.');
  if (state === 'ended') throw new AppError('conflict', `This hold ended on ${row.ends_on}.`);
  const released = await tx
    .updateTable('holds')
    .set({
      ...{ released_at: new Date().toISOString(), released_by: author.id, released_name: author.name },
      ...{ release_reason: reason, version: row.version + 1 },
    })
    .where('hold_id', '=', holdId)
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordChange(tx, author, {
    ...{ action: 'update', entity: 'hold', entityId: row.student_id },
    before: toHoldState(row),
    after: toHoldState(released),
  });
  return released;
}

/** Notes on holds that a document was issued in spite of them. */
export async function noteOverride(
  tx: Tx,
  author: Author,
  holdIds: readonly number[],
  serial: string,
): Promise<void> {
  const rows = await locked(
    tx,
    tx.selectFrom('holds').selectAll().where('hold_id', 'in', holdIds).orderBy('hold_id'),
  ).execute();
  const changes: Parameters<typeof recordChanges>[2][number][] = [];
  for (const row of rows) {
    const overrides = [...parseOverrides(row), serial];
    const after = { ...row, overrides: JSON.stringify(overrides), version: row.version + 1 };
    await tx
      .updateTable('holds')
      .set({ overrides: after.overrides, version: after.version })
      .where('hold_id', '=', row.hold_id)
      .execute();
    changes.push({
      ...{ action: 'update', entity: 'hold', entityId: row.student_id },
      before: toHoldState(row),
      after: toHoldState(after),
    });
  }
  await recordChanges(tx, author, changes, null);
}
