import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { type SignedIn, signedInReply } from '../../src/contract/accounts/accounts.ts';
import { getFieldErrors, type Person } from '../support/app/people.ts';
import { type Target, targets } from '../support/processes/raw-client.ts';
import { aStudent, unique } from '../support/records.ts';

const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

const signIn = (target: Target, email: string, password: string, from = '127.0.0.1') =>
  target.call('POST', '/api/login', { body: { email, password }, from });

const form = (changes: Record<string, unknown> = {}) => ({
  name: 'Eve',
  email: `${unique()}@faculty.example`,
  password: 'seven wet umbrellas',
  password_confirmation: 'seven wet umbrellas',
  ...changes,
});

describe.each(targets())('taking over an empty installation, on $name', ({ test }) => {
  // Covers A19
  test('of twenty who register first at the same moment, asking for any role, one is the administrator', async ({
    target,
  }) => {
    const answers = await Promise.all(
      times(20, () => target.call('POST', '/api/register', { body: form({ role: 'admin', id: 1 }) })),
    );
    const people = answers.map(({ body }) => signedInReply.parse(body).user);
    expect(people.filter(({ role }) => role === 'admin')).toHaveLength(1);
    expect(people.filter(({ role }) => role === 'staff')).toHaveLength(19);
    expect(new Set(people.map(({ id }) => id))).toHaveLength(20);
  });

  // Covers A23
  test('of sixteen with one address, in any case and with blanks, one gets it', async ({ target }) => {
    const email = `${unique()}@faculty.example`;
    const spellings = [email, email.toUpperCase(), ` ${email}`, `${email}\t`];
    const answers = await Promise.all(
      times(16, (i) => target.call('POST', '/api/register', { body: form({ email: spellings[i % 4] }) })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(getFieldErrors)).toEqual(
      refused.map(() => ({ email: ['The email has already been taken.'] })),
    );
  });

  // Covers A34
  test('unknown fields of a registration are ignored', async ({ target }) => {
    const extra = {
      role: 'admin',
      id: 7,
      token: 'x',
      created_at: '1970-01-01',
      password_hash: 'x',
      version: 9,
    };
    const { user } = signedInReply.parse(
      (await target.call('POST', '/api/register', { body: form(extra) })).body,
    );
    expect(Object.keys(user).sort()).toEqual(['email', 'id', 'name', 'role']);
    expect(user.role).toBe('staff');
    expect(user.id).not.toBe(7);
  });
});

describe.each(targets())('without a right, on $name', ({ test }) => {
  /** Every described call but those to sign in with and to verify documents by, as method and path. */
  async function calls(target: Target): Promise<[string, string][]> {
    const { paths } = (await target.call('GET', '/api/openapi.json')).body as {
      paths: Record<string, Record<string, unknown>>;
    };
    const open =
      /\/(health|register|login|forgot-password|reset-password|accept-invitation|verify-email|resend-verification|verify|verify\/key|verify\/\{code\})$/;
    return Object.entries(paths)
      .filter(([path]) => !open.test(path))
      .flatMap(([path, methods]) =>
        Object.keys(methods).map((method): [string, string] => [
          method.toUpperCase(),
          path.replaceAll(/\{\w+\}/g, '1'),
        ]),
      );
  }

  // Covers A1
  test.for<[string, (token: string) => Record<string, string>, (token: string) => string]>([
    ['no token', () => ({}), () => ''],
    ['an empty token', () => ({ authorization: 'Bearer ' }), () => ''],
    ['a token cut short', (token) => ({ authorization: `Bearer ${token.slice(0, -1)}` }), () => ''],
    ['a token in other letters', (token) => ({ authorization: `Bearer ${token.toUpperCase()}` }), () => ''],
    ['a token in the address', () => ({}), (token) => `?token=${token}&access_token=${token}`],
    ['a token in a cookie', (token) => ({ cookie: `token=${token}; AUTH-TOKEN=${token}` }), () => ''],
    ['a token in another header', (token) => ({ 'x-auth-token': token, 'x-api-key': token }), () => ''],
    ['a token as a user name', (token) => ({ authorization: `Basic ${btoa(`${token}:`)}` }), () => ''],
  ])('%s is refused without details', async ([, headers, query], { target, staff }) => {
    const { token } = await target.signIn(staff);
    const all = await calls(target);
    expect(all.length).toBeGreaterThan(30);
    for (const [method, path] of all) {
      const body = method === 'GET' ? {} : { body: '{"broken' };
      const answer = await target.call(method, `${path}${query(token)}`, {
        headers: headers(token),
        ...body,
      });
      expect(answer, `${method} ${path}`).toMatchObject({
        status: 401,
        headers: { 'www-authenticate': 'Bearer' },
        body: { message: 'Unauthenticated.' },
      });
      expect(Object.keys(answer.body as object), `${method} ${path}`).toEqual(['message']);
    }
  });

  // Covers A4
  test('a session that was ended is over for good, and no other with it', async ({ target, staff }) => {
    const [first, second] = [await target.signIn(staff), await target.signIn(staff)];
    expect((await first.post('/api/logout')).body).toMatchObject({ loggedOut: true });
    expect((await first.get('/api/users')).status).toBe(401);
    expect((await second.get('/api/users')).status).toBe(200);
  });

  // Covers A3
  test('tokens are long, unique and never stored in plain text', async ({ target, staff }) => {
    const people: Person[] = [];
    // More at the same moment than wrong passwords are allowed would be refused.
    for (let i = 0; i < 3; i += 1) people.push(...(await Promise.all(times(8, () => target.signIn(staff)))));
    const tokens = new Set(people.map(({ token }) => token));
    expect(tokens).toHaveLength(24);
    // 43 characters of 64: 256 bits.
    for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    for (const name of readdirSync(target.server.dataDir)) {
      const kept = readFileSync(path.join(target.server.dataDir, name));
      expect(people.some(({ token }) => kept.includes(token)) || kept.includes(staff.password), name).toBe(
        false,
      );
    }
  });

  const account = (person: Person) => person.get(`/api/users/${person.user.id}`);
  const { password } = form();

  // Covers A35, A43
  test('staff change neither their own role nor anybody else’s account', async ({ target, admin }) => {
    const [eve, victim] = [await target.register({ password }), await target.register()];
    const own = await eve.put(`/api/users/${eve.user.id}`, { ...eve.user, role: 'admin', password });
    expect(getFieldErrors(own)).toEqual({ role: [expect.any(String)] });
    for (const proof of [password, victim.password]) {
      const edit = { ...victim.user, email: eve.user.email, password: proof };
      expect((await eve.put(`/api/users/${victim.user.id}`, edit)).status).toBe(403);
      const change = {
        old_password: proof,
        password: 'a new passphrase',
        password_confirmation: 'a new passphrase',
      };
      expect((await eve.put(`/api/users/${victim.user.id}/change-password`, change)).status).toBe(403);
    }
    const swapped = { ...eve.user, id: victim.user.id, password };
    expect(getFieldErrors(await eve.put(`/api/users/${eve.user.id}`, swapped))).toHaveProperty('id');
    expect((await account(victim)).body).toEqual(victim.user);
    expect((await account(eve)).body).toEqual(eve.user);
    const users = (await admin.get('/api/users')).body as SignedIn['user'][];
    for (const user of users) expect(Object.keys(user).sort()).toEqual(['email', 'id', 'name', 'role']);
  });

  // Covers A36
  test('an account is changed by its password alone, and the last administrator stays', async ({
    target,
    admin,
  }) => {
    const url = `/api/users/${admin.user.id}`;
    expect(getFieldErrors(await admin.put(url, { ...admin.user, name: 'Eve' }))).toHaveProperty('password');
    const wrong = await admin.put(url, { ...admin.user, name: 'Eve', password: `${admin.password}x` });
    expect(wrong).toMatchObject({ status: 401, body: { message: 'Incorrect password entered' } });
    expect(wrong.headers).not.toHaveProperty('www-authenticate');
    const stepDown = await admin.put(url, { ...admin.user, role: 'staff', password: admin.password });
    expect(getFieldErrors(stepDown)).toHaveProperty('role');
    expect((await account(admin)).body).toEqual(admin.user);
    expect((await target.signIn(admin)).user.role).toBe('admin');
  });

  // Covers A37, A42
  test('a right that is taken away is gone with the next call, and a new password ends other sessions', async ({
    target,
    admin,
  }) => {
    const eve = await target.register({ password });
    const elsewhere = await target.signIn(eve);
    await target.giveRole(admin, eve, 'viewer');
    expect((await eve.post('/api/courses', {})).status).toBe(403);
    const next = 'eight dry umbrellas';
    const change = (old_password: string) =>
      eve.put(`/api/users/${eve.user.id}/change-password`, {
        old_password,
        password: next,
        password_confirmation: next,
      });
    expect(await change('not the one')).toMatchObject({
      status: 401,
      body: { error: 'Incorrect current password.' },
    });
    expect((await change(password)).status).toBe(200);
    expect((await elsewhere.get('/api/users')).status).toBe(401);
    expect((await eve.get('/api/users')).status).toBe(200);
    expect((await signIn(target, eve.user.email, password)).status).toBe(401);
  });

  // Covers A38
  test('a call whose body was held back is not made once its sender is locked out, nor does it unlock', async ({
    target,
    admin,
  }) => {
    const eve = await target.register({ password });
    await target.giveRole(admin, eve, 'admin');
    const lock = `/api/users/${eve.user.id}/lock`;
    const held = [
      ['POST', '/api/students', aStudent({ id: 'HELD-1' })] as const,
      ['PUT', lock, { locked: false, password }] as const,
    ].map(([method, url, body]) => {
      const text = JSON.stringify(body);
      const head = [
        `${method} ${url} HTTP/1.1`,
        'host: x',
        `authorization: Bearer ${eve.token}`,
        'content-type: application/json',
        `content-length: ${Buffer.byteLength(text)}`,
        'connection: close',
      ].join('\r\n');
      const connection = target.connect();
      return { connection, rest: text.slice(1), sent: connection.send(`${head}\r\n\r\n${text[0]}`) };
    });
    await Promise.all(held.map(({ sent }) => sent));
    // That the heads have been taken can not be seen from outside.
    await eve.get('/api/users');
    expect((await admin.put(lock, { locked: true, password: admin.password })).status).toBe(200);
    for (const { connection, rest } of held) {
      await connection.send(rest);
      expect(await connection.answers()).toMatch(/^HTTP\/1.1 401 /);
    }
    expect((await admin.get('/api/students/HELD-1/base')).status).toBe(404);
    expect((await signIn(target, eve.user.email, password)).status).toBe(401);
  });

  // Covers A16, A17
  test('passwords are compared to the last character, and long ones are cheap', async ({ target }) => {
    const long = 'a'.repeat(100);
    const { user } = await target.register({ password: `${long}1` });
    expect((await signIn(target, user.email, `${long}2`)).status).toBe(401);
    expect(getFieldErrors(await signIn(target, user.email, 'x'.repeat(1_000_000)))).toHaveProperty(
      'password',
    );
  });

  // Covers A15
  test.for<[string, unknown]>([
    ['SQL', "' OR 1=1--"],
    ['a list', ['a@x.example']],
    ['an object', { $gt: '' }],
    ['a number', 1],
    ['true', true],
    ['null', null],
  ])('%s as email or password does not sign in', async ([, value], { target, admin }) => {
    const asEmail = await target.call('POST', '/api/login', {
      body: { email: value, password: 'whatever it is' },
    });
    expect(getFieldErrors(asEmail)).toHaveProperty('email');
    const asPassword = await target.call('POST', '/api/login', {
      body: { email: admin.user.email, password: value },
    });
    expect([401, 422]).toContain(asPassword.status);
  });
});

describe.each(targets({ SIMS_SESSION_LIFETIME: '0.03' }))(
  'a session whose time is over, on $name',
  ({ test }) => {
    // Covers A2
    test('opens nothing, not after a restart either', async ({ target }) => {
      const { token } = await target.register();
      const status = async () => (await target.call('GET', '/api/users', { token })).status;
      await expect.poll(status, { timeout: 120_000 }).toBe(401);
      await target.server.restart();
      expect(await status()).toBe(401);
    });
  },
);
