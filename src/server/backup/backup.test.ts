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
import { TestApp } from '../../../tests/support/app/test-app.ts';
import { postgres, sqlite, type TestDatabase } from '../../../tests/support/database/engines.ts';
import { runSims, runSimsInProcess, toSettings } from '../../../tests/support/processes/command-line.ts';
import { directions, withDatabase } from '../../../tests/support/processes/transfer.ts';
import { aStudent } from '../../../tests/support/records.ts';
import { lastGeneratedId } from '../db/dialect/catalogue.ts';
import { getLocation, parseLocation } from '../db/location.ts';
import { MIGRATIONS } from '../db/migrations/index.ts';
import type { Db } from '../db/schema.ts';
import { listTables } from '../db/tables.ts';
import { Secrets } from '../secrets/secrets.ts';
import { readSettings } from '../settings/settings.ts';
import { StartError } from '../start-error.ts';
import { openCopyTarget } from '../transfer/copy.ts';
import { checksumTable } from '../transfer/copy-table.ts';
import { openFileReadOnly } from '../transfer/open-read-only.ts';
import { backupName, latestBackup, listBackups } from './backup-folder.ts';
import { backupInto, makeBackup } from './make-backup.ts';
import { openDatabase } from './open-database.ts';
import { checkBackup, restoreBackup } from './restore-backup.ts';

/** The checksum of every table that a backup contains, and the last id in the history. */
const readChecksums = (database: TestDatabase) =>
  withDatabase(database, async ({ read }) => {
    const links = ['password_resets', 'email_verifications'];
    const tables = (await listTables(read)).filter(({ name }) => !links.includes(name));
    const checksums: Record<string, unknown> = { entry: await lastGeneratedId(read, 'history', 'id') };
    for (const table of tables) checksums[table.name] = await checksumTable(read, table, 1_000);
    return checksums;
  });

const runCommand = (database: TestDatabase, ...args: string[]) =>
  runSims(args, { settings: toSettings(database) });

const settings = (database: TestDatabase) => readSettings(toSettings(database));

/** Restores within this process, and answers the progress, or the message of a refusal. */
async function restore(database: TestDatabase, file: string, force = true): Promise<string> {
  let output = '';
  const onProgress = (line: string) => {
    output += `${line}\n`;
  };
  try {
    await restoreBackup(file, settings(database), { force, onProgress, secrets: new Secrets([]) });
    return output;
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
}

describe.each(directions)('a backup, restored $name', ({ test, from, to }) => {
  test('made during concurrent writes has every change acknowledged before it, on either engine', {
    timeout: 300_000,
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
        if (i === 2) signalStarted[writer]?.();
      }
    });
    const signalStarted: (() => void)[] = [];
    await Promise.all(
      acknowledged.map(
        (_, writer) =>
          new Promise<void>((resolve) => {
            signalStarted[writer] = resolve;
          }),
      ),
    );
    const before = acknowledged.flat();
    const file = path.join(database.folder, 'a.backup');
    const made = await runCommand(database, 'backup', '--to', file);
    isOver = true;
    await Promise.all(writers);
    expect(made.output).toMatch(/a\.backup: [\d,]+ students, \d+ courses, 1 accounts, .+ MiB\.\n$/);
    expect(made.code).toBe(0);
    await expect(makeBackup(getLocation(settings(database)), file)).rejects.toThrow(
      /^The file .+ exists already/,
    );
    await app.close();

    const destination = await prepare(to);
    const restored = await runSimsInProcess(['restore', file], toSettings(destination));
    expect(restored.code, restored.lines.join('\n')).toBe(0);
    const restoredApp = await TestApp.open(to, { database: destination });
    expect((await restoredApp.call('GET', '/api/students', { token: admin.token })).status).toBe(401);
    const signedIn = await restoredApp.signIn(house.admin);
    expect((await signedIn.get(house.portrait)).status).toBe(200);
    const ids = new Set(
      (await restoredApp.db.read.selectFrom('students').select('id').execute()).map(({ id }) => id),
    );
    expect(before.filter((id) => !ids.has(id))).toEqual([]);
    // Each writer waited for every reply, so the backup has the first of its students without gaps.
    for (const [writer, own] of acknowledged.entries()) {
      const count = [...ids].filter((id) => id.startsWith(`W${writer}-`)).length;
      expect(own.slice(0, count).every((id) => ids.has(id))).toBe(true);
    }
    const history = await restoredApp.db.read
      .selectFrom('history')
      .select('id')
      .where('entity_id', 'like', 'W%')
      .execute();
    expect(history).toHaveLength([...ids].filter((id) => id.startsWith('W')).length);
    await restoredApp.close();
  });

  test('brings back the same data, keeps the replaced database, and is refused if data could be lost', {
    timeout: 300_000,
  }, async ({ house: { database }, prepare }) => {
    const checksums = await readChecksums(database);
    const { dir = '' } = settings(database).backup;
    const { file } = await backupInto(dir, getLocation(settings(database)), 'asked');
    expect(await listBackups(dir)).toMatchObject([{ file, occasion: 'asked' }]);
    expect(readdirSync(dir)).toHaveLength(1);
    // Sessions and links that end after the backup must not be valid again after the restore.
    const opened = await openFileReadOnly(file);
    for (const table of ['sessions', 'password_resets', 'email_verifications'] as const) {
      expect(await opened.db.selectFrom(table).select('user_id').execute()).toEqual([]);
    }
    await opened.close();

    const destination = await prepare(to);
    const app = await TestApp.open(to, { database: destination });
    const { user } = await app.register();
    expect(await restore(destination, file)).toMatch(/in use by .*another SIMS process.+$/);
    await app.close();
    expect(await restore(destination, file, false)).toMatch(/ holds .+--force.+nothing was changed\.$/);

    expect(await restore(destination, destination.folder)).toBe(
      `${destination.folder} is a folder: name the backup in it.`,
    );
    const other = path.join(destination.folder, 'other.backup');
    const damages: [RegExp, () => void][] = [
      [/^There is no file/, () => {}],
      [/ is not a complete backup of SIMS/, () => writeFileSync(other, 'PK'.repeat(9_000))],
      [
        / is not a complete backup of SIMS/,
        () => {
          copyFileSync(file, other);
          truncateSync(other, 100_000);
        },
      ],
      [
        / is damaged: its checksum is wrong/,
        () => {
          const bytes = readFileSync(file);
          bytes.write('Thermodynamiks', bytes.indexOf('Thermodynamics'));
          writeFileSync(other, bytes);
        },
      ],
    ];
    for (const [says, damage] of damages) {
      damage();
      const answer = await restore(destination, other);
      expect(answer).toMatch(says);
      expect(answer).not.toContain('\n');
    }
    await withDatabase(destination, async ({ read }) => {
      expect(await read.selectFrom('users').select('email').execute()).toEqual([{ email: user.email }]);
    });

    if (to === sqlite) {
      // Interrupted before the last step: no start creates an empty database, and the same command continues.
      writeFileSync(path.join(destination.folder, 'sims.db.restoring'), 'what a killed process left');
      await expect(destination.open()).rejects.toThrow(
        /restore into the data folder .+ was interrupted\. Run it again/,
      );
    }
    const output = await restore(destination, file);
    expect(await readChecksums(destination)).toEqual(checksums);
    const [, location = ''] = /^The old (?:database is|records are) kept in (.+)\.$/m.exec(output) ?? [];
    const before = await prepare(to);
    if (to === sqlite) copyFileSync(path.join(location, 'sims.db'), path.join(before.folder, 'sims.db'));
    else await restore(before, location, false);
    await withDatabase(before, async ({ read }) => {
      expect(await read.selectFrom('users').select('email').execute()).toEqual([{ email: user.email }]);
    });
  });
});

