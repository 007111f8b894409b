import { linkEntries, linkLater } from '../../history/link-entries.ts';
import { columnTypes, endTable, makeAppendOnly } from '../dialect.ts';
import type { Tx } from '../schema.ts';

/** Entries read at once. */
const PAGE = 500;

/**
 * Chains the entries of the history, those that are there in the order of their numbers, and makes what it is read by: the
 * latest of each kind, of everybody's and of one person's.
 */
export async function up(tx: Tx): Promise<void> {
  const { text, int } = columnTypes(tx);
  await endTable(
    tx,
    tx.schema
      .createTable('history_links')
      .addColumn('number', int, (c) => c.primaryKey().notNull())
      .addColumn('history_id', int, (c) => c.notNull().unique())
      .addColumn('hash', text, (c) => c.notNull()),
  ).execute();
  await makeAppendOnly(tx, 'history_links', 'number');
  await endTable(
    tx,
    tx.schema
      .createTable('history_head')
      .addColumn('id', int, (c) => c.primaryKey().notNull())
      .addColumn('number', int, (c) => c.notNull())
      .addColumn('hash', text, (c) => c.notNull()),
  ).execute();

  const kind = ['entity', 'action', 'at', 'id'] as const;
  await tx.schema
    .createIndex('history_by_kind')
    .on('history')
    .columns([...kind])
    .execute();
  await tx.schema
    .createIndex('history_by_person')
    .on('history')
    .columns(['user_id', ...kind])
    .execute();

  for (let last = 0; ; ) {
    const entries = await tx
      .selectFrom('history')
      .selectAll()
      .where('id', '>', last)
      .orderBy('id')
      .limit(PAGE)
      .execute();
    const end = entries.at(-1);
    if (end === undefined) return;
    last = end.id;
    for (const entry of entries) linkLater(tx, entry);
    await linkEntries(tx);
  }
}
