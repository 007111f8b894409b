import { afterEach, describe, expect, vi } from 'vitest';
import {
  freshApps,
  getFieldErrors,
  type Person,
  sharedApps,
  TestApp,
} from '../../../../tests/support/app/test-app.ts';
import { signedInReply } from '../../../contract/accounts/accounts.ts';

const DAY = 24 * 3_600_000;
const setClock = (time: number) => vi.useFakeTimers({ toFake: ['Date'], now: time });
afterEach(() => {
  vi.useRealTimers();
});

const guess = (app: TestApp, email: string, password: string, from?: string) =>
  app.call('POST', '/api/login', { body: { email, password }, ...(from === undefined ? {} : { from }) });

describe.each(sharedApps())('signing in, on $name', ({ test }) => {
  test('answers a new token each time, and the account', async ({ app, admin }) => {
    const answer = await guess(app, admin.user.email.toUpperCase(), admin.password);
    expect(answer.status).toBe(200);
    const { token, user } = signedInReply.parse(answer.body);
    expect(user).toEqual(admin.user);
    expect(token).not.toBe(admin.token);
    expect((await app.call('GET', '/api/users', { token })).status).toBe(200);
    expect((await admin.get('/api/users')).status).toBe(200);
  });

  test('answers the same to an unknown address as to a wrong password', async ({ app, admin }) => {
    const unknown = await guess(app, 'nobody@faculty.example', admin.password);
    const wrong = await guess(app, admin.user.email, `${admin.password}x`);
    expect(unknown.status).toBe(401);
    expect(wrong.status).toBe(401);
    expect(wrong.text).toBe(unknown.text);
    expect(wrong.body).toEqual({ message: 'Invalid Creditentials.' });
    expect(Object.keys(wrong.headers)).toEqual(Object.keys(unknown.headers));
    expect(wrong.headers).not.toHaveProperty('www-authenticate');
  });

  test.for<[string, Record<string, unknown>, string[]]>([
    ['nothing', {}, ['email', 'password']],
    ['no password', { email: 'a@x.example' }, ['password']],
    ['an array as the password', { email: 'a@x.example', password: ['x'] }, ['password']],
    ['an object as the address', { email: { $gt: '' }, password: 'x' }, ['email']],
    ['a number as the password', { email: 'a@x.example', password: 1 }, ['password']],
    ['null as the password', { email: 'a@x.example', password: null }, ['password']],
    ['a megabyte as the password', { email: 'a@x.example', password: 'x'.repeat(1e6) }, ['password']],
  ])('refuses %s', async ([, body, fields], { app }) => {
    expect(Object.keys(getFieldErrors(await app.call('POST', '/api/login', { body })))).toEqual(fields);
  });

  test('treats SQL as an unknown or an invalid address', async ({ app }) => {
    expect((await guess(app, "'or'1'='1@x.example", 'whatever')).status).toBe(401);
    expect((await guess(app, "' OR 1=1--", 'whatever')).status).toBe(422);
  });

  test('answers requests for a recovery link the same for known and unknown addresses', async ({
    app,
    admin,
  }) => {
    const ask = (email: string) => app.call('POST', '/api/forgot-password', { body: { email } });
    const known = await ask(admin.user.email);
    const unknown = await ask('nobody@faculty.example');
    expect(known.status).toBe(202);
    expect(unknown.status).toBe(202);
    expect(known.text).toBe(unknown.text);
  });
});

