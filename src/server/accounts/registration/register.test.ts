import { describe, expect } from 'vitest';
import { freshApps, getFieldErrors, sharedApps } from '../../../../tests/support/app/test-app.ts';
import { unique } from '../../../../tests/support/records.ts';
import { signedInReply } from '../../../contract/accounts/accounts.ts';

const form = (changes: Record<string, unknown> = {}) => ({
  name: 'Bilal Ahmed',
  email: `${unique()}@faculty.example`,
  password: 'seven wet umbrellas',
  password_confirmation: 'seven wet umbrellas',
  ...changes,
});

describe.each(freshApps())('the first accounts, on $name', ({ test }) => {
  // Covers 6.3
  test('are the administrator and then staff, whatever role they ask for', async ({ app }) => {
    const first = await app.call('POST', '/api/register', { body: form({ role: 'viewer' }) });
    expect(first.status).toBe(201);
    expect(signedInReply.parse(first.body).user.role).toBe('admin');
    const second = await app.call('POST', '/api/register', { body: form({ role: 'admin', id: 1 }) });
    expect(signedInReply.parse(second.body).user).toMatchObject({ role: 'staff', id: 2 });
  });

  test('include exactly one administrator when twenty register at the same time', async ({ app }) => {
    const people = await Promise.all(Array.from({ length: 20 }, () => app.registerByCall()));
    expect(people.filter(({ user }) => user.role === 'admin')).toHaveLength(1);
    expect(people.filter(({ user }) => user.role === 'staff')).toHaveLength(19);
    expect(new Set(people.map(({ user }) => user.id))).toHaveLength(20);
  });

  test('are not duplicated when ten register with one address at the same time', async ({ app }) => {
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
  // Covers 6.2, 7.2
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

  test('refuses a taken address in any case', async ({ app, admin }) => {
    for (const email of [admin.user.email, admin.user.email.toUpperCase(), ` ${admin.user.email} `]) {
      const answer = await app.call('POST', '/api/register', { body: form({ email }) });
      expect(answer).toMatchObject({
        status: 422,
        body: { errors: { email: ['The email has already been taken.'] } },
      });
    }
  });

  // Covers 7.3
  test.for<[string, Record<string, unknown>, string[]]>([
    ['an empty form', {}, ['email', 'name', 'password', 'password_confirmation']],
    ['no name', form({ name: ' ' }), ['name']],
    ['no address', form({ email: '' }), ['email']],
    ['an address without an @', form({ email: 'bilal.example' }), ['email']],
    ['an address with a space', form({ email: 'bi lal@x.example' }), ['email']],
    ['an address of more than 255 characters', form({ email: `${'b'.repeat(250)}@x.example` }), ['email']],
    ['an address that is an array', form({ email: ['a@x.example'] }), ['email']],
    ['an address that is an object', form({ email: { $gt: '' } }), ['email']],
    ['a name of more than 255 characters', form({ name: 'b'.repeat(256) }), ['name']],
  ])('refuses %s and names only the invalid fields', async ([, body, fields], { app }) => {
    const errors = getFieldErrors(await app.call('POST', '/api/register', { body }));
    expect(Object.keys(errors).sort()).toEqual(fields);
  });

  test('refuses a confirmation of the password that differs', async ({ app }) => {
    const body = form({ password_confirmation: 'seven dry umbrellas' });
    expect(getFieldErrors(await app.call('POST', '/api/register', { body }))).toEqual({
      password: ['The password confirmation does not match.'],
    });
  });

  // Covers A18
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
    expect(getFieldErrors(await app.call('POST', '/api/register', { body }))).toHaveProperty('password');
  });

  // Covers A18
  test.for([
    ['of 8 characters', 'xk4$ qzv'],
    ['of 256 characters', 'xk4$ qzv'.repeat(32)],
    ['of 256 characters that are two UTF-16 code units each', '🌂'.repeat(256)],
    ['of only spaces and lower-case letters', 'a slow boat to a small island'],
    ['that starts and ends with spaces', '  seven wet umbrellas  '],
  ] as const)('accepts a password %s unaltered', async ([, password], { app }) => {
    const person = await app.registerByCall({ password });
    await expect(app.signIn(person)).resolves.toBeDefined();
    const trimmed = await app.call('POST', '/api/login', {
      body: { email: person.user.email, password: `${password}x`.slice(1) },
    });
    expect(trimmed.status).not.toBe(200);
  });

  test('distinguishes long passwords by their last character', async ({ app }) => {
    const long = 'a'.repeat(100);
    const { user } = await app.registerByCall({ password: `${long}1` });
    const body = { email: user.email, password: `${long}2` };
    expect((await app.call('POST', '/api/login', { body })).status).toBe(401);
  });
});

describe.each(freshApps({ settings: { registration: { kind: 'closed' } } }))(
  'closed registration, on $name',
  ({ test }) => {
    // Covers A20
    test('permits only the first account', async ({ app }) => {
      await app.register();
      const answer = await app.call('POST', '/api/register', { body: form() });
      expect(answer).toMatchObject({ status: 403, body: { message: expect.stringContaining('closed') } });
      expect(answer.headers).not.toHaveProperty('www-authenticate');
    });
  },
);

describe.each(
  freshApps({ settings: { registration: { kind: 'domains', domains: ['faculty.example', 'x.example'] } } }),
)('registration by email domain, on $name', ({ test }) => {
  // Covers A20
  test('accepts addresses of these domains in any case, and no others', async ({ app, admin: _ }) => {
    const readStatus = async (email: string) =>
      (await app.call('POST', '/api/register', { body: form({ email }) })).status;
    expect(await readStatus('a@FACULTY.example')).toBe(202);
    expect(await readStatus('b@x.example')).toBe(202);
    expect(await readStatus('c@evil.example')).toBe(403);
    expect(await readStatus('d@sub.faculty.example')).toBe(403);
    expect(await readStatus('e@notfaculty.example')).toBe(403);
    expect(await readStatus('faculty.example@evil.example')).toBe(403);
  });
});
