import { sql } from 'kysely';
import { test as base, describe, expect } from 'vitest';
import { aClass, createSheet, fillSheet } from '../../../tests/support/app/mark-sheets.ts';
import { SheetStream } from '../../../tests/support/app/sheet-stream.ts';
import { sharedApps, TestApp } from '../../../tests/support/app/test-app.ts';
import { postgres } from '../../../tests/support/database/engines.ts';
import { holdTransaction } from '../../../tests/support/database/open-transaction.ts';
import { lockTable } from '../db/dialect/locks.ts';
import { createLogger } from '../http/hooks/logger.ts';
import { MAX_STREAMS_PER_PERSON } from './events.ts';

const METRICS_TOKEN = 'a-token-of.collectors~5678';
/** Listens on its first use. */
async function getUrl({ app }: TestApp): Promise<string> {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 });
  return app.listeningOrigin;
}
const peopleIn = async ({ db }: TestApp, sheetId: number) =>
  (await db.read.selectFrom('sheet_people').select('user_id').where('sheet_id', '=', sheetId).execute()).map(
    ({ user_id }) => user_id,
  );

describe.each(sharedApps({ metricsToken: METRICS_TOKEN }))(
  'the events of a mark sheet, on $name',
  ({ test, engine }) => {
    test('begin with the present version and bring the rows that others change', async ({
      app,
      admin,
      staff,
    }) => {
      const url = await getUrl(app);
      const own = await aClass({ app, admin }, 3);
      const sheet = await createSheet(staff, own);
      const stream = await SheetStream.open(url, admin, sheet.sheet_id);
      expect(stream.events[0]).toEqual({ event: 'state', data: { version: 1, state: 'draft' } });
      const { rows } = await fillSheet(staff, sheet, [70, 'A']);
      await stream.has('cells', { version: 2, rows: rows.slice(0, 2) });
      const row = { status: 'incomplete', reason: 'Fell ill', semester: null };
      await staff.put(`/api/sheets/${sheet.sheet_id}/rows/${own.ids[2]}`, row);
      await stream.has('cells', { version: 3, rows: [expect.objectContaining({ reason: 'Fell ill' })] });
      stream.close();
    });

    test('tell a viewer to read the sheet again after a change of its set-up, and end when it is deleted', async ({
      app,
      admin,
      staff,
      viewer,
    }) => {
      const url = await getUrl(app);
      const own = await aClass({ app, admin }, 1);
      const sheet = await createSheet(staff, own);
      const stream = await SheetStream.open(url, viewer, sheet.sheet_id);
      const { title, categories } = sheet;
      const path = `/api/sheets/${sheet.sheet_id}`;
      expect((await staff.put(path, { title, credits: 4, categories })).status).toBe(200);
      await stream.has('state', { version: 2, state: 'draft' });
      expect((await staff.delete(path)).status).toBe(200);
      await stream.ends();
      expect((await SheetStream.request(url, viewer, sheet.sheet_id)).statusCode).toBe(404);
    });

    test('name the people who have it open, each once, until they leave', async ({ app, admin }) => {
      const url = await getUrl(app);
      const own = await aClass({ app, admin }, 1);
      const { sheet_id } = await createSheet(admin, own);
      const [amna, bilal] = [await app.register({ name: 'Amna' }), await app.register({ name: 'Bilal' })];
      const streams = [];
      for (const person of [amna, bilal, bilal]) streams.push(await SheetStream.open(url, person, sheet_id));
      const [first, second, third] = streams;
      const both = [amna, bilal].map(({ user }) => ({ id: user.id, name: user.name }));
      await first?.has('people', { people: both });
      second?.close();
      third?.close();
      await expect
        .poll(() => first?.events.at(-1), { timeout: 10_000 })
        .toEqual({
          event: 'people',
          data: { people: both.slice(0, 1) },
        });
      first?.close();
      await expect.poll(() => peopleIn(app, sheet_id), { timeout: 10_000 }).toEqual([]);
    });

    test('begin while others write, and name those who opened them meanwhile afterwards', async ({
      app,
      admin,
      staff,
    }) => {
      const url = await getUrl(app);
      const { sheet_id } = await createSheet(admin, await aClass({ app, admin }, 1));
      const release = await holdTransaction(app.db.write, (tx) => lockTable(tx, 'sheet_people'));
      const responses = await Promise.all(
        [admin, staff].map((person) => SheetStream.request(url, person, sheet_id)),
      );
      await release();
      expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
      await expect
        .poll(() => peopleIn(app, sheet_id), { timeout: 10_000 })
        .toEqual(expect.arrayContaining([admin.user.id, staff.user.id]));
      for (const one of responses) one.destroy();
    });

    test('name their people once these can be stored, but not those who have left or whose sheet is gone', async ({
      app,
      admin,
      staff,
    }) => {
      const url = await getUrl(app);
      const { sheet_id } = await createSheet(admin, await aClass({ app, admin }, 1));
      const deleted = await createSheet(admin, await aClass({ app, admin }, 1));
      const rename = (from: string, to: string) =>
        app.db.write.schema.alterTable(from).renameTo(to).execute();
      await rename('sheet_people', 'people_gone');
      const [stays, leaves, ends] = [
        await SheetStream.request(url, staff, sheet_id),
        await SheetStream.request(url, admin, sheet_id),
        await SheetStream.request(url, admin, deleted.sheet_id),
      ];
      leaves.destroy();
      expect((await admin.delete(`/api/sheets/${deleted.sheet_id}`)).status).toBe(200);
      await rename('people_gone', 'sheet_people');
      await expect.poll(() => peopleIn(app, sheet_id), { timeout: 10_000 }).toEqual([staff.user.id]);
      await expect.poll(() => ends.complete, { timeout: 10_000 }).toBe(true);
      stays.destroy();
      await expect.poll(() => peopleIn(app, sheet_id), { timeout: 10_000 }).toEqual([]);
    });

    // Covers A101
    test('end with the session: signed out, locked, expired or idle', async ({ app, admin }) => {
      const url = await getUrl(app);
      const own = await aClass({ app, admin }, 1);
      const { sheet_id } = await createSheet(admin, own);
      const endings = {
        'signed out': ({ token }: { token: string }) => app.call('POST', '/api/logout', { token }),
        locked: ({ user }: { user: { id: number } }) =>
          admin.put(`/api/users/${user.id}/lock`, { locked: true, password: admin.password }),
        expired: ({ user }: { user: { id: number } }) =>
          app.db.write
            .updateTable('sessions')
            .set({ expires_at: new Date(0).toISOString() })
            .where('user_id', '=', user.id)
            .execute(),
        idle: ({ user }: { user: { id: number } }) =>
          app.db.write
            .updateTable('sessions')
            .set({ last_used_at: new Date(Date.now() - 40 * 60_000).toISOString() })
            .where('user_id', '=', user.id)
            .execute(),
      };
      const stays = await SheetStream.open(url, admin, sheet_id);
      for (const [how, end] of Object.entries(endings)) {
        const person = await app.register({ name: how });
        const stream = await SheetStream.open(url, person, sheet_id);
        await end(person);
        await stream.ends();
        expect((await SheetStream.request(url, person, sheet_id)).statusCode, how).toBe(401);
      }
      expect(stays.isOver).toBe(false);
      stays.close();
    });

    // Covers A101
    test('are refused without a session, and to a person who has too many open', async ({
      app,
      admin,
      staff,
    }) => {
      const url = await getUrl(app);
      const own = await aClass({ app, admin }, 1);
      const { sheet_id } = await createSheet(admin, own);
      expect((await SheetStream.request(url, { token: '' }, sheet_id)).statusCode).toBe(401);
      const person = await app.register();
      const open = await Promise.all(
        Array.from({ length: MAX_STREAMS_PER_PERSON }, () => SheetStream.request(url, person, sheet_id)),
      );
      expect(open.map(({ statusCode }) => statusCode)).toEqual(open.map(() => 200));
      const refused = await SheetStream.request(url, person, sheet_id);
      expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '10']);
      const other = await SheetStream.open(url, staff, sheet_id);
      other.close();
      for (const one of open) one.destroy();
      await expect.poll(async () => (await SheetStream.request(url, person, sheet_id)).statusCode).toBe(200);
    });

    test('stop for a client that reads nothing, which takes no memory then', {
      timeout: 120_000,
    }, async ({ app, admin, staff }) => {
      const url = await getUrl(app);
      const own = await aClass({ app, admin }, 1_000);
      const sheet = await createSheet(staff, own);
      const stream = await SheetStream.open(url, admin, sheet.sheet_id);
      stream.pause();
      const reason = 'x'.repeat(500);
      await app.db.write
        .updateTable('sheet_rows')
        .set({ reason })
        .where('sheet_id', '=', sheet.sheet_id)
        .execute();
      const changeAll = async () => {
        await app.db.write
          .updateTable('sheets')
          .set({ version: sql`version + 1` })
          .where('sheet_id', '=', sheet.sheet_id)
          .execute();
        const version = sql<number>`(select version from sheets where sheet_id = ${sheet.sheet_id})`;
        await app.db.write
          .updateTable('sheet_rows')
          .set({ version })
          .where('sheet_id', '=', sheet.sheet_id)
          .execute();
      };
      await expect
        .poll(
          async () => {
            await changeAll();
            return peopleIn(app, sheet.sheet_id);
          },
          { timeout: 100_000, interval: 200 },
        )
        .toEqual([]);
      stream.close();
    });

    test('count as an answer, but their time does not count as that of a slow one', async ({
      app,
      admin,
    }) => {
      const url = await getUrl(app);
      const own = await aClass({ app, admin }, 1);
      const { sheet_id } = await createSheet(admin, own);
      const samples = async () => {
        const { text } = await app.call('GET', '/metrics', { token: METRICS_TOKEN });
        return text.split('\n').filter((line) => line.includes('/api/sheets/:sheet_id/events'));
      };
      const stream = await SheetStream.open(url, admin, sheet_id);
      stream.close();
      await expect
        .poll(samples)
        .toContainEqual(
          expect.stringMatching(/^sims_http_requests_total\{method="GET".*,status="200"\} \d+$/),
        );
      const durations = (await samples()).filter((line) => /_count\{method="GET"/.test(line));
      const answered = (await samples()).filter((line) => /requests_total/.test(line) && !/"200"/.test(line));
      const sum = (lines: string[]) => lines.reduce((total, line) => total + Number(line.split(' ')[1]), 0);
      expect(sum(durations)).toBe(sum(answered));
    });

    test('end at once when the application stops, also for a client that reads nothing', async ({
      admin: _,
    }) => {
      const lines: string[] = [];
      const app = await TestApp.open(engine, {
        logger: createLogger('info', { write: (line) => lines.push(line) }),
      });
      const url = await getUrl(app);
      const admin = await app.register();
      const { sheet_id } = await createSheet(admin, await aClass({ app, admin }, 1));
      const [reading, silent] = [
        await SheetStream.open(url, admin, sheet_id),
        await SheetStream.open(url, admin, sheet_id),
      ];
      silent.pause();
      await app.close();
      await reading.ends();
      const logged = lines.filter((line) => line.includes('/events'));
      expect(logged).toHaveLength(2);
      for (const line of logged)
        expect(JSON.parse(line)).toEqual(expect.objectContaining({ openMs: expect.any(Number) }));
      expect(logged.join('')).not.toContain('"ms"');
      silent.close();
    });
  },
);

const onServer = postgres.isMissing ? base.skip : base;

describe('the events of a mark sheet that two processes serve', () => {
  onServer('bring the changes and the people of the other process', async () => {
    const database = await postgres.prepare({ isMade: true });
    const [first, second] = [
      await TestApp.open(postgres, { database }),
      await TestApp.open(postgres, { database }),
    ];
    try {
      const admin = await first.register({ name: 'Asad' });
      const staff = await second.register({ name: 'Bilal' });
      const own = await aClass({ app: first, admin }, 2);
      const sheet = await createSheet(staff, own);
      const here = await SheetStream.open(await getUrl(first), admin, sheet.sheet_id);
      const there = await SheetStream.open(await getUrl(second), staff, sheet.sheet_id);
      const people = [admin, staff].map(({ user }) => ({ id: user.id, name: user.name }));
      await here.has('people', { people });
      await there.has('people', { people });
      const { rows } = await fillSheet(staff, sheet, [55.5, 60]);
      await here.has('cells', { version: 2, rows });
      await here.has('people', { people });
    } finally {
      await Promise.all([first.close(), second.close()]);
      await database.remove();
    }
  });
});
