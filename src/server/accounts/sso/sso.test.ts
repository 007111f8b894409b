import { TOTP } from 'otpauth';
import { afterAll, afterEach, describe, expect, vi } from 'vitest';
import { freshApps, getFieldErrors, TestApp } from '../../../../tests/support/app/test-app.ts';
import { unique } from '../../../../tests/support/records.ts';
import { OpenIdProvider } from '../../../../tests/support/services/openid-provider.ts';
import { signedInReply } from '../../../contract/accounts/accounts.ts';
import { providerStartReply, secondFactorSetupReply } from '../../../contract/accounts/sign-in.ts';
import { createProvider } from './oidc-client.ts';

const PUBLIC_URL = new URL('http://127.0.0.1:3999');
const openId = await OpenIdProvider.start(PUBLIC_URL);
const provider = createProvider(openId.settings, PUBLIC_URL);
afterAll(() => openId.stop());
afterEach(() => {
  vi.useRealTimers();
  openId.forge = undefined;
  openId.forgesSignature = false;
});

/** Adds a person to the provider and answers their identifier. */
function addPerson(claims: { email?: string; email_verified?: boolean; name?: string } = {}): string {
  const person = unique();
  openId.people.set(person, {
    ...{ email: `${person}@faculty.example`, email_verified: true, name: 'Bilal Ahmed' },
    ...claims,
  });
  return person;
}

/** Starts a sign-in and answers the URL of the provider and the browser's cookie. */
async function startSignIn(app: TestApp) {
  const answer = await app.call('POST', '/api/provider/begin');
  expect(answer.status, answer.text).toBe(200);
  const cookie = String(answer.headers['set-cookie']);
  expect(cookie).toMatch(/^sims-sign-in=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/);
  return { url: providerStartReply.parse(answer.body).url, cookie: cookie.split(';', 1)[0] ?? '' };
}

/** Returns from the provider to the product and answers where it redirects to. */
async function returnFromProvider(app: TestApp, returned: URL, cookie: string): Promise<string> {
  const answer = await app.call('GET', `${returned.pathname}${returned.search}`, { headers: { cookie } });
  expect(answer.status, answer.text).toBe(303);
  return String(answer.headers.location);
}

const finish = (app: TestApp, cookie: string, body: object) =>
  app.call('POST', '/api/provider/finish', { body, headers: { cookie } });

async function getTicket(app: TestApp, person: string) {
  const { url, cookie } = await startSignIn(app);
  const place = await returnFromProvider(app, await openId.signIn(url, person), cookie);
  const ticket = /^\/login#sign-in=([\w-]{43})$/.exec(place)?.[1];
  return { place, ticket, cookie };
}

async function signIn(app: TestApp, person: string, more: object = {}) {
  const { ticket, cookie } = await getTicket(app, person);
  return finish(app, cookie, { ticket, ...more });
}

const getRefusalUrl = (why: string) => `/login#sign-in-refused=${why}`;

