import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../schema.ts';
import type { Table } from './tables.ts';

export type Row = Record<string, unknown>;
export type Key = (string | number)[];

/** The rows of a table in the order of its key, so many at once, from the one after `after`. */
export async function* pagesOf(
  db: Db,
  { name, key, columns, atOnce = Number.POSITIVE_INFINITY }: Table,
  { rows, after = [] }: { rows: number; after?: Key },
): AsyncGenerator<Row[]> {
  const most = Math.min(rows, atOnce);
  const keyColumns = sql.join(key.map((column) => sql.ref(column)));
  const all = sql.join(columns.map((column) => sql.ref(column)));
  for (let last = after; ; ) {
    const from = last.length === 0 ? sql`` : sql`where (${keyColumns}) > (${sql.join(last)})`;
    const page = await sql<Row>`
      select ${all} from ${sql.table(name)} ${from} order by ${keyColumns} limit ${sql.lit(most)}`.execute(
      db,
    );
    const end = page.rows.at(-1);
    if (end === undefined) return;
    yield page.rows;
    if (page.rows.length < most) return;
    last = keyOf(end, key);
  }
}

export function keyOf(row: Row, key: readonly string[]): Key {
  return key.map((column) => {
    const value = row[column];
    if (typeof value === 'string' || typeof value === 'number') return value;
    throw new Error(`The key ${column} is neither a text nor a number.`);
  });
}

export interface Tally {
  rows: number;
  /** SHA-256 over all rows in the order of their keys. */
  checksum: string;
}

/** What a table holds, in a form that does not depend on the engine. */
export async function tallyOf(db: Db, table: Table, rows: number): Promise<Tally> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const page of pagesOf(db, table, { rows })) {
    count += page.length;
    for (const row of page) hash.update(canonical(row, table.columns));
  }
  return { rows: count, checksum: hash.digest('hex') };
}

/** Names of columns are in it by their order, which is that of the alphabet. */
function canonical(row: Row, columns: readonly string[]): string {
  const values = columns.map((column) => {
    const value = row[column];
    return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('base64') } : value;
  });
  return `${JSON.stringify(values)}\n`;
}
