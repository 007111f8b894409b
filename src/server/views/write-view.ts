import { MOST_VIEWS, type SavedView, type ViewInput } from '../../contract/saved-views.ts';
import { foldedKey } from '../../domain/search-text.ts';
import type { Actor } from '../accounts/actor.ts';
import { holdKey } from '../db/dialect.ts';
import type { Tx } from '../db/schema.ts';
import { AppError, invalid, TAKEN } from '../errors.ts';
import { recordChange } from '../history/record-change.ts';
import { requireVersion, versionPart } from '../http/versions.ts';
import { lockView, presentView } from './queries.ts';

/** One change of a person's views at a time, so that their number and their names can be relied on. */
const holdViewsOf = (tx: Tx, { id }: Actor) => holdKey(tx, `views of ${id}`);

/** Keeps a view under a name that the person has not used yet. */
export async function createView(tx: Tx, actor: Actor, { name, view }: ViewInput): Promise<SavedView> {
  await holdViewsOf(tx, actor);
  await requireFreeName(tx, actor, name);
  const { count } = await tx
    .selectFrom('saved_views')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('user_id', '=', actor.id)
    .executeTakeFirstOrThrow();
  if (Number(count) >= MOST_VIEWS) {
    throw invalid('name', `${MOST_VIEWS} views are the most that can be kept. Remove one first.`);
  }
  const row = await tx
    .insertInto('saved_views')
    .values({
      user_id: actor.id,
      name,
      name_key: foldedKey(name),
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

/** Gives one of the person's views another name, or other filters. */
export async function updateView(
  tx: Tx,
  actor: Actor,
  id: number,
  { name, view }: ViewInput,
  ifMatch: string | undefined,
): Promise<SavedView> {
  await holdViewsOf(tx, actor);
  const before = await requireView(tx, actor, id, ifMatch);
  await requireFreeName(tx, actor, name, id);
  const after = await tx
    .updateTable('saved_views')
    .set({ name, name_key: foldedKey(name), view: JSON.stringify(view), version: before.version + 1 })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const saved = presentView(after);
  await recordChange(tx, actor, {
    action: 'update',
    entity: 'view',
    entityId: id,
    before: presentView(before),
    after: saved,
  });
  return saved;
}

/** Forgets one of the person's views. */
export async function deleteView(
  tx: Tx,
  actor: Actor,
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

async function requireView(tx: Tx, actor: Actor, id: number, ifMatch: string | undefined) {
  const row = await lockView(tx, actor.id, id);
  if (row === undefined) throw new AppError('not-found', 'There is no such view.');
  requireVersion(ifMatch, versionPart.view(row.version), presentView(row));
  return row;
}

async function requireFreeName(tx: Tx, actor: Actor, name: string, exceptId?: number): Promise<void> {
  const taken = await tx
    .selectFrom('saved_views')
    .select('id')
    .where('user_id', '=', actor.id)
    .where('name_key', '=', foldedKey(name))
    .executeTakeFirst();
  if (taken !== undefined && taken.id !== exceptId) throw invalid('name', TAKEN('name'));
}
