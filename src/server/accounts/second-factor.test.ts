import { TOTP } from 'otpauth';
import { afterAll, afterEach, describe, expect, vi } from 'vitest';
import { errorsOf, freshApps, type Person, type TestApp } from '../../../tests/support/app.ts';
import { MailServer } from '../../../tests/support/mail-server.ts';
import { accountStatesReply } from '../../contract/account-states.ts';
import {
  secondFactorBegunReply,
  secondFactorSetReply,
  signInMethodsReply,
} from '../../contract/second-factor.ts';
import { createMailer } from '../mail.ts';

const STEP = 30_000;

afterEach(() => {
  vi.useRealTimers();
});

/** The clock of the product stands until the next call of this; codes are of its time. */
const passTime = (milliseconds: number) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds });
};

/** What the app shows, `steps` of time from now. */
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + steps * STEP });

const login = (app: TestApp, { user, password }: Person, code?: unknown, from?: string) =>
  app.call('POST', '/api/login', {
    body: { email: user.email, password, ...(code !== undefined && { code }) },
    ...(from !== undefined && { from }),
  });
const statusOf = async (...args: Parameters<typeof login>) => (await login(...args)).status;

async function begin({ post, password }: Person): Promise<string> {
  const answer = await post('/api/second-factor', { password });
  expect(answer.status, answer.text).toBe(201);
  const { secret, uri } = secondFactorBegunReply.parse(answer.body);
  expect(new URL(uri).searchParams.get('secret')).toBe(secret);
  return secret;
}

/** Sets a second factor up half a minute ago, so that the code of now is still to be used. */
async function setUp(person: Person) {
  const secret = await begin(person);
  const answer = await person.post('/api/second-factor/confirm', { code: codeOf(secret) });
  expect(answer.status, answer.text).toBe(200);
  passTime(STEP);
  return { secret, recovery: secondFactorSetReply.parse(answer.body).recovery_codes };
}

const methodsOf = async (person: Person) =>
  signInMethodsReply.parse((await person.get('/api/sign-in-methods')).body).second_factor;

async function factorHistory({ db }: TestApp) {
  const rows = db.read.selectFrom('history').select(['user_id', 'entity_id', 'after']).orderBy('id');
  const entries = await rows.where('after', 'like', '%second_factor%').execute();
  return entries.map(({ user_id, entity_id, after }) => [
    user_id,
    Number(entity_id),
    Reflect.get(Object(JSON.parse(after ?? 'null')), 'second_factor') as unknown,
  ]);
}

