import { sql } from 'kysely';
import { z } from 'zod';
import { quotePath, SIMS_COMMAND, StartError } from '../start-error.ts';
import { hasTable } from './dialect/catalogue.ts';
import { columnTypes } from './dialect/sql.ts';
import type { Db, Tx } from './schema.ts';

/** Progress of a copy. It is stored in the copy itself until the copy is complete and compared. */
const copyState = z.object({
  source: z.object({
    label: z.string(),
    /** `label` is the file of a backup that is being restored, not a database that is being copied. */
    isBackup: z.boolean().optional(),
    version: z.int(),
    /** When its tables were created; identifies the installation. */
    founded: z.string(),
    /** Id of its latest history entry. Every change of a record writes one, so this identifies its state. */
    latest: z.int(),
  }),
  /** Statements that create the indexes, to be run after all rows are copied. */
  indexes: z.array(z.string()),
  tables: z.record(
    z.string(),
    z.object({
      rows: z.int(),
      /** Primary key of the last copied row. */
      last: z.array(z.union([z.string(), z.number()])),
      isDone: z.boolean(),
    }),
  ),
});

export type CopyState = z.infer<typeof copyState>;

const TABLE = 'unfinished_copy';

export async function createCopyMarker(tx: Tx): Promise<void> {
  const { text } = columnTypes(tx);
  await tx.schema
    .createTable(TABLE)
    .addColumn('state', text, (c) => c.notNull())
    .execute();
  await sql`insert into ${sql.table(TABLE)} (state) values ('')`.execute(tx);
}

export async function readCopyMarker(db: Db): Promise<CopyState | undefined> {
  if (!(await hasTable(db, TABLE))) return undefined;
  const { rows } = await sql<{ state: string }>`select state from ${sql.table(TABLE)}`.execute(db);
  return copyState.parse(JSON.parse(rows[0]?.state ?? ''));
}

export async function updateCopyMarker(tx: Tx, state: CopyState): Promise<void> {
  await sql`update ${sql.table(TABLE)} set state = ${JSON.stringify(state)}`.execute(tx);
}

/** Turns a finished copy into an ordinary database. */
export async function removeCopyMarker(tx: Tx): Promise<void> {
  await tx.schema.dropTable(TABLE).execute();
}

export const hasUnfinishedCopy = (db: Db): Promise<boolean> => hasTable(db, TABLE);

/** @throws StartError for a database in which a copy or restore is unfinished */
export async function rejectUnfinishedCopy(db: Db): Promise<void> {
  const state = await readCopyMarker(db);
  if (state === undefined) return;
  const { label, isBackup } = state.source;
  throw new StartError(
    isBackup
      ? `A restore of ${label} into the database was interrupted. Run it again: ${SIMS_COMMAND} restore ${quotePath(label)} --force`
      : `The database is an unfinished copy of ${label}: finish it with the same "sims copy" command that started it.`,
  );
}
