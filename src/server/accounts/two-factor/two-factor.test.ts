import { TOTP } from 'otpauth';
import { afterAll, afterEach, describe, expect, vi } from 'vitest';
import {
  freshApps,
  getFieldErrors,
  type Person,
  type TestApp,
} from '../../../../tests/support/app/test-app.ts';
import { MailServer } from '../../../../tests/support/services/mail-server.ts';
import { accountStatesReply } from '../../../contract/accounts/accounts.ts';
import {
  secondFactorConfirmedReply,
  secondFactorSetupReply,
  signInMethodsReply,
} from '../../../contract/accounts/sign-in.ts';
import { createMailer } from '../../mail.ts';

const STEP = 30_000;

afterEach(() => {
  vi.useRealTimers();
});

/** Advances the clock of the product, which then stands still. Codes depend on it. */
const passTime = (milliseconds: number) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds });
};

/** The code that an authenticator app shows `steps` time steps from now. */
const generateCode = (secret: string, steps = 0) =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + steps * STEP });

const login = (app: TestApp, { user, password }: Person, code?: unknown, from?: string) =>
  app.call('POST', '/api/login', {
    body: { email: user.email, password, ...(code !== undefined && { code }) },
    ...(from !== undefined && { from }),
  });
const getLoginStatus = async (...args: Parameters<typeof login>) => (await login(...args)).status;

async function beginSetup({ post, password }: Person): Promise<string> {
  const answer = await post('/api/second-factor', { password });
  expect(answer.status, answer.text).toBe(201);
  const { secret, uri } = secondFactorSetupReply.parse(answer.body);
  expect(new URL(uri).searchParams.get('secret')).toBe(secret);
  return secret;
}

/** Sets up a second factor and advances the clock, so that the current code is unused. */
async function setUp(person: Person) {
  const secret = await beginSetup(person);
  const answer = await person.post('/api/second-factor/confirm', { code: generateCode(secret) });
  expect(answer.status, answer.text).toBe(200);
  passTime(STEP);
  return { secret, recovery: secondFactorConfirmedReply.parse(answer.body).recovery_codes };
}

const getSecondFactor = async (person: Person) =>
  signInMethodsReply.parse((await person.get('/api/sign-in-methods')).body).second_factor;

async function readFactorHistory({ db }: TestApp) {
  const rows = db.read.selectFrom('history').select(['user_id', 'entity_id', 'after']).orderBy('id');
  const entries = await rows.where('after', 'like', '%second_factor%').execute();
  return entries.map(({ user_id, entity_id, after }) => [
    user_id,
    Number(entity_id),
    Reflect.get(Object(JSON.parse(after ?? 'null')), 'second_factor') as unknown,
  ]);
}