describe.each(freshApps({ provider }))('signing in with a provider, on $name', ({ test, engine }) => {
  test('creates an account the first time, the very first as administrator, and reuses it later', async ({
    app,
  }) => {
    const first = addPerson();
    const answer = await signIn(app, first);
    expect(answer.status, answer.text).toBe(200);
    const { user, token } = signedInReply.parse(answer.body);
    expect(user).toMatchObject({ name: 'Bilal Ahmed', email: `${first}@faculty.example`, role: 'admin' });
    expect((await app.call('GET', '/api/users', { token })).status).toBe(200);
    const second = signedInReply.parse((await signIn(app, addPerson())).body);
    expect(second.user.role).toBe('staff');
    // The address at the provider may change; the account stays the same.
    openId.people.set(first, { email: 'other@faculty.example', email_verified: true });
    expect(signedInReply.parse((await signIn(app, first)).body).user).toEqual(user);
    const rows = app.db.read.selectFrom('history').select(['user_id', 'after']).orderBy('id');
    const history = await rows.where('entity_id', '=', String(user.id)).execute();
    expect(history.map(({ after }) => after)).toEqual([
      JSON.stringify(user),
      JSON.stringify({ linked_to: openId.settings.issuer.origin }),
    ]);
  });

  test('gives an account no usable password', async ({ app }) => {
    const { user } = signedInReply.parse((await signIn(app, addPerson())).body);
    for (const password of ['', 'password', user.email]) {
      const answer = await app.call('POST', '/api/login', { body: { email: user.email, password } });
      expect([401, 422]).toContain(answer.status);
    }
  });

  // Covers A31
  test('links an existing account only with its password, limits attempts, and links no second person', async ({
    app,
    admin,
    staff,
  }) => {
    const person = addPerson({ email: staff.user.email.toUpperCase() });
    const { ticket, cookie } = await getTicket(app, person);
    expect(getFieldErrors(await finish(app, cookie, { ticket }))).toEqual({
      password: ['The password field is required.'],
    });
    const wrong = await finish(app, cookie, { ticket, password: 'not the password' });
    expect([wrong.status, wrong.headers['www-authenticate']]).toEqual([401, undefined]);
    const others = await finish(app, cookie, { ticket, password: admin.password });
    expect(others.status).toBe(401);
    const answer = await finish(app, cookie, { ticket, password: staff.password });
    expect(signedInReply.parse(answer.body).user).toEqual(staff.user);
    expect((await signIn(app, person)).status).toBe(200);

    const impostor = addPerson({ email: staff.user.email });
    expect((await signIn(app, impostor, { password: staff.password })).status).toBe(403);
    for (let i = 0; i < 12; i += 1) await signIn(app, impostor, { password: `wrong ${i}` });
    expect((await signIn(app, impostor, { password: staff.password })).status).toBe(429);
  });

  // Covers A28
  test('requires the code of an account with two-factor authentication', async ({ app, staff }) => {
    const person = addPerson({ email: staff.user.email });
    await signIn(app, person, { password: staff.password });
    const setup = await staff.post('/api/second-factor', { password: staff.password });
    const { secret } = secondFactorSetupReply.parse(setup.body);
    await staff.post('/api/second-factor/confirm', { code: new TOTP({ secret }).generate() });
    const { ticket, cookie } = await getTicket(app, person);
    expect(getFieldErrors(await finish(app, cookie, { ticket }))).toEqual({
      code: ['The code field is required.'],
    });
    expect((await finish(app, cookie, { ticket, code: '000000' })).status).toBe(401);
    // Asking for the code has extended the ticket beyond its first minute.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 4 * 60_000 });
    expect((await finish(app, cookie, { ticket, code: new TOTP({ secret }).generate() })).status).toBe(200);
  });

  // Covers A33
  test('refuses locked accounts and people who may not register', async ({
    app,
    admin,
    staff,
    onTestFinished,
  }) => {
    const person = addPerson({ email: staff.user.email });
    await signIn(app, person, { password: staff.password });
    await admin.put(`/api/users/${staff.user.id}/lock`, { locked: true, password: admin.password });
    expect((await signIn(app, person)).status).toBe(403);

    const closed = await TestApp.open(engine, { provider, settings: { registration: { kind: 'closed' } } });
    onTestFinished(() => closed.close());
    expect((await signIn(closed, addPerson())).status).toBe(200);
    expect((await signIn(closed, addPerson())).status).toBe(403);
    expect(await closed.db.read.selectFrom('users').select('id').execute()).toHaveLength(1);
  });

  // Covers A29
  test('refuses forged and repeated returns from the provider', async ({ app }) => {
    const person = addPerson();
    const { url, cookie } = await startSignIn(app);
    const returned = await openId.signIn(url, person);
    const changed = (name: string, value: string) => {
      const other = new URL(returned);
      other.searchParams.set(name, value);
      return other;
    };
    const { cookie: otherCookie } = await startSignIn(app);
    expect(await returnFromProvider(app, returned, '')).toBe(getRefusalUrl('expired'));
    expect(await returnFromProvider(app, returned, otherCookie)).toBe(getRefusalUrl('failed'));
    expect(await returnFromProvider(app, changed('state', 'another'), cookie)).toBe(getRefusalUrl('failed'));
    // A refusal invalidates the state.
    expect(await returnFromProvider(app, returned, cookie)).toBe(getRefusalUrl('expired'));

    const secondSignIn = await startSignIn(app);
    const back = await openId.signIn(secondSignIn.url, person);
    expect(await returnFromProvider(app, back, secondSignIn.cookie)).toContain('#sign-in=');
    expect(await returnFromProvider(app, back, secondSignIn.cookie)).toBe(getRefusalUrl('expired'));
    const thirdSignIn = await startSignIn(app);
    const replayed = new URL(await openId.signIn(thirdSignIn.url, person));
    replayed.searchParams.set('code', back.searchParams.get('code') ?? '');
    expect(await returnFromProvider(app, replayed, thirdSignIn.cookie)).toBe(getRefusalUrl('failed'));
    expect(await app.db.read.selectFrom('users').select('id').execute()).toEqual([]);
  });

  // Covers A30
  test.for<[string, (claims: Record<string, unknown>) => Record<string, unknown>, string]>([
    ['a different nonce', (claims) => ({ ...claims, nonce: 'another' }), 'failed'],
    ['a different audience', (claims) => ({ ...claims, aud: 'another product' }), 'failed'],
    ['a different issuer', (claims) => ({ ...claims, iss: 'http://127.0.0.1:1' }), 'failed'],
    ['an expiry time in the past', (claims) => ({ ...claims, exp: 1_600_000_000 }), 'failed'],
    [
      'an invalid address marked as verified',
      (claims) => ({ ...claims, email: 'x', email_verified: true }),
      'failed',
    ],
    [
      'an unverified address',
      (claims) => ({ ...claims, email: 'a@x.example', email_verified: 'true' }),
      'unverified',
    ],
  ])('refuses a token with %s', async ([, forge, why], { app }) => {
    openId.forge = forge;
    expect((await getTicket(app, addPerson())).place).toBe(getRefusalUrl(why));
    expect(await app.db.read.selectFrom('users').select('id').execute()).toEqual([]);
  });

  // Covers A30
  test('refuses a token that is not signed with a key of the provider', async ({ app }) => {
    openId.forge = (claims) => claims;
    expect((await getTicket(app, addPerson())).ticket).toMatch(/^[\w-]{43}$/);
    openId.forgesSignature = true;
    expect((await getTicket(app, addPerson())).place).toBe(getRefusalUrl('failed'));
    expect(await app.db.read.selectFrom('users').select('id').execute()).toEqual([]);
  });

  // Covers A31
  test('needs an address that the provider has verified, and the person’s consent', async ({ app }) => {
    for (const claims of [{ email_verified: false }, { email_verified: undefined }]) {
      expect((await getTicket(app, addPerson(claims as object))).place).toBe(getRefusalUrl('unverified'));
    }
    expect((await getTicket(app, 'nobody')).place).toBe(getRefusalUrl('denied'));
  });

  // Covers A32
  test('is completed only by the browser that started it, once and within a minute', async ({ app }) => {
    const { ticket, cookie } = await getTicket(app, addPerson());
    const invalidTicket = { ticket: ['This sign-in is no longer valid. Start it again.'] };
    const { cookie: otherCookie } = await startSignIn(app);
    expect(getFieldErrors(await finish(app, otherCookie, { ticket }))).toEqual(invalidTicket);
    expect(getFieldErrors(await finish(app, '', { ticket }))).toEqual(invalidTicket);
    expect(getFieldErrors(await finish(app, cookie, { ticket: 'x' }))).toEqual(invalidTicket);
    const concurrent = await Promise.all(Array.from({ length: 4 }, () => finish(app, cookie, { ticket })));
    expect(concurrent.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
    const late = await getTicket(app, addPerson());
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    expect(getFieldErrors(await finish(app, late.cookie, { ticket: late.ticket }))).toEqual(invalidTicket);
  });

  test('answers 503 while the provider is unreachable, and other calls work', async ({ onTestFinished }) => {
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
