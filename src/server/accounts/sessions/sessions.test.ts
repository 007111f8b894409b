import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, describe, expect, vi } from 'vitest';
import { freshApps, type Person, sharedApps, TestApp } from '../../../../tests/support/app/test-app.ts';
import { holdTransaction } from '../../../../tests/support/database/open-transaction.ts';

const MINUTE = 60_000;

/** Moves the clock of the product without waiting. */
const passTime = (milliseconds: number) => {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: now + milliseconds });
};

afterEach(() => {
  vi.useRealTimers();
});

const getCallStatus = async (person: Person) => (await person.get('/api/users')).status;

describe.each(freshApps())('sessions, on $name', ({ test, engine }) => {
  // Covers A2
  test('expire half an hour after the last call', async ({ admin }) => {
    for (let i = 0; i < 4; i += 1) {
      passTime(29 * MINUTE);
      expect(await getCallStatus(admin)).toBe(200);
    }
    passTime(30 * MINUTE);
    const answer = await admin.get('/api/users');
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  test('expire twelve hours after signing in, even when in use', async ({ admin }) => {
    for (let minutes = 20; minutes < 12 * 60; minutes += 20) {
      passTime(20 * MINUTE);
      expect(await getCallStatus(admin)).toBe(200);
    }
    passTime(20 * MINUTE);
    expect(await getCallStatus(admin)).toBe(401);
  });

  // Covers A2
  test('stay expired even when the clock is set back', async ({ admin }) => {
    passTime(31 * MINUTE);
    expect(await getCallStatus(admin)).toBe(401);
    passTime(-31 * MINUTE);
    expect(await getCallStatus(admin)).toBe(401);
  });

  test('end when a clock that was years ahead is corrected', async ({ app, admin }) => {
    passTime(5 * 365 * 24 * 60 * MINUTE);
    const later = await app.signIn(admin);
    expect(await getCallStatus(later)).toBe(200);
    vi.useRealTimers();
    expect(await getCallStatus(later)).toBe(401);
  });

  test('stay valid while their last use cannot be saved yet, and reads do not wait for that', async ({
    app,
    admin,
  }) => {
    const release = await holdTransaction(app.db.write, (tx) =>
      tx.updateTable('sessions').set({ user_id: admin.user.id }).execute(),
    );
    for (let i = 0; i < 3; i += 1) {
      passTime(29 * MINUTE);
      expect(await getCallStatus(admin)).toBe(200);
    }
    const used = new Date().toISOString().slice(0, 16);
    const closing = app.app.close();
    await Promise.all([release(), closing]);
    const session = await app.db.read.selectFrom('sessions').select('last_used_at').executeTakeFirst();
    expect(session?.last_used_at.slice(0, 16)).toBe(used);
  });

  test('survive a restart, and ended ones stay ended', async ({ onTestFinished }) => {
    const database = await engine.prepare({ isMade: true });
    onTestFinished(() => database.remove());
    const before = await TestApp.open(engine, { database });
    const admin = await before.register();
    const second = await before.signIn(admin);
    await second.post('/api/logout');
    await before.close();
    const after = await TestApp.open(engine, { database });
    onTestFinished(() => after.close());
    expect((await after.call('GET', '/api/users', { token: admin.token })).status).toBe(200);
    expect((await after.call('GET', '/api/users', { token: second.token })).status).toBe(401);
  });

  // Covers A3
  test('leave no usable token or password in the database', async ({ onTestFinished }) => {
    const database = await engine.prepare({ isMade: true });
    onTestFinished(() => database.remove());
    const app = await TestApp.open(engine, { database });
    const { token, password } = await app.register();
    const tokenHash = createHash('sha256').update(token).digest('hex');
    const rows = await readAllRows(app);
    expect(rows).toContain(tokenHash);
    expect(rows).not.toContain(token);
    expect(rows).not.toContain(password);
    await app.close();
    for (const name of readdirSync(database.folder)) {
      const bytes = readFileSync(path.join(database.folder, name));
      expect([bytes.includes(token), bytes.includes(password)], name).toEqual([false, false]);
    }
  });
});

/** All rows of the database as text. */
async function readAllRows({ db: { read } }: TestApp): Promise<string> {
  const tables = await read.introspection.getTables();
  const rows = [];
  for (const { name } of tables) rows.push(await sql`select * from ${sql.table(name)}`.execute(read));
  return JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

describe.each(sharedApps())('signing out, on $name', ({ test }) => {
  test('ends only its own session, permanently', async ({ app, admin }) => {
    const other = await app.signIn(admin);
    const answer = await other.post('/api/logout');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ loggedOut: true, token: null, message: expect.any(String) });
    expect(await getCallStatus(other)).toBe(401);
    expect((await other.post('/api/logout')).status).toBe(401);
    expect(await getCallStatus(admin)).toBe(200);
  });

  test('accepts an empty body with the content type JSON', async ({ app, admin }) => {
    const other = await app.signIn(admin);
    expect((await other.call('POST', '/api/logout', { body: '' })).status).toBe(200);
  });
});

describe.each(sharedApps())('a token, on $name', ({ test }) => {
  // Covers A1
  test.for<[string, (token: string) => Record<string, string>]>([
    ['is missing', () => ({})],
    ['is empty', () => ({ authorization: 'Bearer ' })],
    ['is cut short', (token) => ({ authorization: `Bearer ${token.slice(0, -1)}` })],
    ['has an extra character', (token) => ({ authorization: `Bearer ${token}x` })],
    ['is in another case', (token) => ({ authorization: `Bearer ${swapCase(token)}` })],
    ['has another scheme', (token) => ({ authorization: `Basic ${token}` })],
    ['has no scheme', (token) => ({ authorization: token })],
    ['is sent as a cookie', (token) => ({ cookie: `token=${token}; AUTH-TOKEN=${token}` })],
    ['does not exist', () => ({ authorization: `Bearer ${'A'.repeat(43)}` })],
    ['is SQL', () => ({ authorization: "Bearer ' or 1=1 --" })],
  ])('that %s is refused', async ([, headers], { app, admin }) => {
    const answer = await app.call('GET', '/api', { headers: headers(admin.token) });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(answer.body).toEqual({ message: 'Unauthenticated.' });
  });

  // Covers A1
  test('in the URL is refused', async ({ app, admin: { token } }) => {
    for (const name of ['token', 'access_token', 'api_token']) {
      expect((await app.call('GET', `/api?${name}=${token}`)).status).toBe(401);
    }
  });

  test('may have its scheme in any case', async ({ app, admin: { token } }) => {
    const headers = { authorization: `bearer ${token}` };
    expect((await app.call('GET', '/api', { headers })).status).toBe(200);
  });
});

const swapCase = (text: string) =>
  text.replace(/[a-z]/gi, (one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase()));
