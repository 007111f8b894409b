import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { test as base, describe, expect } from 'vitest';
import { TestApp } from '../../../tests/support/app.ts';
import { postgres, sqlite, type TestDatabase } from '../../../tests/support/engines.ts';
import { inside, ways } from '../../../tests/support/moving.ts';
import { aStudent } from '../../../tests/support/records.ts';
import { settingsOf, sims } from '../../../tests/support/sims.ts';
import { openToFill } from '../db/copy/copy-installation.ts';
import { openFile } from '../db/copy/open-unchanged.ts';
import { tallyOf } from '../db/copy/pages.ts';
import { placeOf, readPlace } from '../db/copy/place.ts';
import { tablesOf } from '../db/copy/tables.ts';
import { lastNumber } from '../db/dialect-tables.ts';
import { MIGRATIONS } from '../db/migrations/index.ts';
import { openDatabase } from '../db/open.ts';
import type { Db } from '../db/schema.ts';
import { readSettings } from '../settings.ts';
import { StartError } from '../start-error.ts';
import { lastBackup } from './last-backup.ts';
import { backupInto, makeBackup } from './make-backup.ts';
import { backupName, backupsIn } from './names.ts';
import { checkBackup, restoreBackup } from './restore-backup.ts';

/** What every table holds that a backup takes along, and the number that the history goes on with. */
const holdings = (database: TestDatabase) =>
  inside(database, async ({ read }) => {
    const tables = (await tablesOf(read)).filter(({ name }) => name !== 'password_resets');
    const held: Record<string, unknown> = { entry: await lastNumber(read, 'history', 'id') };
    for (const table of tables) held[table.name] = await tallyOf(read, table, 1_000);
    return held;
  });

const command = (database: TestDatabase, ...args: string[]) => sims(args, { settings: settingsOf(database) });

const settings = (database: TestDatabase) => readSettings(settingsOf(database));

