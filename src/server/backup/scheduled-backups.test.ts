import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { test as base, describe, expect, vi } from 'vitest';
import { postgres, sqlite } from '../../../tests/support/engines.ts';
import { inside } from '../../../tests/support/moving.ts';
import { Server } from '../../../tests/support/server.ts';
import { settingsOf } from '../../../tests/support/sims.ts';
import type { Database } from '../db/open.ts';
import { backupName, backupsIn } from './names.ts';
import { removeSurplus } from './prune.ts';
import { checkBackup } from './restore-backup.ts';
import { claim, isDue, noteGood, tryLater } from './schedule.ts';
import { scheduleBackups } from './scheduled-backups.ts';
import { makeWorkFolder } from './work-folder.ts';

/** Between two backups: a second. */
const EVERY = 1_000;
const hour = 3_600_000;
const TOKEN = 'a-token-of-collectors';

/** What collectors are told of how old the latest good backup is. */
async function ageOf({ url }: Server): Promise<number> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  const [, age = ''] = /^sims_backup_age_seconds (\S+)$/m.exec(await answer.text()) ?? [];
  return Number(age.replace('+Inf', 'Infinity'));
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await setTimeout(50);
}

describe.each([sqlite, postgres])('backups by schedule, on $name', (engine) => {
  const test = engine.isMissing ? base.skip : base;

  test('are made by one process each, kept so many, and missed out loud', { timeout: 120_000 }, async () => {
    const database = await engine.prepare();
    const dir = mkdtempSync(path.join(tmpdir(), 'sims-backups-'));
    const { SIMS_DATA_DIR: _, ...place } = settingsOf(database);
    const settings = {
      ...place,
      SIMS_BACKUP_DIR: dir,
      SIMS_BACKUP_EVERY: String(EVERY / 3_600_000),
      SIMS_BACKUP_KEEP: '2',
      SIMS_METRICS_TOKEN: TOKEN,
    };
    writeFileSync(path.join(dir, 'precious.backup'), 'of somebody');
    const servers = await Promise.all(
      Array.from({ length: engine === postgres ? 2 : 1 }, () => Server.start(settings)),
    );
    const [server] = servers;
    try {
      const made = () =>
        servers.flatMap(({ logs }) =>
          [...logs.matchAll(/"file":"([^"]+)".*"msg":"backup made"/g)].map(([, file]) => file),
        );
      if (server === undefined) throw new Error('No server.');
      await until(() => made().length > 2 + servers.length);
      const begun = made()
        .map((file) => /sims-([\d-]{10})T(..)-(..)-(.+)-scheduled/.exec(file ?? '')?.slice(1) ?? [])
        .map(([day, hours, minutes, seconds]) => Date.parse(`${day}T${hours}:${minutes}:${seconds}`))
        .toSorted((a, b) => a - b);
      for (const [i, at] of begun.slice(1).entries())
        expect(at - (begun[i] ?? 0)).toBeGreaterThanOrEqual(EVERY);
      for (const one of servers) expect(await ageOf(one)).toBeLessThan(60);

      // Where the folder was there is something else now: told, and nobody is kept from work.
      await until(() => !readdirSync(dir).some((name) => name.includes('partial')));
      renameSync(dir, `${dir}-away`);
      writeFileSync(dir, 'no folder');
      await until(() => servers.some(({ logs }) => logs.includes('"msg":"backup failed"')));
      expect((await fetch(`${server.url}/api/health`)).status).toBe(200);
      expect(servers.map(({ logs }) => logs).join()).toMatch(/"reason":"[^"]*(EEXIST|ENOTDIR)/);
      rmSync(dir);
      renameSync(`${dir}-away`, dir);

      for (const one of servers) expect(await one.stop()).toBe(0);
      const left = readdirSync(dir);
      expect(left).toContain('precious.backup');
      // A server that is stopped between the two steps leaves one more.
      expect(left.length).toBeLessThanOrEqual(3 + servers.length);
      const [latest] = await backupsIn(dir);
      expect(latest?.occasion).toBe('scheduled');
      expect(await checkBackup(latest?.file ?? '')).toMatchObject({ users: 0 });
    } finally {
      for (const one of servers) await one.dispose();
      for (const folder of [dir, `${dir}-away`]) if (existsSync(folder)) rmSync(folder, { recursive: true });
      await database.remove();
    }
  });

  test('are claimed by one of many who come at once, and again when that one failed', async () => {
    const database = await engine.prepare();
    const now = Date.now();
    await inside(database, async ({ read, write }) => {
      const claims = async (at: number) =>
        (await Promise.all(Array.from({ length: 8 }, () => claim(write, hour, at)))).filter(Boolean).length;
      expect(await isDue(read, hour, now)).toBe(true);
      expect(await claims(now)).toBe(1);
      await noteGood(write, now);
      expect(await isDue(read, hour, now + hour - 1)).toBe(false);
      expect(await claims(now + hour - 1)).toBe(0);
      expect(await claims(now + hour)).toBe(1);
      // Whoever makes it says so now and then, or has been killed, or has failed.
      const again = 10 * 60_000;
      expect(await claims(now + hour + again - 1)).toBe(0);
      await tryLater(write, hour, now + hour + again - 1);
      expect(await claims(now + hour + again)).toBe(0);
      expect(await claims(now + hour + 2 * again)).toBe(1);
      expect(await claims(now + hour + 3 * again)).toBe(1);
      // The clock is put back.
      expect(await isDue(read, hour, now)).toBe(true);
      expect(await claims(now)).toBe(1);
    });
    await database.remove();
  });
});

