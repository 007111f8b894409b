import { TOTP } from 'otpauth';
import { afterAll, afterEach, describe, expect, vi } from 'vitest';
import { errorsOf, freshApps, TestApp } from '../../../tests/support/app.ts';
import { OpenIdProvider } from '../../../tests/support/openid-provider.ts';
import { unique } from '../../../tests/support/records.ts';
import { signedInReply } from '../../contract/accounts.ts';
import { secondFactorBegunReply } from '../../contract/second-factor.ts';
import { providerBegunReply } from '../../contract/sign-in-provider.ts';
import { createProvider } from './provider.ts';

const PUBLIC_URL = new URL('http://127.0.0.1:3999');
const openId = await OpenIdProvider.start(PUBLIC_URL);
const provider = createProvider(openId.settings, PUBLIC_URL);
afterAll(() => openId.stop());
afterEach(() => {
  vi.useRealTimers();
  openId.forge = undefined;
});

/** Somebody whom the provider knows. */
function somebody(claims: { email?: string; email_verified?: boolean; name?: string } = {}): string {
  const person = unique();
  openId.people.set(person, {
    ...{ email: `${person}@faculty.example`, email_verified: true, name: 'Bilal Ahmed' },
    ...claims,
  });
  return person;
}

/** Begins in a browser and answers the address of the provider and the browser's cookie. */
async function begin(app: TestApp) {
  const answer = await app.call('POST', '/api/provider/begin');
  expect(answer.status, answer.text).toBe(200);
  const cookie = String(answer.headers['set-cookie']);
  expect(cookie).toMatch(/^sims-sign-in=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/);
  return { url: providerBegunReply.parse(answer.body).url, cookie: cookie.split(';', 1)[0] ?? '' };
}

/** Where the browser is led on to when it comes back. */
async function comeBack(app: TestApp, returned: URL, cookie: string): Promise<string> {
  const answer = await app.call('GET', `${returned.pathname}${returned.search}`, { headers: { cookie } });
  expect(answer.status, answer.text).toBe(303);
  return String(answer.headers.location);
}

const finish = (app: TestApp, cookie: string, body: object) =>
  app.call('POST', '/api/provider/finish', { body, headers: { cookie } });

async function toTicket(app: TestApp, person: string) {
  const { url, cookie } = await begin(app);
  const place = await comeBack(app, await openId.signIn(url, person), cookie);
  const ticket = /^\/login#sign-in=([\w-]{43})$/.exec(place)?.[1];
  return { place, ticket, cookie };
}

async function signIn(app: TestApp, person: string, more: object = {}) {
  const { ticket, cookie } = await toTicket(app, person);
  return finish(app, cookie, { ticket, ...more });
}

const refused = (why: string) => `/login#sign-in-refused=${why}`;

