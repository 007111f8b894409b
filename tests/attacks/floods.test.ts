import { describe, expect } from 'vitest';
import type { Person } from '../support/people.ts';
import { unique } from '../support/records.ts';
import { type Target, targets } from '../support/target.ts';

const statuses = async (calls: readonly Promise<{ status: number }>[]) =>
  (await Promise.all(calls)).map(({ status }) => status);
const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

describe.each(targets({ SIMS_LOGIN_LIMIT: '2' }))(
  'asking which accounts exist by registering, on $name',
  ({ test }) => {
    const ask = (target: Target, email: string, from: string) => {
      // What is free is not used up: the password is refused, but only of an address that is not taken.
      const body = { name: 'Eve', email, password: 'password', password_confirmation: 'password' };
      return target.call('POST', '/api/register', { body, from });
    };

    test('ends for the address it comes from, at ten times the limit of wrong passwords, also all at once', async ({
      target,
      admin,
      staff,
    }) => {
      const people = [admin, staff];
      const questions = times(40, (i) => ask(target, people[i % 2]?.user.email ?? '', '127.0.0.2'));
      const answers = await statuses(questions);
      expect(answers.filter((status) => status === 422)).toHaveLength(20);
      expect(answers.filter((status) => status === 429)).toHaveLength(20);
      // From now on nothing tells the free ones from the taken ones.
      const [taken, free] = await Promise.all([
        ask(target, admin.user.email, '127.0.0.2'),
        ask(target, `${unique()}@faculty.example`, '127.0.0.2'),
      ]);
      expect([taken.status, free.status]).toEqual([429, 429]);
      expect(free.text).toBe(taken.text);
      expect(free.headers['retry-after']).toMatch(/^[1-9]\d{0,2}$/);
      // Nobody else is kept out.
      expect((await ask(target, admin.user.email, '127.0.0.3')).status).toBe(422);
      const signIn = { body: { email: admin.user.email, password: admin.password }, from: '127.0.0.2' };
      expect((await target.call('POST', '/api/login', signIn)).status).toBe(200);
    });

    test('does not count the registrations of a whole faculty behind one address', async ({
      target,
      admin: _,
    }) => {
      const people = await Promise.all(times(25, () => target.register()));
      expect(new Set(people.map(({ user }) => user.id))).toHaveLength(25);
    });
  },
);

// No database has a part in what follows, so one is enough.
describe.each(targets({ SIMS_REQUEST_LIMIT: '30' }).slice(0, 1))(
  'more calls than are allowed',
  ({ test }) => {
    /** Calls until one is refused: a window that ends meanwhile begins anew. */
    async function flood(call: () => Promise<{ status: number; headers: Record<string, unknown> }>) {
      for (let round = 0; round < 3; round += 1) {
        const answers = await Promise.all(times(40, call));
        const refused = answers.filter(({ status }) => status === 429);
        if (refused.length > 0) return refused;
      }
      throw new Error('Nothing was refused.');
    }

    const read = (person: Person) => () => person.get('/api/courses');

    test('are refused to their session with the time to wait; other sessions and health are served', async ({
      target,
      admin,
      staff,
    }) => {
      for (const { headers } of await flood(read(staff)))
        expect(headers['retry-after']).toMatch(/^([1-9]|10)$/);
      expect((await read(admin)()).status).toBe(200);
      expect(await statuses(times(40, () => target.call('GET', '/api/health')))).toEqual(
        times(40, () => 200),
      );
      expect((await target.call('GET', '/login')).status).toBe(200);
    });

    test.for<[string, (target: Target, i: number) => ReturnType<Target['call']>]>([
      ['without a token', (target) => target.call('GET', '/api/users', { from: '127.0.0.4' })],
      [
        'each with another token that is nobody’s',
        (target, i) =>
          target.call('GET', '/api/users', { token: String(i).padStart(43, 'x'), from: '127.0.0.5' }),
      ],
      [
        'to what is open to all, each with another token',
        (target, i) =>
          target.call('POST', '/api/login', {
            token: String(i).padStart(43, 'x'),
            body: {},
            from: '127.0.0.6',
          }),
      ],
      ['to what is not there', (target) => target.call('GET', '/api/nothing', { from: '127.0.0.7' })],
    ])('are refused by their address when they come %s', async ([, call], { target, admin }) => {
      let made = 0;
      await flood(() => {
        made += 1;
        return call(target, made);
      });
      expect((await admin.get('/api/health')).status).toBe(200);
    });
  },
);

describe.each(targets().slice(0, 1))('a process that can not keep up', ({ test }) => {
  test('turns calls away with the time to wait before it does anything for them, but tells its health', {
    timeout: 90_000,
  }, async ({ target, admin }) => {
    const { pid = 0 } = target.server;
    // A process that is held still is as late as one with too much to do. Again and again, as once is no overload.
    const heldStill = async () => {
      process.kill(pid, 'SIGSTOP');
      const answers = Promise.all([
        admin.get('/api/users'),
        admin.post('/api/courses', {}),
        target.call('GET', '/api/health'),
      ]);
      await new Promise((resolve) => setTimeout(resolve, 1300));
      process.kill(pid, 'SIGCONT');
      return answers;
    };
    let [read, written, health] = await heldStill();
    for (let i = 0; i < 20 && read.status !== 503; i += 1) [read, written, health] = await heldStill();
    for (const answer of [read, written]) {
      expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
      expect(answer.body).toMatchObject({ message: 'The service is very busy. Try again in a moment.' });
    }
    expect(health.status).toBe(200);
    await expect.poll(async () => (await admin.get('/api/users')).status).toBe(200);
  });
});