describe.each(freshApps())('a second factor, on $name', ({ test }) => {
  test('counts once a code of it has come back; other sessions end, ten codes are told', async ({
    app,
    staff,
  }) => {
    const other = await app.signIn(staff);
    expect((await staff.post('/api/second-factor', { password: 'not mine' })).status).toBe(401);
    expect((await staff.post('/api/second-factor/confirm', { code: '123456' })).status).toBe(409);
    const given = await begin(staff);
    expect(await methodsOf(staff)).toBeNull();
    expect(await statusOf(app, staff)).toBe(200);
    const secret = await begin(staff);
    expect(secret).not.toBe(given);
    const old = await staff.post('/api/second-factor/confirm', { code: codeOf(given) });
    expect(Object.keys(errorsOf(old))).toEqual(['code']);
    const answer = await staff.post('/api/second-factor/confirm', { code: codeOf(secret) });
    const codes = secondFactorSetReply.parse(answer.body).recovery_codes;
    expect(new Set(codes)).toHaveLength(10);
    for (const code of codes) expect(code).toMatch(/^[a-z02-9]{4}(-[a-z02-9]{4}){3}$/);
    expect(await methodsOf(staff)).toMatchObject({ recovery_codes_left: 10 });
    expect((await staff.get('/api')).status).toBe(200);
    expect((await other.get('/api')).status).toBe(401);
    expect((await staff.post('/api/second-factor', { password: staff.password })).status).toBe(409);
    expect(await factorHistory(app)).toEqual([[staff.user.id, staff.user.id, 'set up']]);
    const kept = await app.db.read.selectFrom('recovery_codes').selectAll().execute();
    for (const code of codes) expect(JSON.stringify(kept)).not.toContain(code.replaceAll('-', ''));
  });

  test('has to be confirmed within half an hour', async ({ staff }) => {
    const secret = await begin(staff);
    passTime(29 * 60_000);
    await staff.get('/api');
    passTime(2 * 60_000);
    expect((await staff.post('/api/second-factor/confirm', { code: codeOf(secret) })).status).toBe(409);
  });

  test('is asked for after a right password alone; a wrong code is refused like a wrong password', async ({
    app,
    admin,
    staff,
  }) => {
    const { secret } = await setUp(staff);
    expect(errorsOf(await login(app, staff))).toEqual({ code: ['The code field is required.'] });
    expect(errorsOf(await login(app, staff, ' '))).toEqual({ code: ['The code field is required.'] });
    expect(errorsOf(await login(app, staff, 123_456))).toEqual({ code: ['The code must be text.'] });
    const wrongPassword = await login(app, { ...staff, password: 'not the password' }, codeOf(secret));
    const wrongCode = await login(app, staff, codeOf(secret, 20));
    expect([wrongCode.status, wrongCode.text]).toEqual([401, wrongPassword.text]);
    expect(await statusOf(app, { ...staff, password: 'not the password' })).toBe(401);
    expect(await statusOf(app, staff, codeOf(secret).replace(/^.../, '$& '))).toBe(200);
    // Others are asked for nothing more, and one that they send does not matter.
    expect(await statusOf(app, admin)).toBe(200);
    expect(await statusOf(app, admin, '123456')).toBe(200);
  });

  test('takes codes of a clock half a minute off, each once, and none older than the last', async ({
    app,
    staff,
  }) => {
    const { secret } = await setUp(staff);
    passTime(2 * STEP);
    expect(await statusOf(app, staff, codeOf(secret, -2))).toBe(401);
    expect(await statusOf(app, staff, codeOf(secret, 2))).toBe(401);
    expect(await statusOf(app, staff, codeOf(secret, -1))).toBe(200);
    expect(await statusOf(app, staff, codeOf(secret, -1))).toBe(401);
    const same = codeOf(secret, 1);
    const atOnce = await Promise.all(Array.from({ length: 5 }, () => statusOf(app, staff, same)));
    expect(atOnce.sort()).toEqual([200, 401, 401, 401, 401]);
    expect(await statusOf(app, staff, codeOf(secret))).toBe(401);
  });

  test('can be passed with each recovery code once, however it is typed, and with nobody else’s', async ({
    app,
    admin,
    staff,
  }) => {
    const { recovery } = await setUp(staff);
    const { recovery: others } = await setUp(admin);
    const [first = '', second = ''] = recovery;
    expect(await statusOf(app, staff, others[0])).toBe(401);
    expect(await statusOf(app, staff, first)).toBe(200);
    expect(await statusOf(app, staff, first)).toBe(401);
    const typed = ` ${second.toUpperCase().replaceAll('-', ' ')} `;
    const atOnce = await Promise.all(Array.from({ length: 4 }, () => statusOf(app, staff, typed)));
    expect(atOnce.sort()).toEqual([200, 401, 401, 401]);
    expect(await methodsOf(staff)).toMatchObject({ recovery_codes_left: 8 });
    expect(await factorHistory(app)).toContainEqual([staff.user.id, staff.user.id, 'recovery code used']);
  });

  test('is not passed by a new password, and is asked for with that one', async ({ app, staff }) => {
    const { secret } = await setUp(staff);
    const password = 'four dry umbrellas';
    const body = { old_password: staff.password, password, password_confirmation: password };
    await staff.put(`/api/users/${staff.user.id}/change-password`, body);
    expect(errorsOf(await login(app, { ...staff, password }))).toHaveProperty('code');
    expect(await statusOf(app, { ...staff, password }, codeOf(secret))).toBe(200);
  });

  test('is removed with password and code, by its owner', async ({ app, admin, staff }) => {
    const { secret, recovery } = await setUp(staff);
    const remove = (password: string, code: unknown) =>
      staff.post('/api/second-factor/remove', { password, code });
    expect((await remove('not my password', codeOf(secret))).status).toBe(401);
    expect(Object.keys(errorsOf(await remove(staff.password, codeOf(secret, 9))))).toEqual(['code']);
    expect(Object.keys(errorsOf(await remove(staff.password, undefined)))).toEqual(['code']);
    const own = `/api/users/${staff.user.id}/reset-second-factor`;
    expect((await staff.post(own, { password: staff.password })).status).toBe(403);
    expect(await methodsOf(staff)).not.toBeNull();
    expect((await remove(staff.password, codeOf(secret))).status).toBe(200);
    expect(await methodsOf(staff)).toBeNull();
    expect(await statusOf(app, staff)).toBe(200);
    expect(await app.db.read.selectFrom('recovery_codes').selectAll().execute()).toEqual([]);
    expect((await factorHistory(app)).at(-1)).toEqual([staff.user.id, staff.user.id, 'removed']);
    expect((await admin.get('/api')).status).toBe(200);
    expect(recovery).toHaveLength(10);
  });

  test('that was lost is reset by an administrator with their password, and its owner’s sessions end', async ({
    app,
    admin,
    staff,
  }) => {
    await setUp(staff);
    const url = `/api/users/${staff.user.id}/reset-second-factor`;
    const stateOf = async () =>
      accountStatesReply
        .parse((await admin.get('/api/account-states')).body)
        .find(({ id }) => id === staff.user.id)?.second_factor;
    expect(await stateOf()).toBe(true);
    expect((await admin.post(url, { password: 'not my password' })).status).toBe(401);
    expect((await admin.post(url, { password: admin.password })).status).toBe(200);
    expect(await stateOf()).toBe(false);
    expect((await staff.get('/api')).status).toBe(401);
    expect(await statusOf(app, staff)).toBe(200);
    expect((await factorHistory(app)).at(-1)).toEqual([admin.user.id, staff.user.id, 'reset']);
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
  test('ends after the limit of wrong passwords, which a right one alone does not set back', async ({
    app,
    staff,
  }) => {
    const { secret } = await setUp(staff);
    const statuses = [];
    for (let i = 0; i < 4; i += 1) {
      statuses.push(await statusOf(app, staff), await statusOf(app, staff, codeOf(secret, 20 + i)));
    }
    expect(statuses).toEqual([422, 401, 422, 401, 422, 401, 429, 429]);
    expect(await statusOf(app, staff, codeOf(secret))).toBe(429);
    expect(await statusOf(app, staff, codeOf(secret), '10.0.0.9')).toBe(200);
  });

  test('from many addresses ends after a hundred in a row, until a recovery code is used', async ({
    app,
    staff,
  }) => {
    const { secret, recovery } = await setUp(staff);
    const { id } = staff.user;
    // As if ninety-nine had been tried.
    await app.db.write
      .updateTable('second_factors')
      .set({ failures: 99 })
      .where('user_id', '=', id)
      .execute();
    expect(await statusOf(app, staff, codeOf(secret, 20), '10.0.0.1')).toBe(401);
    expect(await statusOf(app, staff, codeOf(secret), '10.0.0.2')).toBe(401);
    expect((await factorHistory(app)).at(-1)?.[2]).toBe('shut after wrong codes');
    expect(await statusOf(app, staff, recovery[0], '10.0.0.2')).toBe(200);
    expect(await statusOf(app, staff, codeOf(secret), '10.0.0.2')).toBe(200);
  });

  test('is told to the owner by mail after the fifth in a row, and stands in the history', async ({
    app,
    staff,
  }) => {
    const { secret } = await setUp(staff);
    let tries = 0;
    const wrong = async (count: number) => {
      for (const last = tries + count; tries < last; tries += 1)
        expect(await statusOf(app, staff, codeOf(secret, 20), `10.0.1.${tries}`)).toBe(401);
    };
    await wrong(4);
    expect(await statusOf(app, staff, codeOf(secret), '10.0.0.1')).toBe(200);
    passTime(STEP);
    await wrong(4);
    expect(mails.mailsTo(staff.user.email)).toEqual([]);
    await wrong(1);
    const { text, headers } = await mails.mailTo(staff.user.email);
    expect(headers.get('subject')).toBe('Wrong codes for your account');
    expect(text).toContain('5 wrong codes in a row');
    expect(text).toContain('https://sims.example.edu/list-users#password');
    expect((await factorHistory(app)).at(-1)).toEqual([staff.user.id, staff.user.id, '5 wrong codes']);
    await wrong(2);
    expect(mails.mailsTo(staff.user.email)).toHaveLength(1);
  });
});
