import { test as base, expect } from 'vitest';
import {
  type Comparison,
  type CopyOptions,
  copyInstallation,
} from '../../src/server/db/copy/copy-installation.ts';
import { readPlace } from '../../src/server/db/copy/place.ts';
import { StartError } from '../../src/server/start-error.ts';
import { type Engine, postgres, sqlite, type TestDatabase } from './engines.ts';
import { anInstallation, type Installation } from './installation.ts';

type Settings = Partial<Omit<CopyOptions, 'from' | 'to'>>;

export const copy = (from: { place: string }, to: { place: string }, settings: Settings = {}) =>
  copyInstallation({
    from: readPlace('--from', from.place),
    to: readPlace('--to', to.place),
    rows: 100,
    restart: false,
    tell: () => {},
    ...settings,
  });

/** Tables in which a copy differs. */
export const differing = (compared: readonly Comparison[]) =>
  compared.filter(({ isSame }) => !isSame).map(({ table }) => table);

/** Why a copy is refused; fails where it is not. */
export async function refusal(...args: Parameters<typeof copy>): Promise<string> {
  try {
    await copy(...args);
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
  throw new Error('The copy was not refused.');
}

/** Copies, but breaks off at this line of what is told; false when it was done before. */
export async function isBrokenOff(from: TestDatabase, to: TestDatabase, line: number): Promise<boolean> {
  let told = 0;
  const tell = () => {
    told += 1;
    if (told === line) throw new Error('broken off');
  };
  try {
    const compared = await copy(from, to, { tell });
    expect(differing(compared)).toEqual([]);
    return false;
  } catch (error) {
    if (!(error instanceof Error && error.message === 'broken off')) throw error;
    return true;
  }
}

/** Opens a database for as long as `act` takes. */
export async function inside<Result>(
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
  /** Makes an empty database, which is removed afterwards. */
  prepare: (engine: Engine) => Promise<TestDatabase>;
}

/** Tests with an installation on an engine, and empty databases as they need them. */
export const testsFrom = (engine: Engine) =>
  base.extend<Fixtures>({
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads from the pattern what a fixture needs.
    house: async ({}, use) => {
      const house = await anInstallation(engine);
      await use(house);
      await house.database.remove();
    },
    // biome-ignore lint/correctness/noEmptyPattern: as above.
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
export const ways = [
  { name: 'SQLite to PostgreSQL', from: sqlite, to: postgres },
  { name: 'PostgreSQL to SQLite', from: postgres, to: sqlite },
].map((way) => {
  const test = testsFrom(way.from);
  return { ...way, test: postgres.isMissing ? test.skip : test };
});
