import { describe, expect } from 'vitest';
import { freshApps, sharedApps } from '../../../tests/support/app.ts';
import { unique } from '../../../tests/support/records.ts';
import { signedInReply } from '../../contract/accounts.ts';

const form = (changes: Record<string, unknown> = {}) => ({
  name: 'Bilal Ahmed',
  email: `${unique()}@faculty.example`,
  password: 'seven wet umbrellas',
  password_confirmation: 'seven wet umbrellas',
  ...changes,
});

describe.each(freshApps())('the first accounts, on $name', ({ test }) => {
  test('the first is the administrator, whatever role it asks for; later ones are staff', async ({ app }) => {
    const first = await app.call('POST', '/api/register', { body: form({ role: 'viewer' }) });
    expect(first.status).toBe(201);
    expect(signedInReply.parse(first.body).user.role).toBe('admin');
    const second = await app.call('POST', '/api/register', { body: form({ role: 'admin', id: 1 }) });
    expect(signedInReply.parse(second.body).user).toMatchObject({ role: 'staff', id: 2 });
  });

  test('of twenty at the same time exactly one is the administrator', async ({ app }) => {
    const people = await Promise.all(Array.from({ length: 20 }, () => app.register()));
    expect(people.filter(({ user }) => user.role === 'admin')).toHaveLength(1);
    expect(people.filter(({ user }) => user.role === 'staff')).toHaveLength(19);
    expect(new Set(people.map(({ user }) => user.id))).toHaveLength(20);
  });

  test('of ten at the same time with one address exactly one is made', async ({ app }) => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        app.call('POST', '/api/register', { body: form({ email: i % 2 ? 'One@x.example' : 'one@x.example' }) }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 422);
    expect(refused).toHaveLength(9);
    expect(refused[0]?.body).toMatchObject({ errors: { email: ['The email has already been taken.'] } });
  });
});

describe.each(sharedApps())('registering, on $name', ({ test }) => {
  test('answers the token, the account without its password, and a message', async ({ app, admin: _ }) => {
    const sent = form();
    const answer = await app.call('POST', '/api/register', { body: sent });
    expect(answer.body).toEqual({
      token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      user: { id: expect.any(Number), name: sent.name, email: sent.email, role: 'staff' },
      message: expect.any(String),
    });
    expect(answer.text).not.toContain(sent.password);
  });

  test('refuses an address that is taken, whatever its case', async ({ app, admin }) => {
    for (const email of [admin.user.email, admin.user.email.toUpperCase(), ` ${admin.user.email} `]) {
      const answer = await app.call('POST', '/api/register', { body: form({ email }) });
      expect(answer).toMatchObject({
        status: 422,
        body: { errors: { email: ['The email has already been taken.'] } },
      });
    }
  });

  test.each([
    ['an empty form', {}, ['email', 'name', 'password', 'password_confirmation']],
    ['no name', form({ name: ' ' }), ['name']],
    ['no address', form({ email: '' }), ['email']],
    ['an address without an @', form({ email: 'bilal.example' }), ['email']],
    ['an address with a blank', form({ email: 'bi lal@x.example' }), ['email']],
    ['an address of more than 255 characters', form({ email: `${'b'.repeat(250)}@x.example` }), ['email']],
    ['an address that is a list', form({ email: ['a@x.example'] }), ['email']],
    ['an address that is an object', form({ email: { $gt: '' } }), ['email']],
    ['a name of more than 255 characters', form({ name: 'b'.repeat(256) }), ['name']],
  ])('refuses %s, and only what is wrong with it', async (_what, body, fields) => {
    const { app } = await sharedAppOf(test);
    const answer = await app.call('POST', '/api/register', { body });
    expect(answer.status).toBe(422);
    expect(Object.keys((answer.body as { errors: object }).errors).sort()).toEqual(fields);
  });
});
