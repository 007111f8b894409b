import { autoIncrementKey, columnTypes, withTableOptions } from '../dialect/sql.ts';
import type { Tx } from '../schema.ts';

/** Papers: the keys that sign their codes, the batches in which they are issued, the register, and the files. */
export async function up(db: Tx): Promise<void> {
  const { text, int, bytes } = columnTypes(db);
  await withTableOptions(
    db,
    db.schema
      .createTable('signing_keys')
      .addColumn('key_id', int, (c) => c.primaryKey().notNull())
      .addColumn('public_key', text, (c) => c.notNull())
      .addColumn('private_key', text)
      .addColumn('created_at', text, (c) => c.notNull())
      .addColumn('retired_at', text),
  ).execute();
  await withTableOptions(
    db,
    db.schema
      .createTable('document_batches')
      .addColumn('batch_id', autoIncrementKey(db))
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('semester', int)
      .addColumn('is_official', int, (c) => c.notNull())
      .addColumn('choices', text, (c) => c.notNull())
      .addColumn('students', text, (c) => c.notNull())
      .addColumn('refused', text, (c) => c.notNull())
      .addColumn('done', int, (c) => c.notNull())
      .addColumn('of', int, (c) => c.notNull())
      .addColumn('state', text, (c) => c.notNull())
      .addColumn('created_at', text, (c) => c.notNull())
      .addColumn('user_id', int, (c) => c.notNull())
      .addColumn('user_name', text, (c) => c.notNull())
      .addColumn('seen_at', text, (c) => c.notNull()),
  ).execute();
  await withTableOptions(
    db,
    db.schema
      .createTable('documents')
      .addColumn('serial', text, (c) => c.primaryKey().notNull())
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('semester', int, (c) => c.notNull())
      .addColumn('student_id', text, (c) => c.notNull())
      .addColumn('batch_id', int, (c) => c.notNull().references('document_batches.batch_id'))
      .addColumn('issued_at', text, (c) => c.notNull())
      .addColumn('user_id', int)
      .addColumn('user_name', text, (c) => c.notNull())
      .addColumn('issued_to', text)
      .addColumn('purpose', text)
      .addColumn('figures', text, (c) => c.notNull())
      .addColumn('content', text, (c) => c.notNull())
      .addColumn('content_hash', text, (c) => c.notNull())
      .addColumn('code', text, (c) => c.notNull())
      .addColumn('hand_code', text, (c) => c.notNull())
      .addColumn('revocation', text),
  ).execute();
  await db.schema
    .createIndex('documents_by_student')
    .unique()
    .on('documents')
    .columns(['student_id', 'serial'])
    .execute();
  await db.schema.createIndex('documents_by_batch').on('documents').columns(['batch_id', 'serial']).execute();
  await withTableOptions(
    db,
    db.schema
      .createTable('document_files')
      .addColumn('serial', text, (c) => c.primaryKey().notNull().references('documents.serial'))
      .addColumn('pdf', bytes, (c) => c.notNull()),
  ).execute();
}
