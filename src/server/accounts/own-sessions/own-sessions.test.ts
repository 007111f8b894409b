import { afterEach, describe, expect, vi } from 'vitest';
import { freshApps, getFieldErrors, type Person, TestApp } from '../../../../tests/support/app/test-app.ts';
import { signedInReply } from '../../../contract/accounts/accounts.ts';
import { sessionListReply } from '../../../contract/accounts/sessions.ts';
import { hashToken } from '../sessions/sessions.ts';

afterEach(() => {
  vi.useRealTimers();
});

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

const listSessions = async (person: Pick<Person, 'get'>) =>
  sessionListReply.parse((await person.get('/api/sessions')).body);

/** Signs a person in again with the given browser and client address. */
async function signInWith(app: TestApp, { user, password }: Person, userAgent: string, from: string) {
  const headers = { 'user-agent': userAgent };
  const answer = await app.call('POST', '/api/login', {
    body: { email: user.email, password },
    headers,
    from,
  });
  return signedInReply.parse(answer.body).token;
}

const isSignedIn = async (app: TestApp, token: string) =>
  (await app.call('GET', '/api', { token })).status === 200;

async function readHistory(app: TestApp, { user }: Person) {
  const rows = app.db.read.selectFrom('history').select(['user_id', 'after']).where('entity', '=', 'user');
  const entries = await rows.where('entity_id', '=', String(user.id)).orderBy('id').execute();
  return entries.map(({ user_id, after }) => [user_id, JSON.parse(after ?? 'null') as unknown]);
}

describe.each(freshApps())('one’s own sessions, on $name', ({ test, engine }) => {
  test('are listed with time, address and device, the current one first, without those of others', async ({
    app,
    admin,
    staff,
  }) => {
    await signInWith(app, staff, 'curl/8.14.1', '10.0.0.1');
    const token = await signInWith(app, staff, FIREFOX, '2001:db8::7');
    const answer = await app.call('GET', '/api/sessions', { token });
    const sessions = sessionListReply.parse(answer.body);
    expect(sessions.map(({ current, address, device }) => [current, address, device])).toEqual([
      [true, '2001:db8::7', 'Firefox on Linux'],
      [false, '10.0.0.1', 'curl'],
      [false, '127.0.0.1', null],
    ]);
    expect(answer.text).not.toContain(token);
    expect(answer.text).not.toContain(hashToken(token).slice(0, 16));
    expect(await listSessions(admin)).toHaveLength(1);
  });

  test('are listed without expired ones', async ({ app, staff }) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 29 * 60_000 });
    await staff.get('/api');
    const other = await app.signIn(staff);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 60_000 });
    const late = await app.signIn(staff);
    expect(await listSessions(late)).toHaveLength(3);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 28.5 * 60_000 });
    expect((await listSessions(late)).map(({ current }) => current)).toEqual([true]);
    expect(await isSignedIn(app, other.token)).toBe(false);
  });

  // Covers A45
  test('are ended one by one, permanently, and only by their owner', async ({
    app,
    admin,
    staff,
    viewer,
  }) => {
    const stolen = await signInWith(app, staff, FIREFOX, '10.6.6.6');
    const otherSession = (await listSessions(staff)).find(({ current }) => !current);
    const url = `/api/sessions/${otherSession?.id}`;
    for (const stranger of [admin, viewer]) {
      const refused = await stranger.delete(url);
      expect([refused.status, refused.body]).toEqual([404, { message: 'There is no such session.' }]);
    }
    expect(await isSignedIn(app, stolen)).toBe(true);
    expect((await staff.delete(url)).status).toBe(200);
    expect(await isSignedIn(app, stolen)).toBe(false);
    expect((await staff.delete(url)).status).toBe(404);
    expect((await staff.delete('/api/sessions/1')).status).toBe(404);
    expect((await staff.delete(`/api/sessions/${hashToken(staff.token)}`)).status).toBe(404);
    expect(await listSessions(staff)).toHaveLength(1);
    expect(await readHistory(app, staff)).toContainEqual([
      staff.user.id,
      { sessions_ended: 'Firefox on Linux' },
    ]);
  });

  test('are ended all together except the current one, also by a viewer', async ({ app, admin, viewer }) => {
    const others = [await app.signIn(viewer), await app.signIn(viewer)];
    for (let round = 0; round < 2; round += 1) {
      expect((await viewer.delete('/api/sessions')).status).toBe(200);
    }
    for (const other of others) expect(await isSignedIn(app, other.token)).toBe(false);
    expect(await listSessions(viewer)).toMatchObject([{ current: true }]);
    expect(await isSignedIn(app, admin.token)).toBe(true);
    const ends = (await readHistory(app, viewer)).filter(([, after]) =>
      Reflect.has(Object(after), 'sessions_ended'),
    );
    expect(ends).toEqual([[viewer.user.id, { sessions_ended: 'all others' }]]);
  });

  // Covers A45
  test('are ended with the password once the sign-in is ten minutes ago', async ({ app, staff }) => {
    await app.signIn(staff);
    const [, other] = await listSessions(staff);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10.1 * 60_000 });
    const needed = ['Enter your current password: you signed in more than ten minutes ago.'];
    for (const url of ['/api/sessions', `/api/sessions/${other?.id}`]) {
      expect(getFieldErrors(await staff.delete(url))).toEqual({ password: needed });
      const wrong = await staff.call('DELETE', url, { body: { password: 'not mine' } });
      expect([wrong.status, wrong.headers['www-authenticate']]).toEqual([401, undefined]);
    }
    expect(await listSessions(staff)).toHaveLength(2);
    const { password } = staff;
    const ended = await staff.call('DELETE', `/api/sessions/${other?.id}`, { body: { password } });
    expect(ended.status).toBe(200);
    expect((await staff.call('DELETE', '/api/sessions', { body: { password } })).status).toBe(200);
    expect(await listSessions(staff)).toHaveLength(1);
  });

  if (engine.name === 'postgresql') {
    test('end in every process immediately', async ({ onTestFinished }) => {
      const database = await engine.prepare({ isMade: true });
      onTestFinished(() => database.remove());
      const one = await TestApp.open(engine, { database });
      onTestFinished(() => one.close());
      const other = await TestApp.open(engine, { database });
      onTestFinished(() => other.close());
      const person = await one.register();
      const otherPerson = await other.signIn(person);
      expect(await isSignedIn(one, otherPerson.token)).toBe(true);
      const [, session] = await listSessions(person);
      expect((await person.delete(`/api/sessions/${session?.id}`)).status).toBe(200);
      expect((await otherPerson.get('/api')).status).toBe(401);
    });
  }
});
