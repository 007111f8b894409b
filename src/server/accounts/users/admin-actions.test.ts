import { describe, expect } from 'vitest';
import { freshApps, getFieldErrors, type Person, TestApp } from '../../../../tests/support/app/test-app.ts';
import { linkIn, MailServer, tokenIn } from '../../../../tests/support/services/mail-server.ts';
import { accountStatesReply } from '../../../contract/accounts/accounts.ts';
import { createMailer } from '../../mail.ts';

const lock = (admin: Person, { user }: Pick<Person, 'user'>, locked: boolean, password = admin.password) =>
  admin.put(`/api/users/${user.id}/lock`, { locked, password });

const tryPassword = (app: TestApp, { user, password }: Person) =>
  app.call('POST', '/api/login', { body: { email: user.email, password } });

const lockedIds = async (admin: Person) =>
  accountStatesReply
    .parse((await admin.get('/api/account-states')).body)
    .filter(({ locked }) => locked)
    .map(({ id }) => id);

describe.each(freshApps())('a locked account, on $name', ({ test, engine }) => {
  // Covers A33
  test('loses its sessions immediately and can sign in only after it is unlocked', async ({
    app,
    admin,
    staff,
  }) => {
    const second = await app.signIn(staff);
    expect((await lock(admin, staff, true)).status).toBe(200);
    for (const session of [staff, second]) {
      const answer = await session.get('/api');
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    }
    const refused = await tryPassword(app, staff);
    const wrong = await tryPassword(app, { ...staff, password: 'not the password' });
    expect([refused.status, refused.text]).toEqual([401, wrong.text]);
    expect(Object.keys(refused.headers)).toEqual(Object.keys(wrong.headers));
    expect(await lockedIds(admin)).toEqual([staff.user.id]);

    expect((await lock(admin, staff, false)).status).toBe(200);
    expect(await lockedIds(admin)).toEqual([]);
    expect((await staff.get('/api')).status).toBe(401);
    expect((await tryPassword(app, staff)).status).toBe(200);
  });

  // Covers A33
  test('cannot use a session from a concurrent sign-in, even after it is unlocked', async ({
    app,
    admin,
    staff,
  }) => {
    const sessions = await app.db.read
      .selectFrom('sessions')
      .selectAll()
      .where('user_id', '=', staff.user.id)
      .execute();
    await lock(admin, staff, true);
    await app.db.write.insertInto('sessions').values(sessions).execute();
    expect((await staff.get('/api')).status).toBe(401);
    await app.db.write.insertInto('sessions').values(sessions).execute();
    await lock(admin, staff, false);
    expect((await staff.get('/api')).status).toBe(401);
  });

  test('counts correct passwords as failures, like wrong ones', async ({ app, admin, staff }) => {
    await lock(admin, staff, true);
    const statuses = [];
    for (let i = 0; i < 11; i += 1) statuses.push((await tryPassword(app, staff)).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
  });

  // Covers A44
  test('is locked only by an administrator, with their password, and is not their own', async ({
    app,
    admin,
    staff,
    viewer,
  }) => {
    for (const person of [staff, viewer]) {
      expect((await lock(person, admin, true)).status).toBe(403);
      expect((await person.get('/api/account-states')).status).toBe(403);
    }
    expect((await lock(admin, staff, true, 'not my password')).status).toBe(401);
    expect(Object.keys(getFieldErrors(await admin.put(`/api/users/${staff.user.id}/lock`, {})))).toEqual([
      'locked',
      'password',
    ]);
    expect(getFieldErrors(await lock(admin, admin, true))).toEqual({
      locked: ['Your own account can’t be locked.'],
    });
    expect((await lock(admin, { user: { ...staff.user, id: 999 } }, true)).status).toBe(404);
    expect(await lockedIds(admin)).toEqual([]);
    expect((await tryPassword(app, staff)).status).toBe(200);
  });

  // Covers A44
  test('does not count as an administrator: the last unlocked one cannot be demoted or locked', async ({
    app,
    admin,
    staff,
  }) => {
    await app.giveRole(admin, staff, 'admin');
    // Both lock each other at the same moment: one must remain.
    const answers = await Promise.all([lock(admin, staff, true), lock(staff, admin, true)]);
    const statuses = answers.map(({ status }) => status).sort();
    expect([
      [200, 401],
      [200, 422],
    ]).toContainEqual(statuses);
    const remaining = answers[0].status === 200 ? admin : staff;
    const other = remaining === admin ? staff : admin;
    expect(getFieldErrors(await app.giveRole(remaining, remaining, 'viewer'))).toHaveProperty('role');
    // The locked administrator is not the last one.
    expect((await app.giveRole(remaining, other, 'viewer')).status).toBe(200);
  });

  test('has one history entry for each change, with its author', async ({ app, admin, staff }) => {
    for (const locked of [true, true, false]) await lock(admin, staff, locked);
    const entries = await app.db.read
      .selectFrom('history')
      .select(['user_id', 'entity_id', 'before', 'after'])
      .where('after', 'like', '%locked%')
      .orderBy('id')
      .execute();
    const change = (before: boolean, after: boolean) => ({
      user_id: admin.user.id,
      entity_id: String(staff.user.id),
      before: JSON.stringify({ locked: before }),
      after: JSON.stringify({ locked: after }),
    });
    expect(entries).toEqual([change(false, true), change(true, false)]);
    const users = (await admin.get('/api/users')).body as object[];
    expect(Object.keys(users[0] ?? {}).sort()).toEqual(['email', 'id', 'name', 'role']);
  });

  // Covers A33
  test('gets no password reset link, and links sent earlier are void', async ({ onTestFinished }) => {
    const mails = await MailServer.start();
    onTestFinished(() => mails.stop());
    const mailer = createMailer(mails.url, new URL('https://records.faculty.example'));
    const app = await TestApp.open(engine, { mailer });
    onTestFinished(() => app.close());
    const admin = await app.register();
    const [staff, third] = [await app.register(), await app.register()];
    const ask = (email: string) => app.call('POST', '/api/forgot-password', { body: { email } });
    await ask(staff.user.email);
    const token = tokenIn(linkIn(await mails.mailTo(staff.user.email)));
    await lock(admin, staff, true);
    const next = 'four dry umbrellas';
    const body = { token, password: next, password_confirmation: next };
    expect(getFieldErrors(await app.call('POST', '/api/reset-password', { body }))).toHaveProperty('token');
    await ask(staff.user.email);
    await ask(third.user.email);
    await mails.mailTo(third.user.email);
    const links = await app.db.read.selectFrom('password_resets').select('user_id').execute();
    expect(links).toEqual([{ user_id: third.user.id }]);
  });
});