describe.each(freshApps({ provider }))('signing in with a provider, on $name', ({ test, engine }) => {
  test('makes the account the first time, the first of all as the administrator, and finds it again', async ({
    app,
  }) => {
    const first = somebody();
    const answer = await signIn(app, first);
    expect(answer.status, answer.text).toBe(200);
    const { user, token } = signedInReply.parse(answer.body);
    expect(user).toMatchObject({ name: 'Bilal Ahmed', email: `${first}@faculty.example`, role: 'admin' });
    expect((await app.call('GET', '/api/users', { token })).status).toBe(200);
    const second = signedInReply.parse((await signIn(app, somebody())).body);
    expect(second.user.role).toBe('staff');
    // The address there may change; the person is the same.
    openId.people.set(first, { email: 'other@faculty.example', email_verified: true });
    expect(signedInReply.parse((await signIn(app, first)).body).user).toEqual(user);
    const rows = app.db.read.selectFrom('history').select(['user_id', 'after']).orderBy('id');
    const history = await rows.where('entity_id', '=', String(user.id)).execute();
    expect(history.map(({ after }) => after)).toEqual([
      JSON.stringify(user),
      JSON.stringify({ linked_to: openId.settings.issuer.origin }),
    ]);
  });

  test('gives an account no password that anybody knows', async ({ app }) => {
    const { user } = signedInReply.parse((await signIn(app, somebody())).body);
    for (const password of ['', 'password', user.email]) {
      const answer = await app.call('POST', '/api/login', { body: { email: user.email, password } });
      expect([401, 422]).toContain(answer.status);
    }
  });

  test('links an account that has the address only with its password, counted, and with nobody else after', async ({
    app,
    admin,
    staff,
  }) => {
    const person = somebody({ email: staff.user.email.toUpperCase() });
    const { ticket, cookie } = await toTicket(app, person);
    expect(errorsOf(await finish(app, cookie, { ticket }))).toEqual({
      password: ['The password field is required.'],
    });
    const wrong = await finish(app, cookie, { ticket, password: 'not the password' });
    expect([wrong.status, wrong.headers['www-authenticate']]).toEqual([401, undefined]);
    const others = await finish(app, cookie, { ticket, password: admin.password });
    expect(others.status).toBe(401);
    const answer = await finish(app, cookie, { ticket, password: staff.password });
    expect(signedInReply.parse(answer.body).user).toEqual(staff.user);
    expect((await signIn(app, person)).status).toBe(200);

    const impostor = somebody({ email: staff.user.email });
    expect((await signIn(app, impostor, { password: staff.password })).status).toBe(403);
    for (let i = 0; i < 12; i += 1) await signIn(app, impostor, { password: `wrong ${i}` });
    expect((await signIn(app, impostor, { password: staff.password })).status).toBe(429);
  });

  test('asks for the second factor that is set up here', async ({ app, staff }) => {
    const person = somebody({ email: staff.user.email });
    await signIn(app, person, { password: staff.password });
    const begun = await staff.post('/api/second-factor', { password: staff.password });
    const { secret } = secondFactorBegunReply.parse(begun.body);
    await staff.post('/api/second-factor/confirm', { code: new TOTP({ secret }).generate() });
    const { ticket, cookie } = await toTicket(app, person);
    expect(errorsOf(await finish(app, cookie, { ticket }))).toEqual({
      code: ['The code field is required.'],
    });
    expect((await finish(app, cookie, { ticket, code: '000000' })).status).toBe(401);
    // The ticket now lasts longer than the minute it had.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 4 * 60_000 });
    expect((await finish(app, cookie, { ticket, code: new TOTP({ secret }).generate() })).status).toBe(200);
  });

  test('refuses a locked account, and who may not register', async ({
    app,
    admin,
    staff,
    onTestFinished,
  }) => {
    const person = somebody({ email: staff.user.email });
    await signIn(app, person, { password: staff.password });
    await admin.put(`/api/users/${staff.user.id}/lock`, { locked: true, password: admin.password });
    expect((await signIn(app, person)).status).toBe(403);

    const closed = await TestApp.open(engine, { provider, settings: { registration: { kind: 'closed' } } });
    onTestFinished(() => closed.close());
    expect((await signIn(closed, somebody())).status).toBe(200);
    expect((await signIn(closed, somebody())).status).toBe(403);
    expect(await closed.db.read.selectFrom('users').select('id').execute()).toHaveLength(1);
  });

  test('lets nobody in by what did not come from the provider, or comes again', async ({ app }) => {
    const person = somebody();
    const { url, cookie } = await begin(app);
    const returned = await openId.signIn(url, person);
    const changed = (name: string, value: string) => {
      const other = new URL(returned);
      other.searchParams.set(name, value);
      return other;
    };
    const { cookie: strangers } = await begin(app);
    expect(await comeBack(app, returned, '')).toBe(refused('expired'));
    expect(await comeBack(app, returned, strangers)).toBe(refused('failed'));
    expect(await comeBack(app, changed('state', 'another'), cookie)).toBe(refused('failed'));
    // A refusal uses the state up.
    expect(await comeBack(app, returned, cookie)).toBe(refused('expired'));

    const again = await begin(app);
    const back = await openId.signIn(again.url, person);
    expect(await comeBack(app, back, again.cookie)).toContain('#sign-in=');
    expect(await comeBack(app, back, again.cookie)).toBe(refused('expired'));
    const third = await begin(app);
    const replayed = new URL(await openId.signIn(third.url, person));
    replayed.searchParams.set('code', back.searchParams.get('code') ?? '');
    expect(await comeBack(app, replayed, third.cookie)).toBe(refused('failed'));
    expect(await app.db.read.selectFrom('users').select('id').execute()).toEqual([]);
  });

  test.for<[string, (claims: Record<string, unknown>) => Record<string, unknown>, string]>([
    ['another nonce', (claims) => ({ ...claims, nonce: 'another' }), 'failed'],
    ['another audience', (claims) => ({ ...claims, aud: 'another product' }), 'failed'],
    ['another issuer', (claims) => ({ ...claims, iss: 'http://127.0.0.1:1' }), 'failed'],
    ['a time gone by', (claims) => ({ ...claims, exp: 1_600_000_000 }), 'failed'],
    [
      'an address for sure that is none',
      (claims) => ({ ...claims, email: 'x', email_verified: true }),
      'failed',
    ],
    [
      'an address not verified',
      (claims) => ({ ...claims, email: 'a@x.example', email_verified: 'true' }),
      'unverified',
    ],
  ])('lets nobody in by a token of %s', async ([, forge, why], { app }) => {
    openId.forge = forge;
    expect((await toTicket(app, somebody())).place).toBe(refused(why));
    expect(await app.db.read.selectFrom('users').select('id').execute()).toEqual([]);
  });

  test('needs an address that the provider has verified, and a yes', async ({ app }) => {
    for (const claims of [{ email_verified: false }, { email_verified: undefined }]) {
      expect((await toTicket(app, somebody(claims as object))).place).toBe(refused('unverified'));
    }
    expect((await toTicket(app, 'nobody')).place).toBe(refused('denied'));
  });

  test('is finished by the browser that began, once, within a minute', async ({ app }) => {
    const { ticket, cookie } = await toTicket(app, somebody());
    const spent = { ticket: ['This sign-in is no longer valid. Start it again.'] };
    const { cookie: strangers } = await begin(app);
    expect(errorsOf(await finish(app, strangers, { ticket }))).toEqual(spent);
    expect(errorsOf(await finish(app, '', { ticket }))).toEqual(spent);
    expect(errorsOf(await finish(app, cookie, { ticket: 'x' }))).toEqual(spent);
    const atOnce = await Promise.all(Array.from({ length: 4 }, () => finish(app, cookie, { ticket })));
    expect(atOnce.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
    const late = await toTicket(app, somebody());
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    expect(errorsOf(await finish(app, late.cookie, { ticket: late.ticket }))).toEqual(spent);
  });

  test('says so when the provider is away, and works when it is back', async ({ onTestFinished }) => {
    const away = await OpenIdProvider.start(PUBLIC_URL);
    await away.stop();
    const app = await TestApp.open(engine, { provider: createProvider(away.settings, PUBLIC_URL) });
    onTestFinished(() => app.close());
    for (let i = 0; i < 2; i += 1) {
      const answer = await app.call('POST', '/api/provider/begin');
      expect([answer.status, answer.body]).toEqual([
        503,
        { message: expect.stringContaining('Faculty ID can’t be reached right now.') },
      ]);
    }
    expect((await app.register()).user.role).toBe('admin');
  });
});
