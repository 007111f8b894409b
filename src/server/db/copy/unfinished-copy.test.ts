import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect } from 'vitest';
import { TestApp } from '../../../../tests/support/app.ts';
import { postgres } from '../../../../tests/support/engines.ts';
import { copy, differing, inside, isBrokenOff, refusal, ways } from '../../../../tests/support/moving.ts';
import { settingsOf, simsHere } from '../../../../tests/support/sims.ts';
import { isOutOfReach } from '../dialect.ts';
import { openToFill } from './copy-installation.ts';
import { readPlace } from './place.ts';

describe.each(ways)('a move that was broken off, $name', ({ test, from, to }) => {
  test('broken off again and again, it gets there; until then nothing starts on the copy', async ({
    house: { database },
    prepare,
  }) => {
    const there = await prepare(to);
    let tries = 0;
    // Two tables more at each try, then the indexes, then the comparison.
    for (; tries < 50 && (await isBrokenOff(database, there, 3)); tries += 1) {
      await expect(there.open()).rejects.toThrow(/unfinished copy of .+: finish it/);
      if (tries === 0) {
        const asked = await simsHere(['migrate', '--dry-run'], settingsOf(there));
        expect(asked).toEqual({
          code: 1,
          lines: [expect.stringMatching(/unfinished copy of .+: finish it/)],
        });
      }
    }
    expect(tries).toBeGreaterThan(9);
    expect(await refusal(database, there)).toContain('already holds records');
    await inside(there, async ({ read }) => {
      expect(await read.selectFrom('students').select('id').execute()).toHaveLength(41);
    });
  });

  test('a server that drops the connection breaks the copy off, no more', async ({
    house: { database },
    prepare,
  }) => {
    const there = await prepare(to);
    const { place } = from === postgres ? database : there;
    const admin = new pg.Client({ connectionString: place });
    await admin.connect();
    let dropped: Promise<unknown> | undefined;
    const tell = () => {
      dropped ??= admin.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
    };
    const fault = await copy(database, there, { tell, rows: 1 }).catch((error: unknown) => error);
    await dropped;
    await admin.end();
    expect(isOutOfReach(fault), String(fault)).toBe(true);
    const compared = await copy(database, there);
    expect(differing(compared)).toEqual([]);
  });

  test('an unfinished copy is gone on with from the same records only, or begun anew', async ({
    house: { database },
    prepare,
  }) => {
    const there = await prepare(to);
    expect(await isBrokenOff(database, there, 12)).toBe(true);
    const other = await prepare(from);
    await inside(other, async () => {});
    expect(await refusal(other, there)).toContain('unfinished copy of something else');

    const app = await TestApp.open(from, { database });
    await app.register();
    await app.close();
    expect(await refusal(database, there)).toContain('has changed since this copy of it was begun');
    const compared = await copy(database, there, { restart: true });
    expect(differing(compared)).toEqual([]);
    expect(await refusal(database, there, { restart: true })).toContain('already holds records');
  });

  test('a copy that came out different stays unfinished', async ({ house: { database }, prepare }) => {
    const there = await prepare(to);
    expect(await isBrokenOff(database, there, 12)).toBe(true);
    expect(await refusal(there, await prepare(from))).toContain('unfinished copy');
    const open = await openToFill(readPlace('--to', there.place));
    // As no program of ours would: behind the copy's back, in what it has already copied.
    const meddle = sql`update courses set course_name = course_name || '!' where course_id =
      (select min(course_id) from courses)`;
    await meddle.execute(open.write);
    await open.close();
    const compared = await copy(database, there);
    expect(differing(compared)).toEqual(['courses']);
    await expect(there.open()).rejects.toThrow('unfinished copy');
    const anew = await copy(database, there, { restart: true });
    expect(differing(anew)).toEqual([]);
    await inside(there, async () => {});
  });
});
