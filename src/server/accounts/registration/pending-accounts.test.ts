import { afterAll, afterEach, describe, expect, vi } from 'vitest';
import {
  type Answer,
  freshApps,
  getFieldErrors,
  type Person,
  TestApp,
} from '../../../../tests/support/app/test-app.ts';
import { unique } from '../../../../tests/support/records.ts';
import { linkIn, MailServer, tokenIn } from '../../../../tests/support/services/mail-server.ts';
import { OpenIdProvider } from '../../../../tests/support/services/openid-provider.ts';
import {
  accountStatesReply,
  signedInReply,
  type User,
  userListReply,
} from '../../../contract/accounts/accounts.ts';
import { providerStartReply } from '../../../contract/accounts/sign-in.ts';
import { createMailer } from '../../mail.ts';
import type { Registration } from '../../settings/environment.ts';
import { createProvider } from '../sso/oidc-client.ts';

const PUBLIC_URL = new URL('http://127.0.0.1:3998');
const HOUR = 3_600_000;
const mails = await MailServer.start();
const mailer = createMailer(mails.url, PUBLIC_URL);
const openId = await OpenIdProvider.start(PUBLIC_URL);
const provider = createProvider(openId.settings, PUBLIC_URL);
afterAll(() => Promise.all([mails.stop(), openId.stop()]));
afterEach(() => {
  vi.useRealTimers();
});

const setClock = (time: number) => vi.useFakeTimers({ toFake: ['Date'], now: time });

const DOMAINS: Registration = { kind: 'domains', domains: ['faculty.example'] };
const APPROVAL: Registration = { kind: 'approval' };
const CHECK_MAIL = 'Check your mail: you can sign in once you have opened the link that was sent to you.';
const APPROVE = 'An administrator has to approve your account before you can sign in.';
const SPENT = { token: ['This link is no longer valid.'] };
const NEXT = 'four dry umbrellas';

interface NewAccount {
  email: string;
  password: string;
}

async function register(app: TestApp, email = `${unique()}@faculty.example`) {
  const account: NewAccount = { email, password: `pass word ${unique()}` };
  const body = { name: 'Sana Malik', ...account, password_confirmation: account.password };
  return { ...account, answer: await app.call('POST', '/api/register', { body }) };
}

const signIn = (app: TestApp, { email, password }: NewAccount, from?: string) =>
  app.call('POST', '/api/login', { body: { email, password }, ...(from === undefined ? {} : { from }) });

const verify = (app: TestApp, token: string, password: string) =>
  app.call('POST', '/api/verify-email', { body: { token, password } });

async function tokenFor(email: string, count = 1): Promise<string> {
  return tokenIn(linkIn(await mails.mailTo(email, count)));
}

const waitingReply = (waiting_for: string, message: string) => ({
  status: 403,
  body: { waiting_for, message },
});

async function requireAccount(admin: Person, email: string): Promise<User> {
  const users = userListReply.parse((await admin.get('/api/users')).body);
  const user = users.find((one) => one.email === email);
  if (user === undefined) throw new Error(`There is no account of ${email}.`);
  return user;
}

async function getWaitingFor(admin: Person, id: number) {
  const states = accountStatesReply.parse((await admin.get('/api/account-states')).body);
  return states.find((one) => one.id === id)?.waiting_for;
}

/** Signs in with the provider as a person with this address. */
async function signInWithProvider(app: TestApp, email: string, more: object = {}): Promise<Answer> {
  const person = unique();
  openId.people.set(person, { email, email_verified: true, name: 'Bilal Ahmed' });
  const start = await app.call('POST', '/api/provider/begin');
  const cookie = String(start.headers['set-cookie']).split(';', 1)[0] ?? '';
  const { pathname, search } = await openId.signIn(providerStartReply.parse(start.body).url, person);
  const back = await app.call('GET', `${pathname}${search}`, { headers: { cookie } });
  const ticket = String(back.headers.location).split('sign-in=')[1];
  return app.call('POST', '/api/provider/finish', { body: { ticket, ...more }, headers: { cookie } });
}

