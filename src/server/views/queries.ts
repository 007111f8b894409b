import type { Selectable } from 'kysely';
import type { SavedView } from '../../contract/saved-views.ts';
import { locked } from '../db/dialect.ts';
import type { Db, SavedViewsTable, Tx } from '../db/schema.ts';
import { etag, versionPart } from '../http/versions.ts';

export type SavedViewRow = Selectable<SavedViewsTable>;

export function presentView({ id, name, view, version }: SavedViewRow): SavedView {
  return { id, name, view: JSON.parse(view), etag: etag(versionPart.view(version)) };
}

/** A person's own views, by name. */
export async function listViews(db: Db, userId: number): Promise<SavedView[]> {
  const rows = await db
    .selectFrom('saved_views')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('name_key')
    .execute();
  return rows.map(presentView);
}

/** One of a person's own views, held until the transaction ends; another's is not there. */
export function lockView(tx: Tx, userId: number, id: number): Promise<SavedViewRow | undefined> {
  return locked(
    tx,
    tx.selectFrom('saved_views').selectAll().where('id', '=', id).where('user_id', '=', userId),
  ).executeTakeFirst();
}
