import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { OpeningUndo } from '../../../contract/marksheets/openings.ts';
import { locked } from '../../db/dialect/locks.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { AppError, requireSamePreview } from '../../errors.ts';
import { type Author, recordChange } from '../../history/record-change.ts';
import { requireVersion, versionPart } from '../../http/etags.ts';
import { deleteDraft } from '../store-draft.ts';
import { type OpeningColumns, openingState, parseSheetIds, presentOpening } from './open-term.ts';

interface FoundUndo {
  undo: OpeningUndo;
  untouched: readonly number[];
}

/** Which of the sheets are as the opening made them. Those that are deleted by now are in neither list. */
async function planUndo(db: Db, opening: OpeningColumns): Promise<FoundUndo> {
  const sheets = await db
    .selectFrom('sheets')
    .select(['sheet_id', 'version', 'state'])
    .where('sheet_id', 'in', parseSheetIds(opening))
    .orderBy('sheet_id')
    .execute();
  const untouched = sheets.flatMap(({ sheet_id, version }) => (version === 1 ? sheet_id : []));
  const kept = sheets.flatMap(({ sheet_id, version, state }) =>
    version === 1 ? [] : { sheet_id, reason: state === 'draft' ? 'It has been changed.' : `It is ${state}.` },
  );
  const hash = createHash('sha256').update(JSON.stringify([opening.opening_id, opening.version, sheets]));
  return {
    untouched,
    undo: { fingerprint: hash.digest('base64url'), undone: untouched.length, kept },
  };
}

function requireNotUndone(opening: OpeningColumns | undefined): OpeningColumns {
  if (opening === undefined) throw new AppError('not-found', 'There is no such opening.');
  if (opening.undone_at !== null) throw new AppError('conflict', 'This opening has been undone.');
  return opening;
}

export async function previewUndo(db: Db, openingId: number): Promise<OpeningUndo> {
  const opening = await db
    .selectFrom('openings')
    .selectAll()
    .where('opening_id', '=', openingId)
    .executeTakeFirst();
  return (await planUndo(db, requireNotUndone(opening))).undo;
}

/**
 * Deletes the sheets of an opening that nobody has touched, all or none.
 *
 * @throws AppError not-found; conflict for one that is undone; stale, with the present preview
 */
export async function undoOpening(
  tx: Tx,
  author: Author,
  openingId: number,
  { fingerprint, ifMatch }: { fingerprint: string; ifMatch: string | undefined },
): Promise<OpeningColumns> {
  const found = tx.selectFrom('openings').selectAll().where('opening_id', '=', openingId);
  const opening = requireNotUndone(await locked(tx, found).executeTakeFirst());
  await requireVersion(tx, ifMatch, {
    part: versionPart.opening(opening.version),
    current: presentOpening(opening),
    entities: ['opening'],
    id: openingId,
  });
  // Changes of the sheets wait from here on.
  await locked(
    tx,
    tx
      .selectFrom('sheets')
      .select('sheet_id')
      .where('sheet_id', 'in', parseSheetIds(opening))
      .orderBy('sheet_id'),
  ).execute();
  const { undo, untouched } = await planUndo(tx, opening);
  requireSamePreview(undo, fingerprint);
  for (const sheetId of untouched) {
    await deleteDraft(tx, author, sheetId);
    // Lets other calls run.
    await setImmediate();
  }
  const after = await tx
    .updateTable('openings')
    .set({
      ...{ undone_at: new Date().toISOString(), undone_by: author.id, undone_name: author.name },
      ...{ undone: untouched.length, version: opening.version + 1 },
    })
    .where('opening_id', '=', openingId)
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordChange(tx, author, {
    ...{ action: 'update', entity: 'opening', entityId: openingId },
    before: openingState(opening),
    after: openingState(after),
  });
  return after;
}
