import { describe, expect } from 'vitest';
import type { Person } from '../support/app/people.ts';
import { publicCalls } from '../support/processes/pipelined.ts';
import { processTargets, type Target, targets } from '../support/processes/raw-client.ts';
import { unique } from '../support/records.ts';

const statuses = async (calls: readonly Promise<{ status: number }>[]) =>
  (await Promise.all(calls)).map(({ status }) => status);
const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

describe.each(targets({ SIMS_LOGIN_LIMIT: '1' }))(
  'asking which accounts exist by registering, on $name',
  ({ test }) => {
    const ask = (target: Target, email: string, from: string) => {
      // No account is created: the password is refused, but only for an unused email.
      const body = { name: 'Eve', email, password: 'password', password_confirmation: 'password' };
      return target.call('POST', '/api/register', { body, from });
    };

    // Covers A13
    test('is stopped per client address at ten times the login limit, also for concurrent calls', async ({
      target,
      admin,
      staff,
    }) => {
      const people = [admin, staff];
      const questions = times(20, (i) => ask(target, people[i % 2]?.user.email ?? '', '127.0.0.2'));
      const answers = await statuses(questions);
      expect(answers.filter((status) => status === 422)).toHaveLength(10);
      expect(answers.filter((status) => status === 429)).toHaveLength(10);
      // From here on used and unused emails get the same answer.
      const [taken, free] = await Promise.all([
        ask(target, admin.user.email, '127.0.0.2'),
        ask(target, `${unique()}@faculty.example`, '127.0.0.2'),
      ]);
      expect([taken.status, free.status]).toEqual([429, 429]);
      expect(free.text).toBe(taken.text);
      expect(free.headers['retry-after']).toMatch(/^[1-9]\d{0,2}$/);
      // Other clients are not blocked.
      expect((await ask(target, admin.user.email, '127.0.0.3')).status).toBe(422);
      const signIn = { body: { email: admin.user.email, password: admin.password }, from: '127.0.0.2' };
      expect((await target.call('POST', '/api/login', signIn)).status).toBe(200);
    });

    // Covers A13
    test('does not count the registrations of a whole faculty behind one address', async ({
      target,
      admin: _,
    }) => {
      const people = await Promise.all(times(12, () => target.register()));
      expect(new Set(people.map(({ user }) => user.id))).toHaveLength(12);
    });
  },
);

// No database has a part in what follows, so one is enough.
describe.each(targets({ SIMS_REQUEST_LIMIT: '30' }).slice(0, 1))(
  'more calls than are allowed',
  ({ test }) => {
    /** Calls until one is refused, since a new window may start in between. */
    async function flood(call: () => Promise<{ status: number; headers: Record<string, unknown> }>) {
      for (let round = 0; round < 3; round += 1) {
        const answers = await Promise.all(times(40, call));
        const refused = answers.filter(({ status }) => status === 429);
        if (refused.length > 0) return refused;
      }
      throw new Error('Nothing was refused.');
    }

    const read = (person: Person) => () => person.get('/api/courses');

    // Covers A85
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

    // Covers A84
    test('to each public call are refused by client address', async ({ target, admin: _ }) => {
      const calls = (await publicCalls(target.server.url)).filter(
        ({ path }) => path.startsWith('/api') && path !== '/api/health',
      );
      for (const [i, { method, path }] of calls.entries()) {
        const from = `127.0.1.${i + 1}`;
        // Without their fields, so that no other limit refuses them first.
        const body = method === 'POST' ? {} : undefined;
        const refused = await flood(() => target.call(method, path, { body, from }));
        expect(refused[0]?.headers['retry-after'], path).toMatch(/^([1-9]|10)$/);
      }
    });

    // Covers A85
    test.for<[string, (target: Target, i: number) => ReturnType<Target['call']>]>([
      ['without a token', (target) => target.call('GET', '/api/users', { from: '127.0.0.4' })],
      [
        'each with another invalid token',
        (target, i) =>
          target.call('GET', '/api/users', { token: String(i).padStart(43, 'x'), from: '127.0.0.5' }),
      ],
      [
        'to public routes, each with another token',
        (target, i) =>
          target.call('POST', '/api/login', {
            token: String(i).padStart(43, 'x'),
            body: {},
            from: '127.0.0.6',
          }),
      ],
      ['to an unknown route', (target) => target.call('GET', '/api/nothing', { from: '127.0.0.7' })],
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

describe.each(processTargets().slice(0, 1))('an overloaded process', ({ test }) => {
  // Covers A86
  test('refuses calls with Retry-After before any work, but still answers health checks', {
    timeout: 300_000,
  }, async ({ target, admin }) => {
    const { pid = 0 } = target.server;
    // A stopped process looks overloaded: its event loop is late. Repeated, because one delay is no overload.
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

// Counted by the process, so one engine is enough.
describe.each(targets({ SIMS_UPLOADS: '1' }).slice(0, 1))('files sent at once', ({ test }) => {
  const head = ({ token }: Person) =>
    [
      'POST /api/imports HTTP/1.1',
      'host: sims',
      `authorization: Bearer ${token}`,
      'content-type: application/json',
      'content-length: 100',
    ].join('\r\n');

  // Covers A133
  test('wait for their turn, and are refused with the time to wait when too many do', async ({
    target,
    admin,
    staff,
  }) => {
    const connections = times(12, () => target.connect());
    await Promise.all(connections.map((one) => one.send(`${head(staff)}\r\n\r\n`)));
    const refused = () => connections.filter(({ received }) => received !== '');
    // Ten wait for the one that is being received.
    await expect.poll(() => refused().length).toBe(1);
    const [answer = ''] = refused().map(({ received }) => received);
    expect(answer).toMatch(/^HTTP\/1\.1 503 /);
    expect(answer).toMatch(/^retry-after: [1-9]\d?\r$/im);
    expect(answer).toContain('Too many files are being read at the moment. Try again in a few seconds.');
    expect((await target.call('GET', '/api/health')).status).toBe(200);
    expect((await staff.get('/api/courses')).status).toBe(200);
    // The turns of callers who leave are free again.
    for (const one of connections) one.close();
    for (const person of [admin, staff]) {
      const text = 'Course ID,Course code,Course name\n1,ME-1,Statics\n';
      const sent = await person.post('/api/imports', { kind: 'courses', text });
      expect(sent.status, sent.text).toBe(201);
    }
  });
});
