import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { test as base, describe, expect } from 'vitest';
import { postgres, sqlite } from '../../../tests/support/engines.ts';
import { inside } from '../../../tests/support/moving.ts';
import { Server } from '../../../tests/support/server.ts';
import { settingsOf } from '../../../tests/support/sims.ts';
import { backupsIn } from './names.ts';
import { checkBackup } from './restore-backup.ts';
import { claim, isDue, noteFailed } from './schedule.ts';

/** Between two backups: a second. */
const EVERY = 1_000;
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
    const hour = 3_600_000;
    const now = Date.now();
    await inside(database, async ({ read, write }) => {
      const claims = async (at: number) =>
        (await Promise.all(Array.from({ length: 8 }, () => claim(write, hour, at)))).filter(Boolean).length;
      expect(await isDue(read, hour, now)).toBe(true);
      expect(await claims(now)).toBe(1);
      expect(await isDue(read, hour, now + hour - 1)).toBe(false);
      expect(await claims(now + hour - 1)).toBe(0);
      expect(await claims(now + hour)).toBe(1);
      await noteFailed(write, hour, now + hour);
      expect(await claims(now + hour)).toBe(0);
      expect(await claims(now + hour + 10 * 60_000)).toBe(1);
      // The clock is put back.
      expect(await isDue(read, hour, now)).toBe(true);
      expect(await claims(now)).toBe(1);
    });
    await database.remove();
  });
});
