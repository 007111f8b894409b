import { hash } from '@node-rs/argon2';
import { describe, expect } from 'vitest';
import {
  freshApps,
  getFieldErrors,
  type Person,
  type TestApp,
} from '../../../../tests/support/app/test-app.ts';
import { tokenIn } from '../../../../tests/support/services/mail-server.ts';
import { prepareUser } from '../users/create-user.ts';

/** One password as two keyboards send it: `ü` and `ç` as one character each or as two, and `ﬁ` as one or two. */
const COMPOSED = 'f\u00fcnf nasse gar\u00e7ons fi';
const DECOMPOSED = 'fu\u0308nf nasse garc\u0327ons \ufb01';
const NEXT = DECOMPOSED.replace('nasse', 'trockene');
const NEXT_COMPOSED = COMPOSED.replace('nasse', 'trockene');

const signIn = (app: TestApp, { user }: Pick<Person, 'user'>, password: string) =>
  app.call('POST', '/api/login', { body: { email: user.email, password } });

const storeHash = (app: TestApp, { user }: Pick<Person, 'user'>, password_hash: string) =>
  app.db.write.updateTable('users').set({ password_hash }).where('id', '=', user.id).execute();

describe.each(freshApps())('a password that keyboards send in different characters, on $name', ({ test }) => {
  test('is one at registration, sign-in and where it is confirmed', async ({ app }) => {
    const form = { name: 'Uma', email: 'uma@x.example', password: DECOMPOSED };
    const body = { ...form, password_confirmation: COMPOSED };
    expect((await app.call('POST', '/api/register', { body })).status).toBe(201);
    for (const password of [COMPOSED, DECOMPOSED]) {
      const { user } = (await app.call('POST', '/api/login', { body: { email: form.email, password } }))
        .body as Person;
      expect(user.email).toBe(form.email);
      const uma = await app.signIn({ user, password });
      const details = { ...user, password: DECOMPOSED };
      expect((await uma.put(`/api/users/${user.id}`, details)).status).toBe(200);
    }
  });

  test('is one when it is changed', async ({ app, staff }) => {
    const here = await app.signIn(staff);
    const change = (old_password: string, password: string, password_confirmation: string) =>
      here.put(`/api/users/${staff.user.id}/change-password`, {
        ...{ id: staff.user.id, old_password, password, password_confirmation },
      });
    expect((await change(staff.password, DECOMPOSED, COMPOSED)).status).toBe(200);
    expect((await signIn(app, staff, COMPOSED)).status).toBe(200);
    expect((await change(COMPOSED, NEXT, NEXT)).status).toBe(200);
    expect((await signIn(app, staff, NEXT_COMPOSED)).status).toBe(200);
    expect((await signIn(app, staff, COMPOSED)).status).toBe(401);
    const common = '\uff49\uff4c\uff4f\uff56\uff45\uff59\uff4f\uff551';
    expect(getFieldErrors(await change(NEXT, common, common))).toHaveProperty('password');
  });

  test('is one when it is chosen by a link or on the command line', async ({ app, admin, staff }) => {
    const invite = { name: 'Ina', email: 'ina@x.example', role: 'staff', password: admin.password };
    const invited = await admin.post('/api/invitations', invite);
    const reset = await admin.post(`/api/users/${staff.user.id}/reset-link`, {
      password: admin.password,
    });
    const choose = async (path: string, { body }: typeof invited) => {
      const token = tokenIn(new URL(String((body as { link: string }).link), 'http://x.example'));
      const chosen = { token, password: DECOMPOSED, password_confirmation: COMPOSED };
      expect(await app.call('POST', path, { body: chosen })).toMatchObject({ status: 200 });
    };
    await choose('/api/accept-invitation', invited);
    await choose('/api/reset-password', reset);
    const ina = { user: { ...staff.user, email: invite.email } };
    for (const person of [ina, staff])
      for (const password of [COMPOSED, DECOMPOSED])
        expect((await signIn(app, person, password)).status).toBe(200);

    const { password_hash } = await prepareUser(app.db.read, { ...staff.user, password: NEXT });
    await storeHash(app, staff, password_hash);
    expect((await signIn(app, staff, NEXT_COMPOSED)).status).toBe(200);
  });

  test('is still accepted as it was typed where its hash is of that', async ({ app, staff }) => {
    await storeHash(app, staff, await hash(DECOMPOSED));
    expect((await signIn(app, staff, DECOMPOSED)).status).toBe(200);
    expect((await signIn(app, staff, COMPOSED)).status).toBe(401);
  });
});
