import { performance } from 'node:perf_hooks';
import { sql } from 'kysely';
import { RowLoader } from '../row-loader.ts';
import type { Db } from '../schema.ts';
import { transact } from '../transact.ts';
import type { CopyOptions } from './copy-installation.ts';
import { keyOf, pagesOf, type Row } from './pages.ts';
import { type CopyState, writeState } from './state.ts';
import type { Table } from './tables.ts';

/** Milliseconds between two lines about one table. */
const TELL_EACH = 2_000;

/** Copies what is missing of a table. How far it has come is stored with each page, in its transaction. */
export async function copyTable(
  source: Db,
  target: Db,
  table: Table,
  state: CopyState,
  { rows, tell }: Pick<CopyOptions, 'rows' | 'tell'>,
): Promise<void> {
  const before = state.tables[table.name];
  if (before?.isDone) return;
  const start = performance.now();
  const total = await countOf(source, table);
  const first = before?.rows ?? 0;
  let told = start;
  let done = first;
  const line = () => {
    const speed = Math.round((done - first) / Math.max(0.001, (performance.now() - start) / 1_000));
    tell(`${table.name}: ${format(done)} of ${format(total)} rows, ${format(speed)} rows/s`);
  };
  const store = async (page: readonly Row[], reached: CopyState['tables'][string]) => {
    const tables = { ...state.tables, [table.name]: reached };
    await transact(target, async (tx) => {
      const loader = new RowLoader<Row>(tx, table.name, table.columns);
      for (const row of page) loader.add(row);
      await loader.store();
      await writeState(tx, { ...state, tables });
    });
    state.tables = tables;
  };
  let last = before?.last ?? [];
  for await (const page of pagesOf(source, table, { rows, after: last })) {
    const end = page.at(-1);
    if (end !== undefined) last = keyOf(end, table.key);
    done += page.length;
    await store(page, { rows: done, last, isDone: false });
    if (performance.now() - told < TELL_EACH) continue;
    told = performance.now();
    line();
  }
  await store([], { rows: done, last, isDone: true });
  if (total > 0) line();
}

async function countOf(db: Db, { name }: Table): Promise<number> {
  const { rows } = await sql<{ rows: number }>`select count(*) as "rows" from ${sql.table(name)}`.execute(db);
  return rows[0]?.rows ?? 0;
}

const format = (n: number) => n.toLocaleString('en');
