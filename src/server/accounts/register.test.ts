import { describe, expect } from 'vitest';
import { errorsOf, freshApps, sharedApps } from '../../../tests/support/app.ts';
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
        app.call('POST', '/api/register', {
          body: form({ email: i % 2 ? 'One@x.example' : 'one@x.example' }),
        }),
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

  test.for<[string, Record<string, unknown>, string[]]>([
    ['an empty form', {}, ['email', 'name', 'password', 'password_confirmation']],
    ['no name', form({ name: ' ' }), ['name']],
    ['no address', form({ email: '' }), ['email']],
    ['an address without an @', form({ email: 'bilal.example' }), ['email']],
    ['an address with a blank', form({ email: 'bi lal@x.example' }), ['email']],
    ['an address of more than 255 characters', form({ email: `${'b'.repeat(250)}@x.example` }), ['email']],
    ['an address that is a list', form({ email: ['a@x.example'] }), ['email']],
    ['an address that is an object', form({ email: { $gt: '' } }), ['email']],
    ['a name of more than 255 characters', form({ name: 'b'.repeat(256) }), ['name']],
  ])('refuses %s, and only what is wrong with it', async ([, body, fields], { app }) => {
    const errors = errorsOf(await app.call('POST', '/api/register', { body }));
    expect(Object.keys(errors).sort()).toEqual(fields);
  });

  test('names a confirmation that differs', async ({ app }) => {
    const body = form({ password_confirmation: 'seven dry umbrellas' });
    expect(errorsOf(await app.call('POST', '/api/register', { body }))).toEqual({
      password: ['The password confirmation does not match.'],
    });
  });

  test.for([
    ['of 7 characters', 'xk4$ qz'],
    ['of 257 characters', 'x'.repeat(257)],
    ['of a megabyte', 'x'.repeat(400_000)],
    ['among the common ones', 'password123'],
    ['among the common ones in capitals', 'PASSWORD123'],
    ['equal to the name', 'bilal ahmed'],
    ['equal to the address', 'bilal.a@faculty.example'],
    ['equal to the name before the @', 'BILAL.A@FACULTY.EXAMPLE'],
    ['that is empty', ''],
  ] as const)('refuses a password %s', async ([, password], { app }) => {
    const body = form({ email: 'bilal.a@faculty.example', password, password_confirmation: password });
    expect(errorsOf(await app.call('POST', '/api/register', { body }))).toHaveProperty('password');
  });

  test.for([
    ['of 8 characters', 'xk4$ qzv'],
    ['of 256 characters', 'xk4$ qzv'.repeat(32)],
    ['of 256 characters that are two units each', '🌂'.repeat(256)],
    ['of blanks and small letters alone', 'a slow boat to a small island'],
    ['that begins and ends with blanks', '  seven wet umbrellas  '],
  ] as const)('takes a password %s, exactly as it is', async ([, password], { app }) => {
    const person = await app.register({ password });
    await expect(app.signIn(person)).resolves.toBeDefined();
    const trimmed = await app.call('POST', '/api/login', {
      body: { email: person.user.email, password: `${password}x`.slice(1) },
    });
    expect(trimmed.status).not.toBe(200);
  });

  test('tells passwords apart by their last character, however long', async ({ app }) => {
    const long = 'a'.repeat(100);
    const { user } = await app.register({ password: `${long}1` });
    const body = { email: user.email, password: `${long}2` };
    expect((await app.call('POST', '/api/login', { body })).status).toBe(401);
  });
});

describe.each(freshApps({ settings: { registration: { kind: 'closed' } } }))(
  'where registration is closed, on $name',
  ({ test }) => {
    test('the first account can be made, no other', async ({ app }) => {
      await app.register();
      const answer = await app.call('POST', '/api/register', { body: form() });
      expect(answer).toMatchObject({ status: 403, body: { message: expect.stringContaining('closed') } });
      expect(answer.headers).not.toHaveProperty('www-authenticate');
    });
  },
);

describe.each(
  freshApps({ settings: { registration: { kind: 'domains', domains: ['faculty.example', 'x.example'] } } }),
)('where registration is for some domains, on $name', ({ test }) => {
  test('addresses of these are taken, whatever their case, no others', async ({ app, admin: _ }) => {
    const statusOf = async (email: string) =>
      (await app.call('POST', '/api/register', { body: form({ email }) })).status;
    expect(await statusOf('a@FACULTY.example')).toBe(201);
    expect(await statusOf('b@x.example')).toBe(201);
    expect(await statusOf('c@evil.example')).toBe(403);
    expect(await statusOf('d@sub.faculty.example')).toBe(403);
    expect(await statusOf('e@notfaculty.example')).toBe(403);
    expect(await statusOf('faculty.example@evil.example')).toBe(403);
  });
});
