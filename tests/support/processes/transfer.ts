import { test as base, expect } from 'vitest';
import { parseLocation } from '../../../src/server/db/location.ts';
import { StartError } from '../../../src/server/start-error.ts';
import {
  type CopyOptions,
  copyInstallation,
  type TableComparison,
} from '../../../src/server/transfer/copy.ts';
import { type Engine, postgres, sqlite, type TestDatabase } from '../database/engines.ts';
import { createInstallation, type Installation } from './installation.ts';

type Settings = Partial<Omit<CopyOptions, 'from' | 'to'>>;

export const copy = (from: { location: string }, to: { location: string }, settings: Settings = {}) =>
  copyInstallation({
    from: parseLocation('--from', from.location),
    to: parseLocation('--to', to.location),
    rows: 100,
    restart: false,
    onProgress: () => {},
    ...settings,
  });

/** Tables whose copy differs. */
export const differingTables = (compared: readonly TableComparison[]) =>
  compared.filter(({ isSame }) => !isSame).map(({ table }) => table);

/** The error of a refused copy; fails if it is not refused. */
export async function copyError(...args: Parameters<typeof copy>): Promise<string> {
  try {
    await copy(...args);
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
  throw new Error('The copy was not refused.');
}

/** Copies, but aborts at this line of progress; returns false if the copy finished before. */
export async function interruptCopy(from: TestDatabase, to: TestDatabase, line: number): Promise<boolean> {
  let lines = 0;
  const onProgress = () => {
    lines += 1;
    if (lines === line) throw new Error('aborted');
  };
  try {
    const compared = await copy(from, to, { onProgress });
    expect(differingTables(compared)).toEqual([]);
    return false;
  } catch (error) {
    if (!(error instanceof Error && error.message === 'aborted')) throw error;
    return true;
  }
}

/** Opens a database while `act` runs. */
export async function withDatabase<Result>(
  database: TestDatabase,
  act: (db: Awaited<ReturnType<TestDatabase['open']>>) => Promise<Result>,
): Promise<Result> {
  const db = await database.open();
  try {
    return await act(db);
  } finally {
    await db.close();
  }
}

interface Fixtures {
  house: Installation;
  /** Creates an empty database, which is removed afterwards. */
  prepare: (engine: Engine) => Promise<TestDatabase>;
}

/** Tests with an installation on an engine, and empty databases as they need them. */
export const testsFrom = (engine: Engine) =>
  base.extend<Fixtures>({
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads from the pattern what a fixture needs.
    house: async ({}, use) => {
      const house = await createInstallation(engine);
      await use(house);
      await house.database.remove();
    },
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads from the pattern what a fixture needs.
    prepare: async ({}, use) => {
      const made: TestDatabase[] = [];
      await use(async (other) => {
        const database = await other.prepare();
        made.push(database);
        return database;
      });
      for (const database of made) await database.remove();
    },
  });

/** Both directions, for `describe.each`. */
export const directions = [
  { name: 'SQLite to PostgreSQL', from: sqlite, to: postgres },
  { name: 'PostgreSQL to SQLite', from: postgres, to: sqlite },
].map((way) => {
  const test = testsFrom(way.from);
  return { ...way, test: postgres.isMissing ? test.skip : test };
});