const readHistory = async (app: TestApp, id: number) => {
  const entries = await app.db.read
    .selectFrom('history')
    .select(['action', 'user_id', 'before', 'after'])
    .where('entity', '=', 'user')
    .where('entity_id', '=', String(id))
    .orderBy('id')
    .execute();
  return entries.map(({ before, after, ...entry }) => ({
    ...entry,
    before: JSON.parse(before ?? 'null') as unknown,
    after: JSON.parse(after ?? 'null') as unknown,
  }));
};

describe.each(freshApps({ mailer, provider, settings: { registration: DOMAINS, loginLimit: 3 } }))(
  'registration by email domain, on $name',
  ({ test, engine }) => {
    // Covers A21
    test('admits the first account immediately, and later ones once their mailed link is opened', async ({
      app,
      admin,
    }) => {
      expect(admin.user.role).toBe('admin');
      const { answer, ...account } = await register(app);
      expect(answer.status).toBe(202);
      expect(answer.body).toEqual({ waiting_for: 'verification', message: CHECK_MAIL });
      expect(await signIn(app, account)).toMatchObject(waitingReply('verification', CHECK_MAIL));
      const wrong = await signIn(app, { ...account, password: 'not the password' });
      expect([wrong.status, wrong.body]).toEqual([401, { message: 'Invalid Creditentials.' }]);

      const mail = await mails.mailTo(account.email);
      expect(mail.text).toContain('within 24 hours');
      const link = linkIn(mail);
      expect([link.origin, link.pathname]).toEqual([PUBLIC_URL.origin, '/verify-email']);
      const token = tokenIn(link);
      const stored = await app.db.read.selectFrom('email_verifications').selectAll().execute();
      expect(JSON.stringify(stored)).not.toContain(token);

      const verified = signedInReply.parse((await verify(app, token, account.password)).body);
      expect(verified.user).toMatchObject({ email: account.email, role: 'staff' });
      expect((await app.call('GET', '/api/users', { token: verified.token })).status).toBe(200);
      expect((await signIn(app, account)).status).toBe(200);
      expect(await readHistory(app, verified.user.id)).toMatchObject([
        { action: 'create', after: { waiting_for: 'verification' } },
        { action: 'update', before: { waiting_for: 'verification' }, after: { waiting_for: null } },
      ]);
    });

    // Covers A21
    test('accepts a link for 24 hours and once, also from concurrent calls', async ({ app, admin: _ }) => {
      const [first, second] = [await register(app), await register(app)];
      const token = await tokenFor(first.email);
      const late = await tokenFor(second.email);
      const answers = await Promise.all(Array.from({ length: 3 }, () => verify(app, token, first.password)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
      expect(getFieldErrors(await verify(app, token, first.password))).toEqual(SPENT);
      expect(getFieldErrors(await verify(app, 'x'.repeat(43), first.password))).toEqual(SPENT);
      setClock(Date.now() + 24 * HOUR);
      expect(getFieldErrors(await verify(app, late, second.password))).toEqual(SPENT);
      expect((await signIn(app, second)).status).toBe(403);
    });

    // Covers A21
    test('accepts a link only with the password of the account, and limits wrong ones', async ({
      app,
      admin: _,
    }) => {
      const account = await register(app);
      const token = await tokenFor(account.email);
      for (let i = 0; i < 3; i += 1) expect((await verify(app, token, `wrong ${i}`)).status).toBe(401);
      expect((await verify(app, token, account.password)).status).toBe(429);
      setClock(Date.now() + HOUR / 4);
      expect((await verify(app, token, account.password)).status).toBe(200);
    });

    test('mails the link again, and answers the same for every address', async ({ app, admin }) => {
      const account = await register(app);
      await mails.mailTo(account.email);
      const ask = (email: string) => app.call('POST', '/api/resend-verification', { body: { email } });
      const answers = [];
      for (const email of [account.email, admin.user.email, 'nobody@faculty.example']) {
        answers.push(await ask(email));
      }
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toHaveLength(1);
      expect((await verify(app, await tokenFor(account.email, 2), account.password)).status).toBe(200);
      // The first link is no longer valid.
      expect(getFieldErrors(await verify(app, await tokenFor(account.email), account.password))).toEqual(
        SPENT,
      );
      expect(mails.mailsTo(admin.user.email)).toEqual([]);
    });

    test('verifies the address by a password reset, which locks out the person who registered it', async ({
      app,
      admin: _,
    }) => {
      const impostor = await register(app);
      const token = await tokenFor(impostor.email);
      await app.call('POST', '/api/forgot-password', { body: { email: impostor.email } });
      const recovery = await tokenFor(impostor.email, 2);
      const body = { token: recovery, password: NEXT, password_confirmation: NEXT };
      expect((await app.call('POST', '/api/reset-password', { body })).status).toBe(200);
      expect(getFieldErrors(await verify(app, token, impostor.password))).toEqual(SPENT);
      expect((await signIn(app, impostor)).status).toBe(401);
      expect((await signIn(app, { ...impostor, password: NEXT })).status).toBe(200);
    });

    test('refuses a taken address with the usual message, also while it is not verified', async ({
      app,
      admin: _,
    }) => {
      const { email } = await register(app);
      expect(getFieldErrors((await register(app, email.toUpperCase())).answer)).toEqual({
        email: ['The email has already been taken.'],
      });
    });

    // Covers A21
    test('limits the waiting accounts from one client address', async ({ app, admin: _ }) => {
      for (let i = 0; i < 30; i += 1) expect((await register(app)).answer.status).toBe(202);
      const { answer } = await register(app);
      expect(answer.status).toBe(429);
      expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    });

    test('needs no link when the provider has verified the address', async ({ app, admin: _ }) => {
      expect((await signInWithProvider(app, `${unique()}@faculty.example`)).status).toBe(200);
      const account = await register(app);
      const answer = await signInWithProvider(app, account.email, { password: account.password });
      expect(answer.status, answer.text).toBe(200);
      expect((await signIn(app, account)).status).toBe(200);
    });

    test('does not let an administrator approve an account that waits for verification', async ({
      app,
      admin,
    }) => {
      const account = await register(app);
      const { id } = await requireAccount(admin, account.email);
      const proof = { password: admin.password };
      expect((await admin.post(`/api/users/${id}/approve`, proof)).status).toBe(409);
      expect((await admin.post(`/api/users/${id}/reject`, proof)).status).toBe(200);
      expect(getFieldErrors(await verify(app, await tokenFor(account.email), account.password))).toEqual(
        SPENT,
      );
    });

    test('makes a verified account wait for approval when the setting has changed to that', async ({
      onTestFinished,
    }) => {
      const database = await engine.prepare({ isMade: true });
      onTestFinished(() => database.remove());
      const before = await TestApp.open(engine, { database, mailer, settings: { registration: DOMAINS } });
      await before.register();
      const account = await register(before);
      await before.close();
      const after = await TestApp.open(engine, { database, mailer, settings: { registration: APPROVAL } });
      onTestFinished(() => after.close());
      expect(await verify(after, await tokenFor(account.email), account.password)).toMatchObject(
        waitingReply('approval', APPROVE),
      );
      expect(await signIn(after, account)).toMatchObject(waitingReply('approval', APPROVE));
    });
  },
);

describe.each(freshApps({ mailer, provider, settings: { registration: APPROVAL } }))(
  'registration by approval, on $name',
  ({ test }) => {
    // Covers A22
    test('admits only the first account until an administrator approves the others', async ({
      app,
      admin,
    }) => {
      expect(admin.user.role).toBe('admin');
      const { answer, ...account } = await register(app);
      expect([answer.status, answer.body]).toEqual([202, { waiting_for: 'approval', message: APPROVE }]);
      expect(await signIn(app, account)).toMatchObject(waitingReply('approval', APPROVE));
      const wrong = await signIn(app, { ...account, password: 'not the password' });
      expect([wrong.status, wrong.body]).toEqual([401, { message: 'Invalid Creditentials.' }]);
      expect(await app.db.read.selectFrom('sessions').select('user_id').execute()).toEqual([
        { user_id: admin.user.id },
      ]);

      const { id } = await requireAccount(admin, account.email);
      expect(await getWaitingFor(admin, id)).toBe('approval');
      const approved = await admin.post(`/api/users/${id}/approve`, { password: admin.password });
      expect([approved.status, approved.body]).toEqual([200, { message: 'The account has been approved.' }]);
      expect(await getWaitingFor(admin, id)).toBeNull();
      expect((await signIn(app, account)).status).toBe(200);
      expect(await readHistory(app, id)).toMatchObject([
        { action: 'create', user_id: id, after: { waiting_for: 'approval' } },
        {
          action: 'update',
          user_id: admin.user.id,
          before: { waiting_for: 'approval' },
          after: { waiting_for: null },
        },
      ]);
    });

    test('deletes a rejected account and frees its address', async ({ app, admin }) => {
      const account = await register(app);
      const { id } = await requireAccount(admin, account.email);
      const rejected = await admin.post(`/api/users/${id}/reject`, { password: admin.password });
      expect(rejected.status).toBe(200);
      expect((await signIn(app, account)).status).toBe(401);
      expect((await admin.get(`/api/users/${id}`)).status).toBe(404);
      expect((await readHistory(app, id)).at(-1)).toMatchObject({
        action: 'delete',
        user_id: admin.user.id,
        before: { email: account.email, waiting_for: 'approval' },
      });
      expect((await register(app, account.email)).answer.status).toBe(202);
    });

    // Covers A22
    test('lets an administrator decide only about waiting accounts, and with a password', async ({
      app,
      admin,
    }) => {
      const account = await register(app);
      const { id } = await requireAccount(admin, account.email);
      for (const act of ['approve', 'reject']) {
        const call = (user: number, password: string) =>
          admin.post(`/api/users/${user}/${act}`, { password });
        expect((await call(id, 'not the password')).status).toBe(401);
        expect((await call(admin.user.id, admin.password)).status).toBe(409);
        expect((await call(999, admin.password)).status).toBe(404);
      }
      expect(await getWaitingFor(admin, id)).toBe('approval');
    });

    test('shows waiting accounts to administrators only', async ({ app, admin }) => {
      const [colleague, waiting] = [await register(app), await register(app)];
      const { id } = await requireAccount(admin, colleague.email);
      await admin.post(`/api/users/${id}/approve`, { password: admin.password });
      const { token } = signedInReply.parse((await signIn(app, colleague)).body);
      const get = (url: string) => app.call('GET', url, { token });
      expect((await get('/api/users')).text).not.toContain(waiting.email);
      expect((await get(`/api/users/${(await requireAccount(admin, waiting.email)).id}`)).status).toBe(404);
    });

    // Covers A22
    test('makes an account from the provider wait', async ({ app, admin }) => {
      const email = `${unique()}@elsewhere.example`;
      expect(await signInWithProvider(app, email)).toMatchObject(waitingReply('approval', APPROVE));
      const { id } = await requireAccount(admin, email);
      expect(await getWaitingFor(admin, id)).toBe('approval');
    });

    test('does not count a waiting administrator as one who can sign in', async ({ app, admin }) => {
      const account = await register(app);
      const user = await requireAccount(admin, account.email);
      const proof = { password: admin.password };
      await admin.put(`/api/users/${user.id}`, { ...user, role: 'admin', ...proof });
      const stepDown = { ...admin.user, role: 'staff', ...proof };
      expect(getFieldErrors(await admin.put(`/api/users/${admin.user.id}`, stepDown))).toHaveProperty('role');
      await admin.post(`/api/users/${user.id}/approve`, proof);
      expect((await admin.put(`/api/users/${admin.user.id}`, stepDown)).status).toBe(200);
    });

    test('keeps an account waiting after a password reset', async ({ app, admin: _ }) => {
      const account = await register(app);
      await app.call('POST', '/api/forgot-password', { body: { email: account.email } });
      const token = await tokenFor(account.email);
      const body = { token, password: NEXT, password_confirmation: NEXT };
      expect((await app.call('POST', '/api/reset-password', { body })).status).toBe(200);
      expect((await signIn(app, { ...account, password: NEXT })).status).toBe(403);
    });
  },
);