describe.each(freshApps())('a second factor, on $name', ({ test }) => {
  test('takes effect when a code confirms it, ends other sessions and gives ten recovery codes', async ({
    app,
    staff,
  }) => {
    const other = await app.signIn(staff);
    expect((await staff.post('/api/second-factor', { password: 'not mine' })).status).toBe(401);
    expect((await staff.post('/api/second-factor/confirm', { code: '123456' })).status).toBe(409);
    const firstSecret = await beginSetup(staff);
    expect(await getSecondFactor(staff)).toBeNull();
    expect(await getLoginStatus(app, staff)).toBe(200);
    const secret = await beginSetup(staff);
    expect(secret).not.toBe(firstSecret);
    const old = await staff.post('/api/second-factor/confirm', { code: generateCode(firstSecret) });
    expect(Object.keys(getFieldErrors(old))).toEqual(['code']);
    const answer = await staff.post('/api/second-factor/confirm', { code: generateCode(secret) });
    const codes = secondFactorConfirmedReply.parse(answer.body).recovery_codes;
    expect(new Set(codes)).toHaveLength(10);
    for (const code of codes) expect(code).toMatch(/^[a-z02-9]{4}(-[a-z02-9]{4}){5}$/);
    expect(await getSecondFactor(staff)).toMatchObject({ recovery_codes_left: 10 });
    expect((await staff.get('/api')).status).toBe(200);
    expect((await other.get('/api')).status).toBe(401);
    expect((await staff.post('/api/second-factor', { password: staff.password })).status).toBe(409);
    expect(await readFactorHistory(app)).toEqual([[staff.user.id, staff.user.id, 'set up']]);
    const stored = await app.db.read.selectFrom('recovery_codes').selectAll().execute();
    for (const code of codes) expect(JSON.stringify(stored)).not.toContain(code.replaceAll('-', ''));
  });

  test('must be confirmed within half an hour', async ({ staff }) => {
    const secret = await beginSetup(staff);
    passTime(29 * 60_000);
    await staff.get('/api');
    passTime(2 * 60_000);
    expect((await staff.post('/api/second-factor/confirm', { code: generateCode(secret) })).status).toBe(409);
  });

  // Covers A24
  test('is requested only after a right password, and a wrong code is refused like a wrong password', async ({
    app,
    admin,
    staff,
  }) => {
    const { secret } = await setUp(staff);
    expect(getFieldErrors(await login(app, staff))).toEqual({ code: ['The code field is required.'] });
    expect(getFieldErrors(await login(app, staff, ' '))).toEqual({ code: ['The code field is required.'] });
    expect(getFieldErrors(await login(app, staff, 123_456))).toEqual({ code: ['The code must be text.'] });
    const wrongPassword = await login(app, { ...staff, password: 'not the password' }, generateCode(secret));
    const wrongCode = await login(app, staff, generateCode(secret, 20));
    expect([wrongCode.status, wrongCode.text]).toEqual([401, wrongPassword.text]);
    expect(await getLoginStatus(app, { ...staff, password: 'not the password' })).toBe(401);
    expect(await getLoginStatus(app, staff, generateCode(secret).replace(/^.../, '$& '))).toBe(200);
    // Accounts without a second factor need no code, and a code that they send is ignored.
    expect(await getLoginStatus(app, admin)).toBe(200);
    expect(await getLoginStatus(app, admin, '123456')).toBe(200);
  });

  // Covers A25
  test('accepts codes of a clock half a minute off, each once, and none older than the last', async ({
    app,
    staff,
  }) => {
    const { secret } = await setUp(staff);
    passTime(2 * STEP);
    expect(await getLoginStatus(app, staff, generateCode(secret, -2))).toBe(401);
    expect(await getLoginStatus(app, staff, generateCode(secret, 2))).toBe(401);
    expect(await getLoginStatus(app, staff, generateCode(secret, -1))).toBe(200);
    expect(await getLoginStatus(app, staff, generateCode(secret, -1))).toBe(401);
    const same = generateCode(secret, 1);
    const concurrent = await Promise.all(Array.from({ length: 5 }, () => getLoginStatus(app, staff, same)));
    expect(concurrent.sort()).toEqual([200, 401, 401, 401, 401]);
    expect(await getLoginStatus(app, staff, generateCode(secret))).toBe(401);
  });

  // Covers A25
  test('accepts each recovery code once, in any spelling, and none of another account', async ({
    app,
    admin,
    staff,
  }) => {
    const { recovery } = await setUp(staff);
    const { recovery: otherCodes } = await setUp(admin);
    const [first = '', second = ''] = recovery;
    expect(await getLoginStatus(app, staff, otherCodes[0])).toBe(401);
    expect(await getLoginStatus(app, staff, first)).toBe(200);
    expect(await getLoginStatus(app, staff, first)).toBe(401);
    const typed = ` ${second.toUpperCase().replaceAll('-', ' ')} `;
    const concurrent = await Promise.all(Array.from({ length: 4 }, () => getLoginStatus(app, staff, typed)));
    expect(concurrent.sort()).toEqual([200, 401, 401, 401]);
    expect(await getSecondFactor(staff)).toMatchObject({ recovery_codes_left: 8 });
    expect(await readFactorHistory(app)).toContainEqual([staff.user.id, staff.user.id, 'recovery code used']);
  });

  // Covers A28
  test('is still required after a change of password', async ({ app, staff }) => {
    const { secret } = await setUp(staff);
    const password = 'four dry umbrellas';
    const body = { old_password: staff.password, password, password_confirmation: password };
    await staff.put(`/api/users/${staff.user.id}/change-password`, body);
    expect(getFieldErrors(await login(app, { ...staff, password }))).toHaveProperty('code');
    expect(await getLoginStatus(app, { ...staff, password }, generateCode(secret))).toBe(200);
  });

  test('is removed by its owner with password and code', async ({ app, admin, staff }) => {
    const { secret, recovery } = await setUp(staff);
    const remove = (password: string, code: unknown) =>
      staff.post('/api/second-factor/remove', { password, code });
    expect((await remove('not my password', generateCode(secret))).status).toBe(401);
    expect(Object.keys(getFieldErrors(await remove(staff.password, generateCode(secret, 9))))).toEqual([
      'code',
    ]);
    expect(Object.keys(getFieldErrors(await remove(staff.password, undefined)))).toEqual(['code']);
    const own = `/api/users/${staff.user.id}/reset-second-factor`;
    expect((await staff.post(own, { password: staff.password })).status).toBe(403);
    expect(await getSecondFactor(staff)).not.toBeNull();
    expect((await remove(staff.password, generateCode(secret))).status).toBe(200);
    expect(await getSecondFactor(staff)).toBeNull();
    expect(await getLoginStatus(app, staff)).toBe(200);
    expect(await app.db.read.selectFrom('recovery_codes').selectAll().execute()).toEqual([]);
    expect((await readFactorHistory(app)).at(-1)).toEqual([staff.user.id, staff.user.id, 'removed']);
    expect((await admin.get('/api')).status).toBe(200);
    expect(recovery).toHaveLength(10);
  });

  test('is reset by an administrator with their password, which ends its owner’s sessions', async ({
    app,
    admin,
    staff,
  }) => {
    await setUp(staff);
    const url = `/api/users/${staff.user.id}/reset-second-factor`;
    const hasSecondFactor = async () =>
      accountStatesReply
        .parse((await admin.get('/api/account-states')).body)
        .find(({ id }) => id === staff.user.id)?.second_factor;
    expect(await hasSecondFactor()).toBe(true);
    expect((await admin.post(url, { password: 'not my password' })).status).toBe(401);
    expect((await admin.post(url, { password: admin.password })).status).toBe(200);
    expect(await hasSecondFactor()).toBe(false);
    expect((await staff.get('/api')).status).toBe(401);
    expect(await getLoginStatus(app, staff)).toBe(200);
    expect((await readFactorHistory(app)).at(-1)).toEqual([admin.user.id, staff.user.id, 'reset']);
    const own = `/api/users/${admin.user.id}/reset-second-factor`;
    expect((await admin.post(own, { password: admin.password })).status).toBe(422);
    expect(
      (await admin.post('/api/users/999/reset-second-factor', { password: admin.password })).status,
    ).toBe(404);
  });
});

