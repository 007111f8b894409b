import { afterAll, describe, expect } from 'vitest';
import { freshApps, getFieldErrors, type TestApp } from '../../../../tests/support/app/test-app.ts';
import { linkIn, MailServer, tokenIn } from '../../../../tests/support/services/mail-server.ts';
import { createMailer } from '../../mail.ts';

const mails = await MailServer.start();
const mailer = createMailer(mails.url, new URL('https://records.faculty.example'));
afterAll(() => mails.stop());

const NEXT = 'four dry umbrellas';

async function requestLink(app: TestApp, email: string): Promise<string> {
  await app.call('POST', '/api/forgot-password', { body: { email } });
  return tokenIn(linkIn(await mails.mailTo(email)));
}

const reset = (app: TestApp, token: string) =>
  app.call('POST', '/api/reset-password', {
    body: { token, password: NEXT, password_confirmation: NEXT },
  });

describe.each(freshApps({ mailer, settings: { loginLimit: 2 } }))('a mailed link, on $name', ({ test }) => {
  test('is void after a change of password', async ({ app, staff }) => {
    const token = await requestLink(app, staff.user.email);
    const changed = await staff.put(`/api/users/${staff.user.id}/change-password`, {
      old_password: staff.password,
      password: 'five dry umbrellas',
      password_confirmation: 'five dry umbrellas',
    });
    expect(changed.status).toBe(200);
    expect(getFieldErrors(await reset(app, token))).toHaveProperty('token');
  });

  test('is void after a change of address, but not of the name', async ({ app, staff }) => {
    const token = await requestLink(app, staff.user.email);
    const change = (changes: object) =>
      staff.put(`/api/users/${staff.user.id}`, { ...staff.user, ...changes, password: staff.password });
    expect((await change({ name: 'Sana Malik Khan' })).status).toBe(200);
    expect((await change({ email: `new.${staff.user.email}` })).status).toBe(200);
    expect(getFieldErrors(await reset(app, token))).toHaveProperty('token');
  });

  test('works although the sign-in limit was reached', async ({ app, staff }) => {
    const { email } = staff.user;
    const wrong = () => app.call('POST', '/api/login', { body: { email, password: 'not the password' } });
    expect([(await wrong()).status, (await wrong()).status, (await wrong()).status]).toEqual([401, 401, 429]);
    expect((await reset(app, await requestLink(app, email))).status).toBe(200);
    await expect(app.signIn({ ...staff, password: NEXT })).resolves.toBeDefined();
  });
});

describe.each(freshApps())('an address that a mail server could read as two, on $name', ({ test }) => {
  test.for(['a,victim@y.example', 'a@x.example;victim@y.example', '<victim@y.example>'])(
    'is refused: %s',
    async (email, { app }) => {
      const answer = await app.call('POST', '/api/register', {
        body: { name: 'A', email, password: NEXT, password_confirmation: NEXT },
      });
      expect(getFieldErrors(answer)).toEqual({ email: ['The email must be an email address.'] });
    },
  );
});