describe('a database of a newer version', () => {
  const test = postgres.isMissing ? base.skip : base;

  test('is not backed up from a server: this program would omit tables that it does not know', async () => {
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
      const made = makeBackup(getLocation(settings(database)), file);
      await expect(made).rejects.toThrow(
        / has schema version \d+, but this program knows only \d+: start a newer SIMS\.$/,
      );
      expect(existsSync(file)).toBe(false);
    } finally {
      await database.remove();
    }
  });
});

describe.each([sqlite, postgres])('a database of an older version, on $name', (engine) => {
  const test = engine.isMissing ? base.skip : base;

  test('is backed up before it is migrated, or stays unchanged', async () => {
    const database = await engine.prepare();
    try {
      const older = parseLocation('--to', database.location);
      await (await openCopyTarget(older, 1)).close();
      const versions = (db: Db) => db.selectFrom('schema_versions').select('version').execute();
      const settingsNow = settings(database);
      const { dir = '' } = settingsNow.backup;
      writeFileSync(dir, 'A file, where the folder should be.');
      await expect(openDatabase(settingsNow)).rejects.toThrow(/backed up before that.+Nothing was changed/);
      expect(await listBackups(dir)).toEqual([]);
      rmSync(dir);

      const db = await openDatabase(settingsNow);
      expect(await versions(db.read)).toHaveLength(MIGRATIONS.length);
      await db.close();
      const [backup, ...more] = await listBackups(dir);
      expect(backup).toMatchObject({ occasion: 'before-migration' });
      expect(more).toEqual([]);
      expect(await latestBackup(dir)).toEqual(backup);
      expect(await checkBackup(backup?.file ?? '')).toMatchObject({ version: 1, students: 0 });

      // The next start has nothing to migrate. An incomplete backup does not count.
      await (await openDatabase(settingsNow)).close();
      writeFileSync(path.join(dir, backupName(new Date(), 'scheduled')), 'half');
      expect(await latestBackup(dir)).toEqual(backup);
    } finally {
      await database.remove();
    }
  });
});
