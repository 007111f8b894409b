import { afterAll, afterEach, describe, expect, vi } from 'vitest';
import {
  freshApps,
  getFieldErrors,
  type Person,
  sharedApps,
  TestApp,
} from '../../../../tests/support/app/test-app.ts';
import { unique } from '../../../../tests/support/records.ts';
import { linkIn, MailServer, tokenIn } from '../../../../tests/support/services/mail-server.ts';
import { accountLinkReply, accountStatesReply, signedInReply } from '../../../contract/accounts/accounts.ts';
import { invitedReply } from '../../../contract/accounts/invitations.ts';
import { createMailer } from '../../mail.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const PUBLIC_URL = new URL('https://records.faculty.example');
const CHOSEN = 'four dry umbrellas';
const SPENT = { token: ['This link is no longer valid.'] };

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

const newEmail = () => `${unique()}@faculty.example`;
const getToken = (link: string | null) => (link === null ? '' : tokenIn(new URL(link, PUBLIC_URL)));

const invite = (admin: Person, changes: object = {}) =>
  admin.post('/api/invitations', {
    name: 'Sana Malik',
    email: newEmail(),
    role: 'viewer',
    password: admin.password,
    ...changes,
  });

async function inviteWithLink(admin: Person) {
  const answer = await invite(admin);
  expect(answer.status).toBe(201);
  const { user, link } = invitedReply.parse(answer.body);
  return { user, token: getToken(link) };
}

const choose = (app: TestApp, path: string, token: string, password: string = CHOSEN) =>
  app.call('POST', path, { body: { token, password, password_confirmation: password } });
const accept = (app: TestApp, token: string, password?: string) =>
  choose(app, '/api/accept-invitation', token, password);
const reset = (app: TestApp, token: string, password?: string) =>
  choose(app, '/api/reset-password', token, password);
const login = (app: TestApp, email: string, password: string) =>
  app.call('POST', '/api/login', { body: { email, password } });

const withdraw = (admin: Person, id: number) =>
  admin.post(`/api/users/${id}/reject`, { password: admin.password });
const renew = (admin: Person, id: number) =>
  admin.post(`/api/users/${id}/invitation`, { password: admin.password });
const findState = async (admin: Person, id: number) =>
  accountStatesReply.parse((await admin.get('/api/account-states')).body).find((state) => state.id === id);
const readHistory = (app: TestApp, id: number) =>
  app.db.read
    .selectFrom('history')
    .select(['action', 'user_id', 'after'])
    .where('entity', '=', 'user')
    .where('entity_id', '=', String(id))
    .orderBy('id')
    .execute();

