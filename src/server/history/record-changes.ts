import { sql } from 'kysely';
import { listedRows } from '../db/dialect.ts';
import type { Tx } from '../db/schema.ts';
import { linkLater } from './link-entries.ts';
import { type Author, type Change, entryOf } from './record-change.ts';

/**
 * Appends many changes to the history, an entry each, as `recordChange` does with one.
 *
 * @param bulkId the change of many students that they are part of
 */
export async function recordChanges(
  tx: Tx,
  author: Author,
  changes: readonly Change[],
  bulkId: number | null,
): Promise<void> {
  const entries = changes.map((change) => entryOf(author, change, bulkId));
  const rows = listedRows(
    tx,
    entries.map((entry, place) => ({ ...entry, place })),
    {
      place: 'integer',
      at: 'text',
      user_id: 'integer',
      user_name: 'text',
      action: 'text',
      entity: 'text',
      entity_id: 'text',
      before: 'text',
      after: 'text',
      bulk_id: 'integer',
    },
  );
  // Numbers are given out in the order of the rows, but may be answered in any.
  const stored = await sql<{ id: number }>`
    insert into history (at, user_id, user_name, action, entity, entity_id, "before", "after", bulk_id)
    select at, user_id, user_name, action, entity, entity_id, "before", "after", bulk_id
    from ${rows} e order by place returning id`.execute(tx);
  const ids = stored.rows.map(({ id }) => id).sort((a, b) => a - b);
  for (const [i, entry] of entries.entries()) {
    const id = ids[i];
    if (id === undefined) throw new Error('An entry of the history has no number.');
    linkLater(tx, { ...entry, id });
  }
}
