import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect } from 'vitest';
import { accountLinkReply, signedInReply, userListReply } from '../../src/contract/accounts/accounts.ts';
import { invitedReply } from '../../src/contract/accounts/invitations.ts';
import { getFieldErrors, type Person } from '../support/app/people.ts';
import { processTargets, type Target, targets } from '../support/processes/raw-client.ts';
import { unique } from '../support/records.ts';
import { linkIn, MailServer, tokenIn } from '../support/services/mail-server.ts';

const mails = await MailServer.start();
afterAll(() => mails.stop());

async function register(target: Target, email = `${unique()}@faculty.example`) {
  const account = { email, password: `pass word ${unique()}` };
  const body = { name: 'Eve', ...account, password_confirmation: account.password };
  return { ...account, answer: await target.call('POST', '/api/register', { body }) };
}

const signIn = (target: Target, email: string, password: string) =>
  target.call('POST', '/api/login', { body: { email, password } });

const verify = (target: Target, body: object) => target.call('POST', '/api/verify-email', { body });

async function findId(admin: Person, email: string): Promise<number> {
  const users = userListReply.parse((await admin.get('/api/users')).body);
  return users.find((user) => user.email === email)?.id ?? Number.NaN;
}

const MAILING = {
  SIMS_REGISTRATION: 'domains:faculty.example',
  SIMS_SMTP_URL: mails.url.href,
  SIMS_PUBLIC_URL: 'http://127.0.0.1:3997',
};

describe.each(targets(MAILING))('registering the email address of another person, on $name', ({ test }) => {
  // Covers A21
  test('opens no session and no sign-in without the mail, nor when its owner opens the link', async ({
    target,
    admin: _,
  }) => {
    const { answer, email, password } = await register(target);
    expect(answer.status).toBe(202);
    expect(answer.text).not.toContain('token');
    expect((await signIn(target, email, password)).status).toBe(403);

    const link = linkIn(await mails.mailTo(email));
    const token = tokenIn(link);
    // A scanner of mails follows the link, and its owner does so without knowing the password.
    for (const method of ['GET', 'HEAD']) {
      expect((await target.call(method, `${link.pathname}${link.search}`)).status).toBe(200);
    }
    expect((await target.call('GET', `/api/verify-email${link.search}`)).status).toBe(405);
    expect(getFieldErrors(await verify(target, { token }))).toHaveProperty('password');
    expect((await verify(target, { token, password: 'not the password' })).status).toBe(401);
    expect((await signIn(target, email, password)).status).toBe(403);

    expect((await verify(target, { token, password })).status).toBe(200);
    expect(getFieldErrors(await verify(target, { token, password }))).toHaveProperty('token');
    for (const name of readdirSync(target.server.dataDir)) {
      expect(readFileSync(path.join(target.server.dataDir, name)).includes(token), name).toBe(false);
    }
  });

  // Covers A21
  test('is of no use once its owner sets another password by mail', async ({ target, admin: _ }) => {
    const { email, password } = await register(target);
    const earlier = tokenIn(linkIn(await mails.mailTo(email)));
    await target.call('POST', '/api/forgot-password', { body: { email } });
    const token = tokenIn(linkIn(await mails.mailTo(email, 2)));
    const next = 'four dry umbrellas';
    const body = { token, password: next, password_confirmation: next };
    expect((await target.call('POST', '/api/reset-password', { body })).status).toBe(200);
    expect((await signIn(target, email, next)).status).toBe(200);
    expect((await signIn(target, email, password)).status).toBe(401);
    expect(getFieldErrors(await verify(target, { token: earlier, password }))).toHaveProperty('token');
  });

  // Covers A21
  test('does not reveal which accounts are waiting when a new link is requested', async ({
    target,
    admin,
  }) => {
    const { email } = await register(target);
    const answers = [];
    for (const asked of [email, admin.user.email, `${unique()}@faculty.example`]) {
      const { status, text } = await target.call('POST', '/api/resend-verification', {
        body: { email: asked },
      });
      answers.push(`${status} ${text}`);
    }
    expect(new Set(answers)).toHaveLength(1);
    await mails.mailTo(email, 2);
    expect(mails.mailsTo(admin.user.email)).toEqual([]);
  });
});

