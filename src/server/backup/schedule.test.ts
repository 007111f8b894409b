import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { test as base, describe, expect, vi } from 'vitest';
import { postgres, sqlite } from '../../../tests/support/database/engines.ts';
import { toSettings } from '../../../tests/support/processes/command-line.ts';
import { ENDED_IN_ORDER, Server } from '../../../tests/support/processes/server.ts';
import { withDatabase } from '../../../tests/support/processes/transfer.ts';
import type { Database } from '../db/database.ts';
import { backupName, listBackups, pruneBackups } from './backup-folder.ts';
import { checkBackup } from './restore-backup.ts';
import { claimBackup, isBackupDue, recordSuccess, scheduleBackups, scheduleRetry } from './schedule.ts';
import { createTempDir } from './temp-dir.ts';

/** The interval between two backups. */
const INTERVAL_MS = 1_000;
const HOUR_MS = 3_600_000;
const TOKEN = 'a-token-of-collectors';

/** The age of the latest good backup in seconds, according to the metrics. */
async function getBackupAge({ url }: Server): Promise<number> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  const [, age = ''] = /^sims_backup_age_seconds (\S+)$/m.exec(await answer.text()) ?? [];
  return Number(age.replace('+Inf', 'Infinity'));
}

async function waitUntil(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await setTimeout(50);
}

describe.each([sqlite, postgres])('backups by schedule, on $name', (engine) => {
  const test = engine.isMissing ? base.skip : base;

  test('are each made by one process, deleted beyond the number to keep, and logged when they fail', {
    timeout: 300_000,
  }, async () => {
    const database = await engine.prepare({ isMade: true });
    const dir = mkdtempSync(path.join(tmpdir(), 'sims-backups-'));
    const { SIMS_DATA_DIR: _, ...location } = toSettings(database);
    const settings = {
      ...location,
      SIMS_BACKUP_DIR: dir,
      SIMS_BACKUP_EVERY: String(INTERVAL_MS / 3_600_000),
      SIMS_BACKUP_KEEP: '1',
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
      await waitUntil(() => made().length > 1 + servers.length);
      // The interval between them follows from the claims, which have their own test.
      expect(new Set(made()).size).toBe(made().length);
      for (const one of servers) expect(await getBackupAge(one)).toBeLessThan(60);

      // A file replaces the folder: the failure is logged, and the server continues to serve.
      await waitUntil(() => !readdirSync(dir).some((name) => name.includes('partial')));
      renameSync(dir, `${dir}-away`);
      writeFileSync(dir, 'no folder');
      await waitUntil(() => servers.some(({ logs }) => logs.includes('"msg":"backup failed"')));
      expect((await fetch(`${server.url}/api/health`)).status).toBe(200);
      expect(servers.map(({ logs }) => logs).join()).toMatch(/"reason":"[^"]*(EEXIST|ENOTDIR)/);
      rmSync(dir);
      renameSync(`${dir}-away`, dir);

      for (const one of servers) expect(await one.stop()).toBe(ENDED_IN_ORDER);
      const left = readdirSync(dir);
      expect(left).toContain('precious.backup');
      // A server that is stopped after making a backup and before deleting an old one leaves one more.
      expect(left.length).toBeLessThanOrEqual(2 + servers.length);
      const [latest] = await listBackups(dir);
      expect(latest?.occasion).toBe('scheduled');
      expect(await checkBackup(latest?.file ?? '')).toMatchObject({ users: 0 });
    } finally {
      for (const one of servers) await one.dispose();
      for (const folder of [dir, `${dir}-away`]) if (existsSync(folder)) rmSync(folder, { recursive: true });
      await database.remove();
    }
  });

  test('are claimed by one of many concurrent processes, and again when that one fails', async () => {
    const database = await engine.prepare({ isMade: true });
    const now = Date.now();
    await withDatabase(database, async ({ read, write }) => {
      const claims = async (at: number) =>
        (await Promise.all(Array.from({ length: 8 }, () => claimBackup(write, HOUR_MS, at)))).filter(Boolean)
          .length;
      expect(await isBackupDue(read, HOUR_MS, now)).toBe(true);
      expect(await claims(now)).toBe(1);
      await recordSuccess(write, now);
      expect(await isBackupDue(read, HOUR_MS, now + HOUR_MS - 1)).toBe(false);
      expect(await claims(now + HOUR_MS - 1)).toBe(0);
      expect(await claims(now + HOUR_MS)).toBe(1);
      // A claim expires after the retry interval unless the process that makes the backup renews it.
      const again = 10 * 60_000;
      expect(await claims(now + HOUR_MS + again - 1)).toBe(0);
      await scheduleRetry(write, HOUR_MS, now + HOUR_MS + again - 1);
      expect(await claims(now + HOUR_MS + again)).toBe(0);
      expect(await claims(now + HOUR_MS + 2 * again)).toBe(1);
      expect(await claims(now + HOUR_MS + 3 * again)).toBe(1);
      // The clock is set back.
      expect(await isBackupDue(read, HOUR_MS, now)).toBe(true);
      expect(await claims(now)).toBe(1);
    });
    await database.remove();
  });
});

