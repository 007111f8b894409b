import { describe, expect } from 'vitest';
import { signedInReply } from '../../src/contract/accounts/accounts.ts';
import { type Target, targets } from '../support/processes/raw-client.ts';

const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

const signIn = (target: Target, email: string, password: string, from = '127.0.0.1') =>
  target.call('POST', '/api/login', { body: { email, password }, from });

describe.each(targets({ SIMS_LOGIN_LIMIT: '2' }))('guessing passwords, on $name', ({ test }) => {
  // Covers A6
  test('is stopped per account and address, also for concurrent attempts, forged headers and after a restart', async ({
    target,
    staff: { user, password },
  }) => {
    const guesses = await Promise.all(
      times(8, (i) =>
        target.call('POST', '/api/login', {
          body: { email: user.email, password: `wrong ${i}` },
          headers: {
            'x-forwarded-for': `10.0.0.${i}`,
            forwarded: `for=10.0.0.${i}`,
            'x-real-ip': `10.0.0.${i}`,
          },
          from: '127.0.0.2',
        }),
      ),
    );
    expect(guesses.map(({ status }) => status).sort()).toEqual([
      ...times(2, () => 401),
      ...times(6, () => 429),
    ]);
    await target.server.restart();
    const refused = await signIn(target, user.email, password, '127.0.0.2');
    expect(refused).toMatchObject({
      status: 429,
      headers: { 'retry-after': expect.stringMatching(/^[1-9]\d*$/) },
    });
    // The owner is not locked out at another address.
    expect((await signIn(target, user.email, password, '127.0.0.3')).status).toBe(200);
  });

  // Covers A7
  test('across accounts from one address is stopped at ten times the limit', async ({ target, admin }) => {
    const answers = await Promise.all(
      times(30, (i) => signIn(target, `someone${i}@x.example`, 'wrong one', '127.0.0.4')),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(20);
    expect((await signIn(target, admin.user.email, admin.password, '127.0.0.4')).status).toBe(429);
  });
});

/** A sign-in that a trusted proxy passes on for a client. */
const signInFor = (target: Target, client: string, email: string, password: string) =>
  target.call('POST', '/api/login', {
    body: { email, password },
    headers: { 'x-forwarded-for': client },
    from: '127.0.0.9',
  });

const countStatus = (answers: readonly { status: number }[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

const BEHIND_PROXY = { SIMS_TRUST_PROXY: '127.0.0.9', SIMS_LOGIN_LIMIT: '2' };

describe.each(targets(BEHIND_PROXY))('guessing from many IPv6 addresses, on $name', ({ test }) => {
  // Covers A8
  test('is stopped for a whole /64: of 80 wrong passwords at most 4 are checked', async ({
    target,
    staff,
  }) => {
    const guesses = await Promise.all(
      times(80, (i) => signInFor(target, `2001:db8:1:2::${i.toString(16)}`, staff.user.email, `wrong ${i}`)),
    );
    const checked = countStatus(guesses, 401);
    expect(checked).toBeGreaterThan(0);
    expect(checked).toBeLessThanOrEqual(4);
    expect(countStatus(guesses, 429)).toBe(80 - checked);
  });

  // Covers A8
  test('is stopped for a whole /48, at four times the limit', async ({ target, admin }) => {
    const guesses = await Promise.all(
      times(40, (i) => signInFor(target, `2001:db8:3:${i.toString(16)}::1`, admin.user.email, `wrong ${i}`)),
    );
    expect(countStatus(guesses, 401)).toBe(8);
    expect(countStatus(guesses, 429)).toBe(32);
    const elsewhere = await signInFor(target, '2001:db8:4::1', admin.user.email, admin.password);
    expect(elsewhere.status).toBe(200);
  });

  // Covers A8
  test('counts all spellings of an IPv4 address as one', async ({ target, staff: { user } }) => {
    const spellings = ['192.0.2.1', '::ffff:192.0.2.1', '::FFFF:C000:201'];
    const guesses = await Promise.all(
      times(6, (i) => signInFor(target, spellings[i % 3] ?? '', user.email, `wrong ${i}`)),
    );
    expect(countStatus(guesses, 401)).toBe(2);
    expect((await signInFor(target, '192.0.2.2', user.email, 'wrong')).status).toBe(401);
  });
});

describe.each(targets(BEHIND_PROXY))('using up the attempts of a shared address, on $name', ({ test }) => {
  const SHARED = '198.51.100.7';

  // Covers A9
  test('does not block users who are or were signed in there, and allows no further guesses', async ({
    target,
    admin,
    staff,
  }) => {
    const { token } = signedInReply.parse(
      (await signInFor(target, SHARED, staff.user.email, staff.password)).body,
    );
    const spray = (count: number) =>
      Promise.all(times(count, (i) => signInFor(target, SHARED, `someone${i}@x.example`, `wrong ${i}`)));
    expect(countStatus(await spray(30), 401)).toBe(20);
    expect((await signInFor(target, SHARED, admin.user.email, admin.password)).status).toBe(429);

    const again = await signInFor(target, SHARED, staff.user.email, staff.password);
    expect(again.status).toBe(200);
    const proof = await target.call('PUT', `/api/users/${staff.user.id}`, {
      token,
      body: { ...staff.user, password: staff.password },
      headers: { 'x-forwarded-for': SHARED },
      from: '127.0.0.9',
    });
    expect(proof.status).toBe(200);

    // Correct passwords reset nothing; the account known there has the attempts of one account.
    expect(countStatus(await spray(10), 401)).toBe(0);
    const guesses = await Promise.all(
      times(10, (i) => signInFor(target, SHARED, staff.user.email, `wrong ${i}`)),
    );
    expect(countStatus(guesses, 401)).toBe(2);
  });
});

describe.each(targets({ SIMS_LOGIN_LIMIT: '1000' }).slice(0, 1))(
  'asking which accounts exist',
  ({ test }) => {
    // Covers A12
    test('an unknown email gets the same answer as a wrong password', async ({ target, admin }) => {
      const ask = async (email: string) => {
        const { status, headers, text } = await signIn(target, email, 'not the password');
        return { status, names: Object.keys(headers), text };
      };
      expect(await ask('nobody@faculty.example')).toEqual(await ask(admin.user.email));
    });
  },
);
