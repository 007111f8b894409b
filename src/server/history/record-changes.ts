import { sql } from 'kysely';
import { listedRows } from '../db/dialect.ts';
import type { Tx } from '../db/schema.ts';
import type { Author, Change } from './record-change.ts';

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
  const entries = changes.map(({ action, entity, entityId, before, after }) => ({
    action,
    entity,
    entity_id: String(entityId),
    before: before === undefined ? null : JSON.stringify(before),
    after: after === undefined ? null : JSON.stringify(after),
  }));
  const rows = listedRows(tx, entries, {
    action: 'text',
    entity: 'text',
    entity_id: 'text',
    before: 'text',
    after: 'text',
  });
  await sql`
    insert into history (at, user_id, user_name, bulk_id, action, entity, entity_id, "before", "after")
    select cast(${new Date().toISOString()} as text), cast(${author.id} as integer), cast(${author.name} as text),
      cast(${bulkId} as integer), action, entity, entity_id, "before", "after"
    from ${rows} e`.execute(tx);
}