/** Runs `act` with a folder for backups and an open database. */
async function withBackupFolder(
  act: (dir: string, db: Database, folder: string) => Promise<void>,
): Promise<void> {
  const database = await sqlite.prepare({ isMade: true });
  const dir = mkdtempSync(path.join(tmpdir(), 'sims-backups-'));
  try {
    await withDatabase(database, (db) => act(dir, db, database.folder));
  } finally {
    rmSync(dir, { recursive: true });
    await database.remove();
  }
}

base('a backup that fails while the database refuses to record it is logged, and retried soon', async () => {
  await withBackupFolder(async (dir, db) => {
    await sql`create trigger away before update on backup_schedule when old.begun_at > '1971'
      begin select raise(abort, 'away'); end`.execute(db.write);
    const file = path.join(dir, 'no folder');
    writeFileSync(file, '');
    const logged: unknown[] = [];
    const error = (what: unknown) => logged.push(what);
    const plan = { dir: file, every: HOUR_MS, keep: 1 };
    const end = scheduleBackups(db, plan, { info: () => {}, debug: () => {}, error });
    await waitUntil(() => logged.length > 0);
    await end();
    expect(logged).toEqual([expect.objectContaining({ reason: expect.stringContaining('EEXIST') })]);
    expect(await isBackupDue(db.read, HOUR_MS, Date.now() + 10 * 60_000)).toBe(true);
  });
});

base('a backup that is due while the server stops is not started', async () => {
  await withBackupFolder(async (dir, db, folder) => {
    vi.stubEnv('NODE_OPTIONS', `--import ${import.meta.resolve('tsx')}`);
    vi.stubEnv('SIMS_DATA_DIR', folder);
    const logger = { info: () => {}, debug: () => {}, error: () => {} };
    await scheduleBackups(db, { dir, every: HOUR_MS, keep: 1 }, logger)();
    vi.unstubAllEnvs();
    expect(readdirSync(dir)).toEqual([]);
    expect(await isBackupDue(db.read, HOUR_MS, Date.now())).toBe(false);
  });
});

base('deleting old backups keeps the one just made and ignores those from the future', async () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'sims-backups-'));
  const at = (hours: number) => {
    const file = path.join(dir, backupName(new Date(Date.now() + hours * HOUR_MS), 'scheduled'));
    writeFileSync(file, '');
    return file;
  };
  const [, older, made, ...future] = [at(-9), at(-5), at(-1), at(1), at(50)];
  await pruneBackups(dir, 2, made ?? '');
  expect((await listBackups(dir)).map(({ file }) => file)).toEqual([made, older, ...future.toReversed()]);
  await pruneBackups(dir, 1, future[0] ?? '');
  expect((await listBackups(dir)).map(({ file }) => file)).toEqual(future.toReversed());
  rmSync(dir, { recursive: true });
});

base('creating a temporary folder deletes only those of processes that no longer run', async () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'sims-backups-'));
  const own = await createTempDir(path.join(dir, 'a.backup'));
  for (const name of ['restoring.partial-Ab3_dE', 'b.backup.partial-abcdef']) {
    mkdirSync(path.join(dir, name));
    writeFileSync(path.join(dir, name, 'sims.work.lock'), '');
  }
  mkdirSync(path.join(dir, 'just.partial-begun1'));
  mkdirSync(path.join(dir, 'somebody.else'));
  const next = await createTempDir(path.join(dir, 'restoring'));
  await next.remove();
  expect(readdirSync(dir)).toEqual([path.basename(own.path), 'just.partial-begun1', 'somebody.else']);
  await own.remove();
  expect(readdirSync(dir)).toEqual(['just.partial-begun1', 'somebody.else']);
  rmSync(dir, { recursive: true });
});