/** Restores within this process, and answers what was told; a refusal's one line. */
async function restore(database: TestDatabase, file: string, force = true): Promise<string> {
  let output = '';
  const tell = (line: string) => {
    output += `${line}\n`;
  };
  try {
    await restoreBackup(file, settings(database), { force, tell });
    return output;
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
}

describe.each(ways)('a backup, restored $name', ({ test, from, to }) => {
  test('under eight writers has all that was acknowledged before it, and comes back on either engine', {
    timeout: 120_000,
  }, async ({ house, prepare }) => {
    const { database } = house;
    const app = await TestApp.open(from, { database });
    const admin = await app.signIn(house.admin);
    const acknowledged: string[][] = Array.from({ length: 8 }, () => []);
    let isOver = false;
    const writers = acknowledged.map(async (own, writer) => {
      for (let i = 0; !isOver; i += 1) {
        const id = `W${writer}-${i}`;
        expect((await admin.post('/api/students', aStudent({ id }))).status).toBe(201);
        own.push(id);
        if (i === 2) begun[writer]?.();
      }
    });
    const begun: (() => void)[] = [];
    await Promise.all(
      acknowledged.map(
        (_, writer) =>
          new Promise<void>((resolve) => {
            begun[writer] = resolve;
          }),
      ),
    );
    const before = acknowledged.flat();
    const file = path.join(database.folder, 'a.backup');
    const made = await command(database, 'backup', '--to', file);
    isOver = true;
    await Promise.all(writers);
    expect(made.output).toMatch(/a\.backup: [\d,]+ students, \d+ courses, 1 accounts, .+ MiB\.\n$/);
    expect(made.code).toBe(0);
    await expect(makeBackup(placeOf(settings(database)), file)).rejects.toThrow(
      /^There is a file .+ already/,
    );
    await app.close();

    const there = await prepare(to);
    const restored = await command(there, 'restore', file);
    expect(restored.code, restored.output).toBe(0);
    const back = await TestApp.open(to, { database: there });
    expect((await back.call('GET', '/api/students', { token: admin.token })).status).toBe(401);
    const signedIn = await back.signIn(house.admin);
    expect((await signedIn.get(house.portrait)).status).toBe(200);
    const ids = new Set(
      (await back.db.read.selectFrom('students').select('id').execute()).map(({ id }) => id),
    );
    expect(before.filter((id) => !ids.has(id))).toEqual([]);
    // Of each writer, who waited for every answer, what it holds is a beginning.
    for (const [writer, own] of acknowledged.entries()) {
      const held = [...ids].filter((id) => id.startsWith(`W${writer}-`)).length;
      expect(own.slice(0, held).every((id) => ids.has(id))).toBe(true);
    }
    const history = await back.db.read
      .selectFrom('history')
      .select('id')
      .where('entity_id', 'like', 'W%')
      .execute();
    expect(history).toHaveLength([...ids].filter((id) => id.startsWith('W')).length);
    await back.close();
  });

  test('brings back the same, keeps what was there, and is refused where anything could be lost', {
    timeout: 120_000,
  }, async ({ house: { database }, prepare }) => {
    const held = await holdings(database);
    const { dir = '' } = settings(database).backup;
    const { file } = await backupInto(dir, placeOf(settings(database)), 'asked');
    expect(await backupsIn(dir)).toMatchObject([{ file, occasion: 'asked' }]);
    expect(readdirSync(dir)).toHaveLength(1);
    // What is ended after the backup must not be good again after the restore.
    const opened = await openFile(file);
    for (const table of ['sessions', 'password_resets'] as const) {
      expect(await opened.db.selectFrom(table).select('user_id').execute()).toEqual([]);
    }
    await opened.close();

    const there = await prepare(to);
    const app = await TestApp.open(to, { database: there });
    const { user } = await app.register();
    expect(await restore(there, file)).toMatch(/in use by .*another SIMS process.+$/);
    await app.close();
    expect(await restore(there, file, false)).toMatch(/ holds .+--force.+nothing was changed\.$/);

    expect(await restore(there, there.folder)).toBe(`${there.folder} is a folder: name the backup in it.`);
    const other = path.join(there.folder, 'other.backup');
    const damages: [RegExp, () => void][] = [
      [/^There is no file/, () => {}],
      [/ is no backup of SIMS, or not all of it/, () => writeFileSync(other, 'PK'.repeat(9_000))],
      [
        / is no backup of SIMS, or not all of it/,
        () => {
          copyFileSync(file, other);
          truncateSync(other, 100_000);
        },
      ],
      [
        / is damaged: it is not what was written/,
        () => {
          const bytes = readFileSync(file);
          bytes.write('Thermodynamiks', bytes.indexOf('Thermodynamics'));
          writeFileSync(other, bytes);
        },
      ],
    ];
    for (const [says, damage] of damages) {
      damage();
      const answer = await restore(there, other);
      expect(answer).toMatch(says);
      expect(answer).not.toContain('\n');
    }
    await inside(there, async ({ read }) => {
      expect(await read.selectFrom('users').select('email').execute()).toEqual([{ email: user.email }]);
    });

    if (to === sqlite) {
      // Broken off before the last step of all: nobody begins an empty database, and the same command goes on.
      writeFileSync(path.join(there.folder, 'sims.db.restoring'), 'what a killed process left');
      await expect(there.open()).rejects.toThrow(
        /restore into the data folder .+ was broken off\. Run it again/,
      );
    }
    const told = await restore(there, file);
    expect(await holdings(there)).toEqual(held);
    const [, place = ''] = /^What was there is kept in (.+)\.$/m.exec(told) ?? [];
    const before = await prepare(to);
    if (to === sqlite) copyFileSync(path.join(place, 'sims.db'), path.join(before.folder, 'sims.db'));
    else await restore(before, place, false);
    await inside(before, async ({ read }) => {
      expect(await read.selectFrom('users').select('email').execute()).toEqual([{ email: user.email }]);
    });
  });
});

describe('a database of a newer version', () => {
  const test = postgres.isMissing ? base.skip : base;

  test('is not backed up from a server: this program would leave out what it does not know of', async () => {
    const database = await postgres.prepare({ isMade: true });
    try {
      const db = await database.open();
      const newer = {
        version: MIGRATIONS.length + 1,
        name: 'of-the-future',
        applied_at: new Date().toISOString(),
      };
      await db.write.insertInto('schema_versions').values(newer).execute();
      await db.close();
      const file = path.join(database.folder, 'a.backup');
      const made = makeBackup(placeOf(settings(database)), file);
      await expect(made).rejects.toThrow(/use the newer SIMS that has been started on it/);
      expect(existsSync(file)).toBe(false);
    } finally {
      await database.remove();
    }
  });
});

describe.each([sqlite, postgres])('a database of an older version, on $name', (engine) => {
  const test = engine.isMissing ? base.skip : base;

  test('is backed up before it is brought up to date, or stays as it is', async () => {
    const database = await engine.prepare();
    try {
      const older = readPlace('--to', database.place);
      await (await openToFill(older, 1)).close();
      const versions = (db: Db) => db.selectFrom('schema_versions').select('version').execute();
      const settingsNow = settings(database);
      const { dir = '' } = settingsNow.backup;
      writeFileSync(dir, 'A file, where the folder should be.');
      await expect(openDatabase(settingsNow)).rejects.toThrow(/backed up before that.+Nothing was changed/);
      expect(await backupsIn(dir)).toEqual([]);
      rmSync(dir);

      const db = await openDatabase(settingsNow);
      expect(await versions(db.read)).toHaveLength(MIGRATIONS.length);
      await db.close();
      const [backup, ...more] = await backupsIn(dir);
      expect(backup).toMatchObject({ occasion: 'before-migration' });
      expect(more).toEqual([]);
      expect(await lastBackup(dir)).toEqual(backup);
      expect(await checkBackup(backup?.file ?? '')).toMatchObject({ version: 1, students: 0 });

      // The next start has nothing to bring up to date. Half a backup is none.
      await (await openDatabase(settingsNow)).close();
      writeFileSync(path.join(dir, backupName(new Date(), 'scheduled')), 'half');
      expect(await lastBackup(dir)).toEqual(backup);
    } finally {
      await database.remove();
    }
  });
});
