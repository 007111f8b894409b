import { StartError } from '../../start-error.ts';
import { aloneIn } from '../alone-in.ts';
import { measureTables } from '../dialect.ts';
import { type Database, openEmbedded } from '../open.ts';
import type { Db } from '../schema.ts';
import { transact } from '../transact.ts';
import { describeKnown, describeSource, lookAtTarget, type Source } from './check-places.ts';
import { copyTable } from './copy-table.ts';
import { beginCopy, endCopy, makeIndexes } from './frame-copy.ts';
import { openUnchanged } from './open-unchanged.ts';
import { type Tally, tallyOf } from './pages.ts';
import { labelOf, type Place } from './place.ts';
import type { CopyState } from './state.ts';
import { tablesOf } from './tables.ts';

export interface CopyOptions {
  from: Place;
  to: Place;
  /** In one transaction; all that is held in memory. */
  rows: number;
  /** Empties an unfinished copy and begins anew. */
  restart: boolean;
  /** The source is what this file holds, and what the target holds gives way to it. */
  backup?: string;
  /** Takes each line of what is going on. */
  tell: (line: string) => void;
  /** Takes each table as soon as it has been compared. */
  onCompared?: (comparison: Comparison) => void;
}

/** What the source and the copy hold of one table. */
export interface Comparison {
  table: string;
  there: Tally;
  here: Tally;
  isSame: boolean;
}

/**
 * Copies all records to an empty database, or goes on with a copy that was broken off, and compares both. A copy in
 * which anything differs stays marked as unfinished.
 */
export async function copyInstallation(options: CopyOptions): Promise<Comparison[]> {
  const { from, to, backup } = options;
  const label = labelOf(from);
  if (label === labelOf(to)) throw new StartError(`${label} can't be copied to itself.`);
  // What a server went on saving there would be missing from a copy that is the same as what was read.
  return aloneIn(from, async (heldSource, confirmSource) => {
    const source = await openUnchanged(heldSource);
    if (source === undefined) throw new StartError(`There is no SIMS database at ${label}.`);
    try {
      const found = await describeSource(source.db, label);
      const described = backup === undefined ? found : { ...found, label: backup, isBackup: true };
      // Looked at once before as well: where it is the source under another name, nobody could have it, since we do.
      const seen = to.kind === 'postgres' ? { ...to, isHeld: true } : to;
      await lookAtTarget(seen, described, { restart: options.restart, replace: backup !== undefined });
      return await aloneIn(to, (held, confirmTarget) => {
        const confirm = async () => {
          await confirmSource();
          await confirmTarget();
        };
        return copyTo(held, source.db, described, { ...options, confirm });
      });
    } finally {
      await source.close();
    }
  });
}

async function copyTo(
  to: Place,
  source: Db,
  described: Source,
  options: CopyOptions & Held,
): Promise<Comparison[]> {
  const replace = options.backup !== undefined;
  const { begun, goesOn } = await lookAtTarget(to, described, { restart: options.restart, replace });
  const target = await openToFill(to);
  try {
    options.tell(
      goesOn ? 'Going on with the copy that was begun.' : `Copying ${described.label} to ${labelOf(to)} …`,
    );
    const state =
      goesOn && begun !== undefined ? begun : await beginCopy(target.write, described, begun, replace);
    return await fill(source, target, state, options);
  } finally {
    await target.close();
  }
}

interface Held {
  /** Fails where others may have come in meanwhile. */
  confirm?: () => Promise<void>;
}

type Telling = Pick<CopyOptions, 'rows' | 'tell' | 'onCompared'>;

/** Copies what is still missing, and compares all. */
async function fill(
  source: Db,
  target: Database,
  state: CopyState,
  options: Telling & Held,
): Promise<Comparison[]> {
  const tables = await tablesOf(target.write);
  for (const table of tables) await copyTable(source, target.write, table, state, options);
  await makeIndexes(target.write, state, options.tell);
  const compared = await compare(source, target.read, options);
  if (compared.every(({ isSame }) => isSame)) {
    await options.confirm?.();
    await transact(target.write, (tx) => endCopy(tx, source, tables));
    await measureTables(target.write);
  }
  return compared;
}

/** Rows at once of a copy that nobody watches. */
const ROWS = 2_000;

/**
 * Copies a database on a server, as it is at one moment and whatever its schema version, into a new data folder, while
 * servers go on writing to it.
 */
export async function copyServer(from: Place & { kind: 'postgres' }, folder: string): Promise<void> {
  const label = labelOf(from);
  const source = await openUnchanged(from);
  if (source === undefined) throw new StartError(`There is no SIMS database at ${label}.`);
  try {
    const described = await describeKnown(source.db, label);
    const target = await openToFill({ kind: 'sqlite', folder }, described.version);
    try {
      const state = await beginCopy(target.write, described, undefined);
      const compared = await fill(source.db, target, state, { rows: ROWS, tell: () => {} });
      const different = compared.find(({ isSame }) => !isSame);
      if (different !== undefined) throw new StartError(`The copy of ${different.table} came out different.`);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Opens the target, whose copy may be unfinished; at an earlier schema version, where the source has that. */
export async function openToFill(place: Place, version?: number): Promise<Database> {
  if (place.kind === 'sqlite') return openEmbedded(place.folder, { toFill: true, version });
  const { openPostgres } = await import('../postgres.ts');
  return openPostgres(place.url, {
    toFill: true,
    version,
    statementTimeout: 0,
    isHeld: place.isHeld,
  });
}

async function compare(source: Db, copy: Db, { rows, tell, onCompared }: Telling): Promise<Comparison[]> {
  tell('Comparing the rows of both and their SHA-256 …');
  const compared: Comparison[] = [];
  for (const table of await tablesOf(source)) {
    const [there, here] = await Promise.all([tallyOf(source, table, rows), tallyOf(copy, table, rows)]);
    const comparison = { table: table.name, there, here, isSame: there.checksum === here.checksum };
    compared.push(comparison);
    onCompared?.(comparison);
  }
  return compared;
}