describe.each(freshApps({ settings: { loginLimit: 3 } }))(
  'guessing passwords, on $name',
  ({ test, engine }) => {
    // Covers A6
    test('is refused after the limit with a Retry-After header, even for the right password', async ({
      app,
      admin: { user, password },
    }) => {
      for (let i = 0; i < 3; i += 1) expect((await guess(app, user.email, `wrong ${i}`)).status).toBe(401);
      const refused = await guess(app, user.email, password);
      expect(refused.status).toBe(429);
      expect(refused.headers['retry-after']).toMatch(/^[1-9]\d*$/);
      expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(15 * 60);
      expect((await guess(app, user.email.toUpperCase(), password)).status).toBe(429);
    });

    test('does not lock out other client addresses or other accounts', async ({ app, admin, staff }) => {
      for (let i = 0; i < 4; i += 1) await guess(app, admin.user.email, `wrong ${i}`, '10.0.0.1');
      expect((await guess(app, admin.user.email, admin.password, '10.0.0.1')).status).toBe(429);
      expect((await guess(app, admin.user.email, admin.password, '10.0.0.2')).status).toBe(200);
      expect((await guess(app, staff.user.email, staff.password, '10.0.0.1')).status).toBe(200);
    });

    test('is limited for unknown addresses too', async ({ app }) => {
      const statuses = [];
      for (let i = 0; i < 4; i += 1) statuses.push((await guess(app, 'no@x.example', 'wrong one')).status);
      expect(statuses).toEqual([401, 401, 401, 429]);
    });

    test('cannot exceed the limit with concurrent calls', async ({ app, admin: { user } }) => {
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, i) => guess(app, user.email, `wrong ${i}`)),
      );
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(3);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(9);
    });

    test('is limited to ten times as many attempts over all accounts from one client address', async ({
      app,
      admin,
    }) => {
      const spray = (i: number) => guess(app, `someone${i}@x.example`, 'wrong one', '10.8.8.8');
      const statuses = (await Promise.all(Array.from({ length: 40 }, (_, i) => spray(i)))).map(
        (one) => one.status,
      );
      expect(statuses.filter((status) => status === 401)).toHaveLength(30);
      expect(statuses.filter((status) => status === 429)).toHaveLength(10);
      expect((await guess(app, admin.user.email, admin.password, '10.8.8.8')).status).toBe(429);
      expect((await guess(app, admin.user.email, admin.password, '10.9.9.9')).status).toBe(200);
    });

    test('is counted from zero again after a right password', async ({ app, admin: { user, password } }) => {
      for (let round = 0; round < 3; round += 1) {
        await guess(app, user.email, 'wrong 1');
        await guess(app, user.email, 'wrong 2');
        expect((await guess(app, user.email, password)).status).toBe(200);
      }
    });

    // Covers A11
    test('is counted without X-Forwarded-For when no proxy is trusted', async ({ app, admin: { user } }) => {
      const statuses = [];
      for (let i = 0; i < 4; i += 1) {
        const headers = { 'x-forwarded-for': `10.0.0.${i}` };
        const body = { email: user.email, password: 'wrong one' };
        statuses.push((await app.call('POST', '/api/login', { body, headers })).status);
      }
      expect(statuses).toEqual([401, 401, 401, 429]);
    });

    // Covers A36
    test('is limited where one confirms one’s own password too', async ({ admin }) => {
      const edit = (password: string) =>
        admin.put(`/api/users/${admin.user.id}`, { ...admin.user, password });
      for (let i = 0; i < 3; i += 1) expect((await edit(`wrong ${i}`)).status).toBe(401);
      expect((await edit(admin.password)).status).toBe(429);
    });

    // Covers A9
    test('is counted per session where one confirms one’s own password', async ({ app, admin, staff }) => {
      const elsewhere = await app.signIn(staff);
      const edit = (person: Person, password: string) =>
        person.put(`/api/users/${person.user.id}`, { ...person.user, password });
      for (let i = 0; i < 4; i += 1) await edit(staff, `wrong ${i}`);
      expect((await edit(staff, staff.password)).status).toBe(429);
      expect((await edit(elsewhere, staff.password)).status).toBe(200);
      expect((await edit(admin, admin.password)).status).toBe(200);
      expect((await guess(app, staff.user.email, staff.password)).status).toBe(200);
    });

    // Covers A5, A10
    test('is not limited by a window that began while the clock was a day ahead', async ({ app, admin }) => {
      const { user, password } = admin;
      const registerTakenAddress = () =>
        app.call('POST', '/api/register', {
          body: { ...user, password, password_confirmation: password },
        });
      const now = Date.now();
      setClock(now + DAY);
      for (let i = 0; i < 3; i += 1) await guess(app, user.email, `wrong ${i}`);
      for (let i = 0; i < 30; i += 1) await registerTakenAddress();
      expect((await guess(app, user.email, password)).status).toBe(429);
      expect((await registerTakenAddress()).status).toBe(429);
      setClock(now);
      expect((await registerTakenAddress()).status).toBe(422);
      expect((await guess(app, user.email, password)).status).toBe(200);
    });

    // Covers A10
    test('is limited by a window of a process whose clock is seconds ahead', async ({
      app,
      admin: { user, password },
    }) => {
      const now = Date.now();
      setClock(now + 10_000);
      for (let i = 0; i < 3; i += 1) await guess(app, user.email, `wrong ${i}`);
      setClock(now);
      expect((await guess(app, user.email, password)).status).toBe(429);
    });

    // Covers A9
    test('is limited from a network where the account last signed in over two weeks ago', async ({
      app,
      admin,
    }) => {
      const useUp = () =>
        Promise.all(Array.from({ length: 30 }, (_, i) => guess(app, `someone${i}@x.example`, 'wrong')));
      const now = Date.now();
      await useUp();
      expect((await guess(app, admin.user.email, admin.password)).status).toBe(200);
      setClock(now + 15 * DAY);
      await useUp();
      expect((await guess(app, admin.user.email, admin.password)).status).toBe(429);
    });

    test('stays limited after a restart', async ({ onTestFinished }) => {
      const database = await engine.prepare({ isMade: true });
      onTestFinished(() => database.remove());
      const options = { database, settings: { loginLimit: 3 } };
      const before = await TestApp.open(engine, options);
      const { user, password } = await before.register();
      for (let i = 0; i < 3; i += 1) await guess(before, user.email, `wrong ${i}`);
      await before.close();
      const after = await TestApp.open(engine, options);
      onTestFinished(() => after.close());
      expect((await guess(after, user.email, password)).status).toBe(429);
    });
  },
);

describe.each(freshApps({ settings: { loginLimit: 1 }, trustedProxies: ['127.0.0.1'] }))(
  'guessing passwords behind a trusted proxy, on $name',
  ({ test }) => {
    // Covers A11
    test('is counted by the client address from the proxy', async ({ app, admin: { user } }) => {
      const from = async (address: string) => {
        const body = { email: user.email, password: 'wrong one' };
        const headers = { 'x-forwarded-for': address };
        return (await app.call('POST', '/api/login', { body, headers })).status;
      };
      expect([await from('10.0.0.1'), await from('10.0.0.1'), await from('10.0.0.2')]).toEqual([
        401, 429, 401,
      ]);
    });
  },
);