/** A folder, and a database to be backed up into it by this process, for as long as `act` takes. */
async function inFolder(act: (dir: string, db: Database, folder: string) => Promise<void>): Promise<void> {
  const database = await sqlite.prepare();
  const dir = mkdtempSync(path.join(tmpdir(), 'sims-backups-'));
  try {
    await inside(database, (db) => act(dir, db, database.folder));
  } finally {
    rmSync(dir, { recursive: true });
    await database.remove();
  }
}

base('one that fails while the database takes no notes is logged, and tried again before long', async () => {
  await inFolder(async (dir, db) => {
    await sql`create trigger away before update on backup_schedule when old.begun_at > '1971'
      begin select raise(abort, 'away'); end`.execute(db.write);
    const file = path.join(dir, 'no folder');
    writeFileSync(file, '');
    const logged: unknown[] = [];
    const error = (what: unknown) => logged.push(what);
    const plan = { dir: file, every: hour, keep: 1 };
    const end = scheduleBackups(db, plan, { info: () => {}, debug: () => {}, error });
    await until(() => logged.length > 0);
    await end();
    expect(logged).toEqual([expect.objectContaining({ reason: expect.stringContaining('EEXIST') })]);
    expect(await isDue(db.read, hour, Date.now() + 10 * 60_000)).toBe(true);
  });
});

base('one that is due while the server stops is not begun', async () => {
  await inFolder(async (dir, db, folder) => {
    vi.stubEnv('NODE_OPTIONS', `--import ${import.meta.resolve('tsx')}`);
    vi.stubEnv('SIMS_DATA_DIR', folder);
    const logger = { info: () => {}, debug: () => {}, error: () => {} };
    await scheduleBackups(db, { dir, every: hour, keep: 1 }, logger)();
    vi.unstubAllEnvs();
    expect(readdirSync(dir)).toEqual([]);
    expect(await isDue(db.read, hour, Date.now())).toBe(false);
  });
});

base('the one just made stays, and those of the future count for nothing', async () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'sims-backups-'));
  const at = (hours: number) => {
    const file = path.join(dir, backupName(new Date(Date.now() + hours * hour), 'scheduled'));
    writeFileSync(file, '');
    return file;
  };
  const [, older, made, ...future] = [at(-9), at(-5), at(-1), at(1), at(50)];
  await removeSurplus(dir, 2, made ?? '');
  expect((await backupsIn(dir)).map(({ file }) => file)).toEqual([made, older, ...future.toReversed()]);
  await removeSurplus(dir, 1, future[0] ?? '');
  expect((await backupsIn(dir)).map(({ file }) => file)).toEqual(future.toReversed());
  rmSync(dir, { recursive: true });
});

base('what a process that is gone has left half made goes when the next begins, and no other', async () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'sims-backups-'));
  const own = await makeWorkFolder(path.join(dir, 'a.backup'));
  for (const name of ['restoring.partial-Ab3_dE', 'b.backup.partial-abcdef']) {
    mkdirSync(path.join(dir, name));
    writeFileSync(path.join(dir, name, 'sims.work.lock'), '');
  }
  mkdirSync(path.join(dir, 'just.partial-begun1'));
  mkdirSync(path.join(dir, 'somebody.else'));
  const next = await makeWorkFolder(path.join(dir, 'restoring'));
  await next.remove();
  expect(readdirSync(dir)).toEqual([path.basename(own.path), 'just.partial-begun1', 'somebody.else']);
  await own.remove();
  expect(readdirSync(dir)).toEqual(['just.partial-begun1', 'somebody.else']);
  rmSync(dir, { recursive: true });
});