describe.each(targets({ SIMS_REGISTRATION: 'approval' }))(
  'getting in where accounts are approved, on $name',
  ({ test }) => {
    // Covers A22
    test('needs an administrator: other users decide neither about themselves nor about others', async ({
      target,
      admin,
    }) => {
      const [colleague, eve] = [await register(target), await register(target)];
      const proof = { password: admin.password };
      const colleagueId = await findId(admin, colleague.email);
      expect((await admin.post(`/api/users/${colleagueId}/approve`, proof)).status).toBe(200);
      const staff = signedInReply.parse((await signIn(target, colleague.email, colleague.password)).body);

      expect(eve.answer.text).not.toContain('token');
      const id = await findId(admin, eve.email);
      for (const act of ['approve', 'reject']) {
        const call = (password: string, token?: string) =>
          target.call('POST', `/api/users/${id}/${act}`, {
            body: { password },
            ...(token === undefined ? {} : { token }),
          });
        expect((await call(eve.password)).status).toBe(401);
        expect((await call(colleague.password, staff.token)).status).toBe(403);
        // An unattended screen of an administrator.
        expect((await call(eve.password, admin.token)).status).toBe(401);
      }
      expect((await signIn(target, eve.email, eve.password)).status).toBe(403);
      expect((await signIn(target, eve.email, 'not the password')).text).not.toContain('waiting_for');
      expect((await admin.post(`/api/users/${id}/reject`, proof)).status).toBe(200);
      expect((await signIn(target, eve.email, eve.password)).status).toBe(401);
      // An account in use cannot be rejected.
      expect((await admin.post(`/api/users/${colleagueId}/reject`, proof)).status).toBe(409);
    });
  },
);

describe.each(processTargets({ SIMS_REGISTRATION: 'closed' }))(
  'the links that administrators hand over, on $name',
  ({ test }) => {
    // Covers A98, A99
    test('are of no use to others: each works once for what it was made, and neither is on disk or in the log', async ({
      target,
      admin,
    }) => {
      const { password } = admin;
      const body = { name: 'Sana', email: `${unique()}@faculty.example`, role: 'admin', password };
      const { user, link } = invitedReply.parse((await admin.post('/api/invitations', body)).body);
      const choose = (path: string, token: unknown) =>
        target.call('POST', path, {
          body: { token, password: 'four dry umbrellas', password_confirmation: 'four dry umbrellas' },
        });
      const getToken = (path: string | null) => tokenIn(new URL(path ?? '', 'https://sims.example'));
      const token = getToken(link);
      // No server that the link passes sees the token.
      expect(link).toMatch(/^\/invitation#token=[\w-]{43}$/);
      // A scanner of messages follows the link, also as earlier versions made it.
      for (const followed of ['/invitation', `/invitation?token=${token}`])
        expect((await target.call('GET', followed)).status).toBe(200);
      expect((await target.call('GET', `/api/accept-invitation?token=${token}`)).status).toBe(405);
      for (const guess of ['', 'A'.repeat(43), "' or 1=1 --", [token], { $ne: '' }, token.toLowerCase()]) {
        expect(getFieldErrors(await choose('/api/accept-invitation', guess))).toHaveProperty('token');
      }
      expect(getFieldErrors(await choose('/api/reset-password', token))).toHaveProperty('token');
      const { token: invited } = signedInReply.parse((await choose('/api/accept-invitation', token)).body);
      expect(getFieldErrors(await choose('/api/accept-invitation', token))).toHaveProperty('token');

      const made = await admin.post(`/api/users/${user.id}/reset-link`, { password });
      const reset = getToken(accountLinkReply.parse(made.body).link);
      expect(getFieldErrors(await choose('/api/accept-invitation', reset))).toHaveProperty('token');
      // An unattended screen of another administrator.
      const unattended = await target.call('POST', `/api/users/${admin.user.id}/reset-link`, {
        token: invited,
        body: { password: 'not the password' },
      });
      expect(unattended.status).toBe(401);
      expect((await choose('/api/reset-password', reset)).status).toBe(200);
      expect((await target.call('GET', '/api/users', { token: invited })).status).toBe(401);

      for (const secret of [token, reset]) {
        expect(target.server.logs).not.toContain(secret);
        for (const name of readdirSync(target.server.dataDir)) {
          expect(readFileSync(path.join(target.server.dataDir, name)).includes(secret), name).toBe(false);
        }
      }
    });
  },
);
