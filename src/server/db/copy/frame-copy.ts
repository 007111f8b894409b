import { sql } from 'kysely';
import { indexesOf, takeTime } from '../dialect.ts';
import { continueAfter, emptyTables, lastNumber } from '../dialect-tables.ts';
import type { Db, Tx } from '../schema.ts';
import { transact } from '../transact.ts';
import type { Source } from './check-places.ts';
import { type CopyState, makeState, removeState, writeState } from './state.ts';
import { COPIED_TABLES, type Table } from './tables.ts';

/**
 * Marks the target as unfinished. Its indexes are made at the end, each in one sweep, instead of row by row. `before` is
 * an earlier copy, to be emptied; with `replace`, whatever is there is.
 */
export async function beginCopy(
  db: Db,
  source: Source,
  before: CopyState | undefined,
  replace = false,
): Promise<CopyState> {
  return transact(db, async (tx) => {
    await takeTime(tx);
    if (before !== undefined || replace) await emptyTables(tx, [...COPIED_TABLES, 'sessions', 'exports']);
    if (before !== undefined) await removeState(tx);
    const indexes = before?.indexes.slice() ?? [];
    for (const table of COPIED_TABLES) {
      for (const { name, statement } of await indexesOf(tx, table)) {
        await tx.schema.dropIndex(name).execute();
        indexes.push(statement);
      }
    }
    const state = { source, indexes, tables: {} };
    await makeState(tx);
    await writeState(tx, state);
    return state;
  });
}

/** Makes the indexes that are still missing. */
export async function makeIndexes(db: Db, state: CopyState, tell: (line: string) => void): Promise<void> {
  if (state.indexes.length > 0) tell(`Making ${state.indexes.length} indexes …`);
  for (let statement = state.indexes[0]; statement !== undefined; statement = state.indexes[0]) {
    const rest = state.indexes.slice(1);
    const making = sql.raw(statement);
    await transact(db, async (tx) => {
      await takeTime(tx);
      await making.execute(tx);
      await writeState(tx, { ...state, indexes: rest });
    });
    state.indexes = rest;
  }
}

/** Numbers go on where the source's do, those of removed rows too: the history tells of them. */
export async function endCopy(tx: Tx, source: Db, tables: readonly Table[]): Promise<void> {
  for (const { name, numbered } of tables) {
    if (numbered === undefined) continue;
    await continueAfter(tx, name, numbered, await lastNumber(source, name, numbered));
  }
  await removeState(tx);
}
