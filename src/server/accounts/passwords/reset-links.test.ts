import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, vi } from 'vitest';
import { freshApps, getFieldErrors, sharedApps, TestApp } from '../../../../tests/support/app/test-app.ts';
import { unique } from '../../../../tests/support/records.ts';
import { linkIn, MailServer, tokenIn } from '../../../../tests/support/services/mail-server.ts';
import { createMailer } from '../../mail.ts';

const MINUTE = 60_000;
const PUBLIC_URL = new URL('https://records.faculty.example');

const mails = await MailServer.start();
const mailer = createMailer(mails.url, PUBLIC_URL);
afterAll(() => mails.stop());
afterEach(() => {
  vi.useRealTimers();
});

const passTime = (milliseconds: number) => {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: now + milliseconds });
};

const requestLink = (
  app: TestApp,
  email: unknown,
  how: { headers?: Record<string, string>; from?: string } = {},
) => app.call('POST', '/api/forgot-password', { body: { email }, ...how });

/** Requests a link and answers the token from the `count`th mail to this address. */
async function tokenFor(app: TestApp, email: string, count = 1): Promise<string> {
  await requestLink(app, email);
  return tokenIn(linkIn(await mails.mailTo(email, count)));
}

const reset = (app: TestApp, token: unknown, password: unknown, password_confirmation = password) =>
  app.call('POST', '/api/reset-password', { body: { token, password, password_confirmation } });

const SPENT = { token: ['This link is no longer valid.'] };
const NEXT = 'four dry umbrellas';

/** Requests a link for a new account: when its mail arrives, all earlier requests have been processed. */
async function waitForEarlierMails(app: TestApp): Promise<void> {
  const { user } = await app.register();
  await requestLink(app, user.email, { from: '10.77.0.1' });
  await mails.mailTo(user.email);
}

