import { describe, expect } from 'vitest';
import { type Target, targets } from '../support/target.ts';

const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

const signIn = (target: Target, email: string, password: string, from = '127.0.0.1') =>
  target.call('POST', '/api/login', { body: { email, password }, from });

describe.each(targets({ SIMS_LOGIN_LIMIT: '3' }))('guessing passwords, on $name', ({ test }) => {
  test('ends for the account and the address, also all at once, whatever a header claims, and over a restart', async ({
    target,
    staff: { user, password },
  }) => {
    const guesses = await Promise.all(
      times(9, (i) =>
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
      ...times(3, () => 401),
      ...times(6, () => 429),
    ]);
    await target.server.restart();
    const refused = await signIn(target, user.email, password, '127.0.0.2');
    expect(refused).toMatchObject({
      status: 429,
      headers: { 'retry-after': expect.stringMatching(/^[1-9]\d*$/) },
    });
    // The owner, elsewhere, is not locked out.
    expect((await signIn(target, user.email, password, '127.0.0.3')).status).toBe(200);
  });

  test('one after the other account from one address ends at ten times as many', async ({
    target,
    admin,
  }) => {
    const answers = await Promise.all(
      times(40, (i) => signIn(target, `someone${i}@x.example`, 'wrong one', '127.0.0.4')),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(30);
    expect((await signIn(target, admin.user.email, admin.password, '127.0.0.4')).status).toBe(429);
  });
});

describe.each(targets({ SIMS_LOGIN_LIMIT: '1000' }).slice(0, 1))(
  'asking which accounts exist',
  ({ test }) => {
    const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

    test('an unknown address is refused in the same words as a wrong password, and after as long', {
      timeout: 120_000,
    }, async ({ target, admin }) => {
      const took = { known: [] as number[], unknown: [] as number[] };
      const ask = async (kind: 'known' | 'unknown', email: string) => {
        const started = performance.now();
        const { status, headers, text } = await signIn(target, email, 'not the password');
        took[kind].push(performance.now() - started);
        return JSON.stringify({ status, names: Object.keys(headers), text });
      };
      const answers = new Set<string>();
      // By turns, so that whatever else the machine does slows both.
      for (let i = 0; i < 15; i += 1) {
        answers.add(await ask('known', admin.user.email));
        answers.add(await ask('unknown', `nobody${i}@faculty.example`));
      }
      expect(answers).toHaveLength(1);
      expect(median(took.unknown)).toBeGreaterThan(0.6 * median(took.known));
      expect(median(took.known)).toBeGreaterThan(0.6 * median(took.unknown));
    });
  },
);
