import { sql } from 'kysely';
import { z } from 'zod';
import { SIMS, StartError } from '../../start-error.ts';
import { columnTypes } from '../dialect.ts';
import { hasTable } from '../dialect-tables.ts';
import type { Db, Tx } from '../schema.ts';

/** How far a copy has come. It stands in the copy itself until that is complete and compared. */
const copyState = z.object({
  source: z.object({
    label: z.string(),
    /** A backup's file, which is being restored; another database, which is being copied, without it. */
    isBackup: z.boolean().optional(),
    version: z.int(),
    /** When its tables were made: tells one installation from another. */
    founded: z.string(),
    /** The number of its latest history entry; every change of a record makes one. */
    latest: z.int(),
  }),
  /** Statements that make the indexes, once all rows are there. */
  indexes: z.array(z.string()),
  tables: z.record(
    z.string(),
    z.object({
      rows: z.int(),
      /** The key of the last row that was copied. */
      last: z.array(z.union([z.string(), z.number()])),
      isDone: z.boolean(),
    }),
  ),
});

export type CopyState = z.infer<typeof copyState>;

const TABLE = 'unfinished_copy';

export async function makeState(tx: Tx): Promise<void> {
  const { text } = columnTypes(tx);
  await tx.schema
    .createTable(TABLE)
    .addColumn('state', text, (c) => c.notNull())
    .execute();
  await sql`insert into ${sql.table(TABLE)} (state) values ('')`.execute(tx);
}

export async function readState(db: Db): Promise<CopyState | undefined> {
  if (!(await hasTable(db, TABLE))) return undefined;
  const { rows } = await sql<{ state: string }>`select state from ${sql.table(TABLE)}`.execute(db);
  return copyState.parse(JSON.parse(rows[0]?.state ?? ''));
}

export async function writeState(tx: Tx, state: CopyState): Promise<void> {
  await sql`update ${sql.table(TABLE)} set state = ${JSON.stringify(state)}`.execute(tx);
}

/** From here on it is a database as any other. */
export async function removeState(tx: Tx): Promise<void> {
  await tx.schema.dropTable(TABLE).execute();
}

export const isUnfinished = (db: Db): Promise<boolean> => hasTable(db, TABLE);

/** Half an installation must not be taken for a whole one. */
export async function refuseUnfinished(db: Db): Promise<void> {
  const state = await readState(db);
  if (state === undefined) return;
  const { label, isBackup } = state.source;
  throw new StartError(
    isBackup
      ? `A restore of ${label} into the database was broken off. Run it again: ${SIMS} restore ${label} --force`
      : `The database is an unfinished copy of ${label}: finish it with the same "sims copy" that began it.`,
  );
}