describe.each(freshApps({ settings: { registration: { kind: 'closed' } } }))(
  'an invitation, on $name',
  ({ test }) => {
    test('lets the person choose a password and signs them in, also where registration is closed', async ({
      app,
      admin,
    }) => {
      const { user, token } = await inviteWithLink(admin);
      expect(user).toMatchObject({ name: 'Sana Malik', role: 'viewer' });
      expect(token).toMatch(/^[\w-]{43}$/);
      expect(await findState(admin, user.id)).toMatchObject({
        waiting_for: 'invitation',
        invitation_expires_at: expect.stringMatching(/Z$/),
      });
      expect((await login(app, user.email, CHOSEN)).status).toBe(401);

      const answer = await accept(app, token);
      expect(answer.status).toBe(200);
      const signedIn = signedInReply.parse(answer.body);
      expect(signedIn.user).toEqual(user);
      const own = await app.call('GET', '/api/users', { token: signedIn.token });
      expect(own.body).toContainEqual(user);
      expect((await login(app, user.email, CHOSEN)).status).toBe(200);
      expect(await findState(admin, user.id)).toMatchObject({
        waiting_for: null,
        invitation_expires_at: null,
      });
    });

    test('has an entry in the history when it is made, renewed and accepted, without the link', async ({
      app,
      admin,
    }) => {
      const { user } = await inviteWithLink(admin);
      const { link } = accountLinkReply.parse((await renew(admin, user.id)).body);
      await accept(app, getToken(link));
      const entries = await readHistory(app, user.id);
      expect(entries.map(({ action, user_id }) => [action, user_id])).toEqual([
        ['create', admin.user.id],
        ['update', admin.user.id],
        ['update', user.id],
      ]);
      expect(entries[0]?.after).toContain('"waiting_for":"invitation"');
      expect(JSON.stringify(entries)).not.toContain(getToken(link));
    });

    // Covers A99
    test('works once, also when it is used many times at the same moment', async ({ app, admin }) => {
      const { token } = await inviteWithLink(admin);
      const answers = await Promise.all([0, 1, 2].map((i) => accept(app, token, `${i} dry umbrellas`)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
      expect(getFieldErrors(await accept(app, token))).toEqual(SPENT);
      expect(getFieldErrors(await reset(app, token))).toEqual(SPENT);
    });

    // Covers A99
    test('expires after 7 days, and can be renewed, which ends the earlier link', async ({ app, admin }) => {
      const { user, token } = await inviteWithLink(admin);
      passTime(7 * DAY);
      expect(getFieldErrors(await accept(app, token))).toEqual(SPENT);
      const again = await app.signIn(admin);
      expect(await findState(again, user.id)).toMatchObject({
        waiting_for: 'invitation',
        invitation_expires_at: null,
      });
      const first = getToken(accountLinkReply.parse((await renew(again, user.id)).body).link);
      const second = getToken(accountLinkReply.parse((await renew(again, user.id)).body).link);
      expect(getFieldErrors(await accept(app, first))).toEqual(SPENT);
      expect((await accept(app, second)).status).toBe(200);
      expect((await renew(again, user.id)).status).toBe(409);
    });

    // Covers A99
    test('is void once it is withdrawn, and the email can be invited again', async ({ app, admin }) => {
      const { user, token } = await inviteWithLink(admin);
      expect((await withdraw(admin, user.id)).body).toEqual({
        message: 'The invitation has been withdrawn.',
      });
      expect(getFieldErrors(await accept(app, token))).toEqual(SPENT);
      expect((await readHistory(app, user.id)).at(-1)).toMatchObject({ action: 'delete' });
      const { email } = user;
      expect((await invite(admin, { email })).status).toBe(201);
      expect(getFieldErrors(await invite(admin, { email: email.toUpperCase() }))).toEqual({
        email: ['The email has already been taken.'],
      });
    });

    // Covers A99
    test('is void while its account is locked, and after its email was changed', async ({ app, admin }) => {
      const { password } = admin;
      const locked = await inviteWithLink(admin);
      await admin.put(`/api/users/${locked.user.id}/lock`, { locked: true, password });
      expect(getFieldErrors(await accept(app, locked.token))).toEqual(SPENT);
      expect((await renew(admin, locked.user.id)).status).toBe(409);
      const moved = await inviteWithLink(admin);
      await admin.put(`/api/users/${moved.user.id}`, { ...moved.user, email: newEmail(), password });
      expect(getFieldErrors(await accept(app, moved.token))).toEqual(SPENT);
    });

    // Covers A99
    test('is stored only as a hash, is no link to reset a password, and stays valid when a password is refused', async ({
      app,
      admin,
    }) => {
      const { token } = await inviteWithLink(admin);
      const stored = await app.db.read.selectFrom('password_resets').selectAll().execute();
      expect(JSON.stringify(stored)).not.toContain(token);
      expect(getFieldErrors(await reset(app, token))).toEqual(SPENT);
      expect(getFieldErrors(await accept(app, token, 'iloveyou1'))).toHaveProperty('password');
      expect(getFieldErrors(await accept(app, token, 'Sana Malik'))).toHaveProperty('password');
      expect((await accept(app, token)).status).toBe(200);
    });

    // Covers A98
    test('is made, renewed and withdrawn only by an administrator, with their password', async ({
      app,
      admin,
      staff,
      viewer,
    }) => {
      const { user } = await inviteWithLink(admin);
      for (const person of [staff, viewer]) {
        for (const answer of [
          await invite(person),
          await renew(person, user.id),
          await withdraw(person, user.id),
        ]) {
          expect(answer.status).toBe(403);
        }
        expect(JSON.stringify((await person.get('/api/users')).body)).not.toContain(user.email);
      }
      expect((await invite(admin, { password: 'not my password' })).status).toBe(401);
      expect(Object.keys(getFieldErrors(await admin.post('/api/invitations', {}))).sort()).toEqual([
        'email',
        'name',
        'password',
        'role',
      ]);
      expect(getFieldErrors(await invite(admin, { role: 'owner' }))).toHaveProperty('role');
      expect((await renew(admin, 999_999)).status).toBe(404);
      expect((await renew(admin, staff.user.id)).status).toBe(409);
      expect((await login(app, user.email, CHOSEN)).status).toBe(401);
    });
  },
);

describe.each(freshApps({ mailer }))('an invitation where mail can be sent, on $name', ({ test, engine }) => {
  test('is mailed, and its link is in no reply; its owner gets no other link', async ({ app, admin }) => {
    const email = newEmail();
    const answer = await invite(admin, { email });
    expect(answer.body).toMatchObject({ message: 'The invitation has been mailed.', link: null });
    const mail = await mails.mailTo(email);
    expect(mail.text).toContain('within 7 days');
    const link = linkIn(mail);
    expect([link.origin, link.pathname]).toEqual([PUBLIC_URL.origin, '/invitation']);
    await app.call('POST', '/api/forgot-password', { body: { email } });
    expect((await accept(app, getToken(link.href))).status).toBe(200);
    expect(mails.mailsTo(email)).toHaveLength(1);
  });

  // Covers A14
  test('is mailed at most three times in 15 minutes, then answered instead', async ({ admin }) => {
    const email = newEmail();
    const { user } = invitedReply.parse((await invite(admin, { email })).body);
    const links = [];
    for (let i = 0; i < 3; i += 1) {
      links.push(accountLinkReply.parse((await renew(admin, user.id)).body).link);
    }
    expect(links).toEqual([null, null, expect.stringMatching(/^\/invitation#token=/)]);
    expect(mails.mailsTo(email)).toHaveLength(3);
  });

  test('is answered when the mail server is down', async ({ onTestFinished }) => {
    const stopped = await MailServer.start();
    await stopped.stop();
    const app = await TestApp.open(engine, { mailer: createMailer(stopped.url, PUBLIC_URL) });
    onTestFinished(() => app.close());
    const admin = await app.register();
    const { message, link } = invitedReply.parse((await invite(admin)).body);
    expect(message).toBe('The invitation has been made, but could not be mailed.');
    expect((await accept(app, getToken(link))).status).toBe(200);
  });
});

const makeLink = (by: Person, { user }: Pick<Person, 'user'>, password = by.password) =>
  by.post(`/api/users/${user.id}/reset-link`, { password });

describe.each(sharedApps({ mailer }))('a password link of an administrator, on $name', ({ test }) => {
  test('sets another password once, ends the sessions of its owner then, and is never mailed', async ({
    app,
    admin,
  }) => {
    const owner = await app.register();
    const { link } = accountLinkReply.parse((await makeLink(admin, owner)).body);
    expect(link).toMatch(/^\/set-password#token=[\w-]{43}$/);
    expect((await owner.get('/api/users')).status).toBe(200);
    expect(getFieldErrors(await accept(app, getToken(link)))).toEqual(SPENT);
    expect((await reset(app, getToken(link))).status).toBe(200);
    expect((await owner.get('/api/users')).status).toBe(401);
    expect((await login(app, owner.user.email, CHOSEN)).status).toBe(200);
    expect(getFieldErrors(await reset(app, getToken(link)))).toEqual(SPENT);
    expect(mails.mailsTo(owner.user.email)).toEqual([]);
    const entries = await readHistory(app, owner.user.id);
    expect(entries.slice(-2)).toEqual([
      { action: 'update', user_id: admin.user.id, after: '{"password_link":"made"}' },
      { action: 'update', user_id: owner.user.id, after: '{"password":"reset by link"}' },
    ]);
  });

  // Covers A99
  test('expires after 24 hours', async ({ app, admin }) => {
    const owner = await app.register();
    const first = getToken(accountLinkReply.parse((await makeLink(admin, owner)).body).link);
    const second = getToken(accountLinkReply.parse((await makeLink(admin, owner)).body).link);
    passTime(24 * HOUR - 60_000);
    expect((await reset(app, first)).status).toBe(200);
    const third = getToken(
      accountLinkReply.parse((await makeLink(await app.signIn(admin), owner)).body).link,
    );
    expect(getFieldErrors(await reset(app, second))).toEqual(SPENT);
    passTime(24 * HOUR);
    expect(getFieldErrors(await reset(app, third))).toEqual(SPENT);
  });

  // Covers A98
  test('is made only by an administrator, with their password, for an account in use', async ({
    app,
    admin,
    viewer,
  }) => {
    const staff = await app.register();
    expect((await makeLink(viewer, staff)).status).toBe(403);
    expect((await makeLink(staff, admin)).status).toBe(403);
    expect((await makeLink(admin, staff, 'not my password')).status).toBe(401);
    expect(getFieldErrors(await admin.post(`/api/users/${staff.user.id}/reset-link`, {}))).toHaveProperty(
      'password',
    );
    expect((await makeLink(admin, { user: { ...staff.user, id: 999_999 } })).status).toBe(404);
    const { user } = invitedReply.parse((await invite(admin)).body);
    expect((await makeLink(admin, { user })).status).toBe(409);
    const { password } = admin;
    await admin.put(`/api/users/${staff.user.id}/lock`, { locked: true, password });
    expect((await makeLink(admin, staff)).status).toBe(409);
  });
});
