import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect } from 'vitest';
import { TestApp } from '../../../tests/support/app/test-app.ts';
import { postgres } from '../../../tests/support/database/engines.ts';
import { runSimsInProcess, toSettings } from '../../../tests/support/processes/command-line.ts';
import {
  copy,
  copyError,
  differingTables,
  directions,
  interruptCopy,
  withDatabase,
} from '../../../tests/support/processes/transfer.ts';
import { isUnavailable } from '../db/dialect/errors.ts';
import { parseLocation } from '../db/location.ts';
import { openCopyTarget } from './copy.ts';

describe.each(directions)('an interrupted copy, $name', ({ test, from, to }) => {
  test('completes after many interruptions, and nothing starts on it before that', async ({
    house: { database },
    prepare,
  }) => {
    const destination = await prepare(to);
    let tries = 0;
    // Each attempt copies two more tables, then creates the indexes, then compares.
    for (; tries < 50 && (await interruptCopy(database, destination, 3)); tries += 1) {
      await expect(destination.open()).rejects.toThrow(/unfinished copy of .+: finish it/);
      if (tries === 0) {
        const asked = await runSimsInProcess(['migrate', '--dry-run'], toSettings(destination));
        expect(asked).toEqual({
          code: 1,
          lines: [expect.stringMatching(/unfinished copy of .+: finish it/)],
        });
      }
    }
    expect(tries).toBeGreaterThan(9);
    expect(await copyError(database, destination)).toContain('already holds records');
    await withDatabase(destination, async ({ read }) => {
      expect(await read.selectFrom('students').select('id').execute()).toHaveLength(43);
    });
  });

  test('can be continued after the server has dropped the connection', async ({
    house: { database },
    prepare,
  }) => {
    const destination = await prepare(to);
    const { location } = from === postgres ? database : destination;
    const admin = new pg.Client({ connectionString: location });
    await admin.connect();
    let dropped: Promise<unknown> | undefined;
    const onProgress = () => {
      dropped ??= admin.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
    };
    const fault = await copy(database, destination, { onProgress, rows: 1 }).catch((error: unknown) => error);
    await dropped;
    await admin.end();
    expect(isUnavailable(fault), String(fault)).toBe(true);
    const compared = await copy(database, destination);
    expect(differingTables(compared)).toEqual([]);
  });

  test('is continued only from the same records, or restarted', async ({ house: { database }, prepare }) => {
    const destination = await prepare(to);
    expect(await interruptCopy(database, destination, 12)).toBe(true);
    const other = await prepare(from);
    await withDatabase(other, async () => {});
    expect(await copyError(other, destination)).toContain('unfinished copy of something else');

    const app = await TestApp.open(from, { database });
    await app.register();
    await app.close();
    expect(await copyError(database, destination)).toContain('has changed since this copy of it was started');
    const compared = await copy(database, destination, { restart: true });
    expect(differingTables(compared)).toEqual([]);
    expect(await copyError(database, destination, { restart: true })).toContain('already holds records');
  });

  test('stays unfinished when the result differs', async ({ house: { database }, prepare }) => {
    const destination = await prepare(to);
    expect(await interruptCopy(database, destination, 12)).toBe(true);
    expect(await copyError(destination, await prepare(from))).toContain('unfinished copy');
    const open = await openCopyTarget(parseLocation('--to', destination.location));
    // Changes a record that has already been copied, as no SIMS program would.
    const edit = sql`update courses set course_name = course_name || '!' where course_id =
      (select min(course_id) from courses)`;
    await edit.execute(open.write);
    await open.close();
    const compared = await copy(database, destination);
    expect(differingTables(compared)).toEqual(['courses']);
    await expect(destination.open()).rejects.toThrow('unfinished copy');
    const restarted = await copy(database, destination, { restart: true });
    expect(differingTables(restarted)).toEqual([]);
    await withDatabase(destination, async () => {});
  });
});