const mails = await MailServer.start();
afterAll(() => mails.stop());
const mailer = createMailer(mails.url, new URL('https://sims.example.edu'));

describe.each(freshApps({ settings: { loginLimit: 3 }, mailer }))('guessing codes, on $name', ({ test }) => {
  // Covers A26
  test('is limited like guessing passwords, and a right password alone does not reset the count', async ({
    app,
    staff,
  }) => {
    const { secret } = await setUp(staff);
    const statuses = [];
    for (let i = 0; i < 4; i += 1) {
      statuses.push(
        await getLoginStatus(app, staff),
        await getLoginStatus(app, staff, generateCode(secret, 20 + i)),
      );
    }
    expect(statuses).toEqual([422, 401, 422, 401, 422, 401, 429, 429]);
    expect(await getLoginStatus(app, staff, generateCode(secret))).toBe(429);
    expect(await getLoginStatus(app, staff, generateCode(secret), '10.0.0.9')).toBe(200);
  });

  // Covers A26
  test('from many addresses is refused after a hundred failures, until a recovery code is used', async ({
    app,
    staff,
  }) => {
    const { secret, recovery } = await setUp(staff);
    const { id } = staff.user;
    // Simulates ninety-nine wrong codes.
    await app.db.write
      .updateTable('second_factors')
      .set({ failures: 99 })
      .where('user_id', '=', id)
      .execute();
    expect(await getLoginStatus(app, staff, generateCode(secret, 20), '10.0.0.1')).toBe(401);
    expect(await getLoginStatus(app, staff, generateCode(secret), '10.0.0.2')).toBe(401);
    expect((await readFactorHistory(app)).at(-1)?.[2]).toBe('shut after wrong codes');
    expect(await getLoginStatus(app, staff, recovery[0], '10.0.0.2')).toBe(200);
    expect(await getLoginStatus(app, staff, generateCode(secret), '10.0.0.2')).toBe(200);
  });

  // Covers A27
  test('is reported to the owner by mail after five failures in a row, and recorded in the history', async ({
    app,
    staff,
  }) => {
    const { secret } = await setUp(staff);
    let tries = 0;
    const wrong = async (count: number) => {
      for (const last = tries + count; tries < last; tries += 1)
        expect(await getLoginStatus(app, staff, generateCode(secret, 20), `10.0.1.${tries}`)).toBe(401);
    };
    await wrong(4);
    expect(await getLoginStatus(app, staff, generateCode(secret), '10.0.0.1')).toBe(200);
    passTime(STEP);
    await wrong(4);
    expect(mails.mailsTo(staff.user.email)).toEqual([]);
    await wrong(1);
    const { text, headers } = await mails.mailTo(staff.user.email);
    expect(headers.get('subject')).toBe('Wrong codes for your account');
    expect(text).toContain('5 wrong codes in a row');
    expect(text).toContain('https://sims.example.edu/list-users#password');
    expect((await readFactorHistory(app)).at(-1)).toEqual([staff.user.id, staff.user.id, '5 wrong codes']);
    await wrong(2);
    expect(mails.mailsTo(staff.user.email)).toHaveLength(1);
  });
});
