import { sql } from 'kysely';
import type { ImportRowState } from '../../contract/imports.ts';
import { chunks, pausedChunks } from '../chunks.ts';
import { jsonToRows } from '../db/dialect/sql.ts';
import type { Db, Tx } from '../db/schema.ts';
import type { RowOutcome } from './kinds/kind.ts';
import { type ImportRowCells, packCells, unpackCells } from './reading/import-file.ts';

/** Rows per statement: as many as take a few milliseconds. */
export const PAGE = 250;
/** Rows per statement that stores them: texts of more than 128 KiB stay in memory until the next full collection. */
const STORED_ROWS = 100;
const STORED_OUTCOMES = 50;

const toCells = (json: string): ImportRowCells['cells'] => unpackCells(JSON.parse(json));

export async function storeRows(tx: Tx, importId: number, rows: readonly ImportRowCells[]): Promise<void> {
  for (const some of chunks(rows, STORED_ROWS)) {
    const values = some.map(({ line, cells }) => ({
      line,
      cells: JSON.stringify(packCells(cells)),
    }));
    await sql`insert into import_rows (import_id, line, cells) select ${importId}, line, cells
      from ${jsonToRows(tx, values, { line: 'integer', cells: 'text' })} l`.execute(tx);
  }
}

/** All rows of an import in pages, in the order of the file. */
export async function* readRows(db: Db, importId: number): AsyncGenerator<ImportRowCells[]> {
  for (let last = 0; ; ) {
    const rows = await db
      .selectFrom('import_rows')
      .select(['line', 'cells'])
      .where('import_id', '=', importId)
      .where('line', '>', last)
      .orderBy('line')
      .limit(PAGE)
      .execute();
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end.line;
    yield rows.map(({ line, cells }) => ({ line, cells: toCells(cells) }));
  }
}

/** Some rows of an import, in the order of the file. */
export async function findRows(
  db: Db,
  importId: number,
  lines: readonly number[],
): Promise<ImportRowCells[]> {
  const found: ImportRowCells[] = [];
  for await (const page of pausedChunks(lines, PAGE)) {
    const rows = await db
      .selectFrom('import_rows')
      .select(['line', 'cells'])
      .where('import_id', '=', importId)
      .where('line', 'in', page)
      .orderBy('line')
      .execute();
    found.push(...rows.map(({ line, cells }) => ({ line, cells: toCells(cells) })));
  }
  return found.sort((a, b) => a.line - b.line);
}

/** Finds the lines on which no row of an import begins. */
export async function findMissingLines(
  db: Db,
  importId: number,
  lines: readonly number[],
): Promise<number[]> {
  const known = new Set<number>();
  for await (const page of pausedChunks([...new Set(lines)], PAGE)) {
    const rows = await db
      .selectFrom('import_rows')
      .select('line')
      .where('import_id', '=', importId)
      .where('line', 'in', page)
      .execute();
    for (const { line } of rows) known.add(line);
  }
  return lines.filter((line) => !known.has(line));
}

/** The outcome without what the columns of its row say; the changes as tuples, which take half the space. */
interface StoredOutcome extends Pick<RowOutcome, 'key' | 'errors' | 'warnings'> {
  changes: [field: string, before: string | null, after: string | null][];
}

function toOutcome(json: string): Pick<RowOutcome, 'key' | 'changes' | 'errors' | 'warnings'> {
  const { changes, ...outcome }: StoredOutcome = JSON.parse(json);
  return { ...outcome, changes: changes.map(([field, before, after]) => ({ field, before, after })) };
}

/** A row with its outcome; null before a preview. */
export interface CheckedRow extends ImportRowCells {
  state: ImportRowState | null;
  outcome: ReturnType<typeof toOutcome> | null;
}

/**
 * Stores the outcomes of a preview, unless a later preview has begun.
 *
 * @param preview the number of the preview
 */
export async function storeOutcomes(
  tx: Tx,
  { importId, preview }: { importId: number; preview: number },
  outcomes: readonly RowOutcome[],
): Promise<void> {
  for (const some of chunks(outcomes, STORED_OUTCOMES)) {
    const values = some.map(({ line, state, key, changes, errors, warnings }) => {
      const outcome: StoredOutcome = {
        key,
        changes: changes.map(({ field, before, after }) => [field, before, after]),
        errors,
        warnings,
      };
      // With the number of the import, the engine looks each row up; without, it would search the JSON for each stored row.
      return { import_id: importId, line, state, outcome: JSON.stringify(outcome) };
    });
    await sql`update import_rows set state = l.state, outcome = l.outcome
      from ${jsonToRows(tx, values, OUTCOME_COLUMNS)} l
      where import_rows.import_id = l.import_id and import_rows.line = l.line
        and exists (select 1 from imports where id = ${importId} and preview = ${preview})`.execute(tx);
  }
}

const OUTCOME_COLUMNS = { import_id: 'integer', line: 'integer', state: 'text', outcome: 'text' } as const;

/** The next rows of an import after a line, of any state or of these. */
export async function readCheckedRows(
  db: Db,
  importId: number,
  { after, states, limit }: { after: number; states?: readonly ImportRowState[] | undefined; limit: number },
): Promise<CheckedRow[]> {
  const rows = await db
    .selectFrom('import_rows')
    .select(['line', 'cells', 'state', 'outcome'])
    .where('import_id', '=', importId)
    .where('line', '>', after)
    .$if(states !== undefined, (query) => query.where('state', 'in', states ?? []))
    .orderBy('line')
    .limit(limit)
    .execute();
  return rows.map(({ line, cells, state, outcome }) => ({
    line,
    cells: toCells(cells),
    state,
    outcome: outcome === null ? null : toOutcome(outcome),
  }));
}
