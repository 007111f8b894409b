import type { Selectable } from 'kysely';
import { MAX_SAVED_VIEWS, type SavedView, type ViewInput } from '../../contract/students/saved-views.ts';
import { nameSortKey } from '../../domain/search-text.ts';
import { advisoryLock, locked } from '../db/dialect/locks.ts';
import type { Db, SavedViewsTable, Tx } from '../db/schema.ts';
import { AppError, alreadyTaken, invalidField } from '../errors.ts';
import { recordChange } from '../history/record-change.ts';
import { changeRecord, type RecordKind, requireCurrent } from '../http/change-record.ts';
import { etag, versionPart } from '../http/etags.ts';
import type { VerifiedActor } from '../http/transact-as.ts';

export type SavedViewRow = Selectable<SavedViewsTable>;

function presentView({ id, name, view, version }: SavedViewRow): SavedView {
  return { id, name, view: JSON.parse(view), etag: etag(versionPart.view(version)) };
}

const VIEW: RecordKind<SavedViewRow> = {
  entity: 'view',
  versionPart: versionPart.view,
  present: presentView,
};

/** The views of a user, by name. */
export async function listViews(db: Db, userId: number): Promise<SavedView[]> {
  const rows = await db
    .selectFrom('saved_views')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('name_key')
    .execute();
  return rows.map(presentView);
}

/** A view of this user, locked until the transaction ends; undefined for views of others. */
function lockView(tx: Tx, userId: number, id: number): Promise<SavedViewRow | undefined> {
  return locked(
    tx,
    tx.selectFrom('saved_views').selectAll().where('id', '=', id).where('user_id', '=', userId),
  ).executeTakeFirst();
}

/** One change of a user's views at a time, so that the checks of their number and names hold. */
const lockViews = (tx: Tx, { id }: VerifiedActor) => advisoryLock(tx, `views of ${id}`);

/** Saves a view under a name that the user has not used yet. */
export async function createView(
  tx: Tx,
  actor: VerifiedActor,
  { name, view }: ViewInput,
): Promise<SavedView> {
  await lockViews(tx, actor);
  await requireFreeName(tx, actor, name);
  const { count } = await tx
    .selectFrom('saved_views')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('user_id', '=', actor.id)
    .executeTakeFirstOrThrow();
  if (Number(count) >= MAX_SAVED_VIEWS) {
    throw invalidField('name', `${MAX_SAVED_VIEWS} views are the most that can be kept. Remove one first.`);
  }
  const row = await tx
    .insertInto('saved_views')
    .values({
      user_id: actor.id,
      name,
      name_key: nameSortKey(name),
      view: JSON.stringify(view),
      version: 1,
      created_at: new Date().toISOString(),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const saved = presentView(row);
  await recordChange(tx, actor, { action: 'create', entity: 'view', entityId: row.id, after: saved });
  return saved;
}

/** Changes the name or the filters of a view. */
export async function updateView(
  tx: Tx,
  actor: VerifiedActor,
  id: number,
  { name, view }: ViewInput,
  ifMatch: string | undefined,
): Promise<SavedView> {
  await lockViews(tx, actor);
  const before = await requireView(tx, actor, id, ifMatch);
  const columns = { name, name_key: nameSortKey(name), view: JSON.stringify(view) };
  const store = async (version: number) => {
    await requireFreeName(tx, actor, name, id);
    return tx
      .updateTable('saved_views')
      .set({ ...columns, version })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
  };
  return presentView(await changeRecord(tx, actor, VIEW, { id, row: before, columns, store }));
}

export async function deleteView(
  tx: Tx,
  actor: VerifiedActor,
  id: number,
  ifMatch: string | undefined,
): Promise<void> {
  const before = await requireView(tx, actor, id, ifMatch);
  await tx.deleteFrom('saved_views').where('id', '=', id).execute();
  await recordChange(tx, actor, {
    action: 'delete',
    entity: 'view',
    entityId: id,
    before: presentView(before),
  });
}

async function requireView(tx: Tx, actor: VerifiedActor, id: number, ifMatch: string | undefined) {
  const row = await lockView(tx, actor.id, id);
  if (row === undefined) throw new AppError('not-found', 'There is no such view.');
  await requireCurrent(tx, VIEW, { id, row }, ifMatch);
  return row;
}

async function requireFreeName(tx: Tx, actor: VerifiedActor, name: string, exceptId?: number): Promise<void> {
  const taken = await tx
    .selectFrom('saved_views')
    .select('id')
    .where('user_id', '=', actor.id)
    .where('name_key', '=', nameSortKey(name))
    .executeTakeFirst();
  if (taken !== undefined && taken.id !== exceptId) throw invalidField('name', alreadyTaken('name'));
}