describe.each(freshApps({ mailer }))('a recovery link, on $name', ({ test }) => {
  test('is mailed to the address of the account and sets a new password', async ({ app, staff }) => {
    const { email } = staff.user;
    expect((await requestLink(app, email.toUpperCase())).status).toBe(202);
    const mail = await mails.mailTo(email);
    expect(mail.to).toEqual([email]);
    expect(mail.headers.get('subject')).toBe('Set a new password');
    expect(mail.text).toContain('within 30 minutes');
    const link = linkIn(mail);
    expect([link.origin, link.pathname]).toEqual([PUBLIC_URL.origin, '/password-recovery']);
    expect(tokenIn(link)).toMatch(/^[\w-]{43}$/);

    const answer = await reset(app, tokenIn(link), NEXT);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ message: 'The password has been set. Sign in with it.' });
    await expect(app.signIn(staff)).rejects.toThrow('401');
    await expect(app.signIn({ ...staff, password: NEXT })).resolves.toMatchObject({ user: staff.user });
  });

  test('works once, and makes every other link of the account invalid', async ({ app, admin, staff }) => {
    const otherToken = await tokenFor(app, admin.user.email);
    const older = await tokenFor(app, staff.user.email);
    const newer = await tokenFor(app, staff.user.email, 2);
    expect(newer).not.toBe(older);
    expect((await reset(app, older, NEXT)).status).toBe(200);
    expect(getFieldErrors(await reset(app, older, 'five dry umbrellas'))).toEqual(SPENT);
    expect(getFieldErrors(await reset(app, newer, 'five dry umbrellas'))).toEqual(SPENT);
    await expect(app.signIn({ ...staff, password: NEXT })).resolves.toBeDefined();
    expect((await reset(app, otherToken, NEXT)).status).toBe(200);
  });

  test('works once when it is used many times at the same moment', async ({ app, staff }) => {
    const token = await tokenFor(app, staff.user.email);
    const passwords = Array.from({ length: 5 }, (_, i) => `${i} dry umbrellas`);
    const answers = await Promise.all(passwords.map((password) => reset(app, token, password)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422]);
    const set = passwords[answers.findIndex(({ status }) => status === 200)] ?? '';
    await expect(app.signIn({ ...staff, password: set })).resolves.toBeDefined();
  });

  test('expires after 30 minutes', async ({ app, admin, staff }) => {
    const first = await tokenFor(app, admin.user.email);
    const second = await tokenFor(app, staff.user.email);
    passTime(29 * MINUTE);
    expect((await reset(app, first, NEXT)).status).toBe(200);
    passTime(MINUTE);
    expect(getFieldErrors(await reset(app, second, NEXT))).toEqual(SPENT);
    await expect(app.signIn(staff)).resolves.toBeDefined();
  });

  test('ends all sessions of the account, and none of other accounts', async ({ app, admin, staff }) => {
    const second = await app.signIn(staff);
    await reset(app, await tokenFor(app, staff.user.email), NEXT);
    for (const session of [staff, second]) {
      const answer = await session.get('/api/users');
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    }
    expect((await admin.get('/api/users')).status).toBe(200);
  });

  test('stays valid when the new password is refused', async ({ app, staff }) => {
    const { email, name } = staff.user;
    const token = await tokenFor(app, email);
    const common = getFieldErrors(await reset(app, token, 'iloveyou1'));
    expect(common).toEqual({ password: ['The password must not be one of the common passwords.'] });
    for (const password of ['short', '', undefined, 'x'.repeat(257), name, email]) {
      expect(getFieldErrors(await reset(app, token, password))).toHaveProperty('password');
    }
    expect(getFieldErrors(await reset(app, token, NEXT, 'another one'))).toEqual({
      password: ['The password confirmation does not match.'],
    });
    expect((await reset(app, token, NEXT)).status).toBe(200);
  });

  test('is stored only as a hash, and its use is recorded without the password', async ({ app, staff }) => {
    const token = await tokenFor(app, staff.user.email);
    const stored = await app.db.read.selectFrom('password_resets').selectAll().execute();
    expect(stored).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toContain(token);
    await reset(app, token, NEXT);
    expect(await app.db.read.selectFrom('password_resets').selectAll().execute()).toEqual([]);
    const history = await app.db.read.selectFrom('history').selectAll().orderBy('id').execute();
    expect(history.at(-1)).toMatchObject({ action: 'update', entity: 'user', user_id: staff.user.id });
    expect(JSON.stringify(history)).not.toMatch(/umbrellas|argon/);
  });

  // Covers A14
  test('is mailed to one account at most three times in 15 minutes, from any client address', async ({
    app,
    staff: { user },
  }) => {
    const answers = [];
    for (let i = 0; i < 6; i += 1) answers.push(await requestLink(app, user.email, { from: `10.0.0.${i}` }));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 202));
    await waitForEarlierMails(app);
    await mails.mailTo(user.email, 3);
    const links = app.db.read.selectFrom('password_resets').where('user_id', '=', user.id).selectAll();
    expect(await links.execute()).toHaveLength(3);
    expect(mails.mailsTo(user.email)).toHaveLength(3);

    passTime(15 * MINUTE);
    await tokenFor(app, user.email, 4);
  });

  // Covers A14
  test('is mailed at most ten times for one client address, without affecting others', async ({
    app,
    admin,
  }) => {
    for (const links of [3, 3, 3, 1]) {
      const { user } = await app.register();
      for (let count = 1; count <= links; count += 1) await tokenFor(app, user.email, count);
    }
    for (let i = 0; i < 5; i += 1) await requestLink(app, admin.user.email);
    await waitForEarlierMails(app);
    expect(mails.mailsTo(admin.user.email)).toEqual([]);
    await requestLink(app, admin.user.email, { from: '10.0.0.2' });
    await mails.mailTo(admin.user.email);
  });
});

