import { createHash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { sql } from 'kysely';
import { formatCount } from '../../domain/format-count.ts';
import { BulkInserter } from '../db/bulk-insert.ts';
import { type CopyState, updateCopyMarker } from '../db/copy-marker.ts';
import type { Db } from '../db/schema.ts';
import type { Table } from '../db/tables.ts';
import { retryTransaction } from '../db/transaction.ts';

type Row = Record<string, unknown>;
type Key = (string | number)[];

export interface TableCopyOptions {
  /** Rows per transaction; all of them are held in memory. */
  rows: number;
  /** Receives each line about the progress. */
  onProgress: (line: string) => void;
}

/** Milliseconds between two lines about one table. */
const PROGRESS_INTERVAL_MS = 2_000;

/** Copies what is missing of a table. Each transaction stores a page of rows and the key of the last of them. */
export async function copyTable(
  source: Db,
  target: Db,
  table: Table,
  state: CopyState,
  { rows, onProgress }: TableCopyOptions,
): Promise<void> {
  const before = state.tables[table.name];
  if (before?.isDone) return;
  const start = performance.now();
  const total = await countRows(source, table);
  const first = before?.rows ?? 0;
  let reportedAt = start;
  let done = first;
  const report = () => {
    const speed = Math.round((done - first) / Math.max(0.001, (performance.now() - start) / 1_000));
    onProgress(
      `${table.name}: ${formatCount(done)} of ${formatCount(total)} rows, ${formatCount(speed)} rows/s`,
    );
  };
  const store = async (page: readonly Row[], reached: CopyState['tables'][string]) => {
    const tables = { ...state.tables, [table.name]: reached };
    await retryTransaction(target, async (tx) => {
      const inserter = new BulkInserter<Row>(tx, table.name, table.columns);
      for (const row of page) inserter.add(row);
      await inserter.store();
      await updateCopyMarker(tx, { ...state, tables });
    });
    state.tables = tables;
  };
  let last = before?.last ?? [];
  for await (const page of tablePages(source, table, { rows, after: last })) {
    const end = page.at(-1);
    if (end !== undefined) last = getKey(end, table.key);
    done += page.length;
    await store(page, { rows: done, last, isDone: false });
    if (performance.now() - reportedAt < PROGRESS_INTERVAL_MS) continue;
    reportedAt = performance.now();
    report();
  }
  await store([], { rows: done, last, isDone: true });
  if (total > 0) report();
}

export interface TableChecksum {
  rows: number;
  /** SHA-256 over all rows in the order of their keys. */
  checksum: string;
}

/** Checksum of a table's contents; the same on both engines. */
export async function checksumTable(db: Db, table: Table, rows: number): Promise<TableChecksum> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const page of tablePages(db, table, { rows })) {
    count += page.length;
    for (const row of page) hash.update(serialize(row, table.columns));
  }
  return { rows: count, checksum: hash.digest('hex') };
}

/** Values in the order of the columns, which is alphabetical. */
function serialize(row: Row, columns: readonly string[]): string {
  const values = columns.map((column) => {
    const value = row[column];
    return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('base64') } : value;
  });
  return `${JSON.stringify(values)}\n`;
}

/** Pages of a table's rows in the order of the primary key, starting after the key `after`. */
async function* tablePages(
  db: Db,
  { name, key, columns, atOnce = Number.POSITIVE_INFINITY }: Table,
  { rows, after = [] }: { rows: number; after?: Key },
): AsyncGenerator<Row[]> {
  const limit = Math.min(rows, atOnce);
  const keyColumns = sql.join(key.map((column) => sql.ref(column)));
  const all = sql.join(columns.map((column) => sql.ref(column)));
  for (let last = after; ; ) {
    const from = last.length === 0 ? sql`` : sql`where (${keyColumns}) > (${sql.join(last)})`;
    const page = await sql<Row>`
      select ${all} from ${sql.table(name)} ${from} order by ${keyColumns} limit ${sql.lit(limit)}`.execute(
      db,
    );
    const end = page.rows.at(-1);
    if (end === undefined) return;
    yield page.rows;
    if (page.rows.length < limit) return;
    last = getKey(end, key);
  }
}

function getKey(row: Row, key: readonly string[]): Key {
  return key.map((column) => {
    const value = row[column];
    if (typeof value === 'string' || typeof value === 'number') return value;
    throw new Error(`The key ${column} is neither a text nor a number.`);
  });
}

async function countRows(db: Db, { name }: Table): Promise<number> {
  const { rows } = await sql<{ rows: number }>`select count(*) as "rows" from ${sql.table(name)}`.execute(db);
  return rows[0]?.rows ?? 0;
}