describe.each(sharedApps({ mailer, trustedProxies: ['127.0.0.1'] }))(
  'a request for a recovery link, on $name',
  ({ test }) => {
    // Covers A14
    test('gets the same reply for known and unknown addresses, and only known ones get mail', async ({
      app,
      staff,
    }) => {
      const stranger = `${unique()}@faculty.example`;
      const unknown = await requestLink(app, stranger);
      const known = await requestLink(app, staff.user.email);
      expect([unknown.status, known.status]).toEqual([202, 202]);
      expect(unknown.text).toBe(known.text);
      expect(Object.keys(unknown.headers)).toEqual(Object.keys(known.headers));
      await mails.mailTo(staff.user.email);
      await waitForEarlierMails(app);
      expect(mails.mailsTo(stranger)).toEqual([]);
    });

    // Covers A14
    test('gets a link with the product’s own URL, whatever host the headers name', async ({ app }) => {
      const { user } = await app.register();
      const headers = {
        host: 'attacker.example',
        origin: 'https://attacker.example',
        'x-forwarded-for': '10.3.0.1',
        'x-forwarded-host': 'attacker.example',
        'x-forwarded-proto': 'http',
        forwarded: 'host=attacker.example',
      };
      await requestLink(app, user.email, { headers });
      const mail = await mails.mailTo(user.email);
      expect(linkIn(mail).origin).toBe(PUBLIC_URL.origin);
      expect(JSON.stringify([...mail.headers, mail.text])).not.toContain('attacker');
    });

    test('is refused without a valid address', async ({ app }) => {
      for (const email of [undefined, '', 'nobody', 7, ['a@x.example'], 'a@x.example\r\nBcc: b@x.example']) {
        expect(Object.keys(getFieldErrors(await requestLink(app, email)))).toEqual(['email']);
      }
    });

    test.for<[string, unknown]>([
      ['unknown', 'A'.repeat(43)],
      ['SQL', "' or 1=1 --"],
      ['empty', ''],
      ['missing', undefined],
      ['an array', ['A'.repeat(43)]],
      ['very long', 'A'.repeat(100_000)],
    ])('is not bypassed by a token that is %s', async ([, token], { app }) => {
      expect(Object.keys(getFieldErrors(await reset(app, token, NEXT)))).toEqual(['token']);
    });
  },
);

describe.each(freshApps())('a product without a mail server, on $name', ({ test, engine }) => {
  // Covers 7.15
  test('answers requests for a link the same, and stores none', async ({ app, admin, staff }) => {
    const answer = await requestLink(app, staff.user.email);
    expect(answer.status).toBe(202);
    const withMail = await TestApp.open(engine, { mailer });
    expect(answer.text).toBe((await requestLink(withMail, staff.user.email)).text);
    await withMail.close();
    expect(await app.db.read.selectFrom('password_resets').selectAll().execute()).toEqual([]);
    expect(mails.mailsTo(staff.user.email)).toEqual([]);
    expect((await admin.get('/api/users')).status).toBe(200);
  });

  test('does not announce mailed links in the page, unlike one with a mail server', async ({
    onTestFinished,
  }) => {
    const webDir = await mkdtemp(path.join(tmpdir(), 'sims-web-'));
    onTestFinished(() => rm(webDir, { recursive: true, force: true }));
    await writeFile(path.join(webDir, 'index.html'), '<!doctype html><head><title>SIMS</title></head>');
    const readPage = async (options: { mailer?: typeof mailer }) => {
      const app = await TestApp.open(engine, { webDir, ...options });
      onTestFinished(() => app.close());
      return (await app.call('GET', '/forgot-password')).text;
    };
    expect(await readPage({ mailer })).toContain('<meta name="sims-recovery" content="mail">');
    expect(await readPage({})).not.toContain('sims-recovery');
  });
});

describe.each(freshApps())('a product whose mail server is down, on $name', ({ test, engine }) => {
  test('answers requests for a link the same, and continues to serve', async ({ onTestFinished }) => {
    const stopped = await MailServer.start();
    await stopped.stop();
    const failing = createMailer(stopped.url, PUBLIC_URL);
    const send = vi.spyOn(failing, 'send');
    const app = await TestApp.open(engine, { mailer: failing });
    onTestFinished(() => app.close());
    const { user, get } = await app.register();
    const unknown = await requestLink(app, 'nobody@faculty.example');
    const known = await requestLink(app, user.email);
    expect([known.status, known.text]).toEqual([202, unknown.text]);
    await vi.waitFor(() => expect(send.mock.settledResults).toMatchObject([{ type: 'rejected' }]));
    expect((await get('/api/users')).status).toBe(200);
  });
});
