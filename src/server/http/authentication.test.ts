import { describe, expect } from 'vitest';
import { type Answer, sharedApps, type TestApp } from '../../../tests/support/app.ts';

/** The only calls that need no sign-in. A new call is either listed here or refused without a token. */
const OPEN = [
  'GET /api/health',
  'POST /api/register',
  'POST /api/login',
  'POST /api/forgot-password',
  'POST /api/reset-password',
];

/** Every described call, as `METHOD path`. */
async function describedCalls(app: TestApp): Promise<string[]> {
  const { paths } = (await app.call('GET', '/api/openapi.json')).body as {
    paths: Record<string, Record<string, unknown>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
}

/** Makes a described call, its path filled with an id. */
function make(app: TestApp, call: string, headers: Record<string, string> = {}): Promise<Answer> {
  const [method = '', path = ''] = call.split(' ');
  const body = method === 'POST' || method === 'PUT' ? { body: {} } : {};
  return app.call(method, path.replaceAll(/\{\w+\}/g, '1'), { headers, ...body });
}

describe.each(sharedApps())('without signing in, on $name', ({ test }) => {
  test('every call but those to sign in with is refused', async ({ app }) => {
    const calls = await describedCalls(app);
    expect(calls.length).toBeGreaterThan(20);
    expect(calls.filter((call) => OPEN.includes(call))).toHaveLength(OPEN.length);
    for (const call of calls.filter((one) => !OPEN.includes(one))) {
      const answer = await make(app, call);
      expect(answer.status, call).toBe(401);
      expect(answer.headers['www-authenticate'], call).toBe('Bearer');
      expect(answer.body, call).toEqual({ message: 'Unauthenticated.' });
    }
  });

  test('a refused call is not told whether the record exists, nor what is wrong with its body', async ({
    app,
  }) => {
    const answers = await Promise.all([
      app.call('GET', '/api/students/1'),
      app.call('GET', '/api/students/nobody/base'),
      app.call('POST', '/api/students', { body: '{broken' }),
      app.call('POST', '/api/students', { body: 'x', headers: { 'content-type': 'text/plain' } }),
      app.call('PUT', '/api/users/x', { body: { id: 7 } }),
    ]);
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toHaveLength(1);
  });

  test('the open ones are answered', async ({ app }) => {
    for (const call of OPEN) {
      const answer = await make(app, call, { authorization: 'Bearer nonsense' });
      expect(answer.headers, call).not.toHaveProperty('www-authenticate');
      expect([200, 202, 422], call).toContain(answer.status);
    }
  });
});

describe.each(sharedApps())('a viewer, on $name', ({ test }) => {
  test('is refused every call that writes, but those on their own account', async ({ app, viewer }) => {
    const own =
      /^(POST \/api\/logout$|PUT \/api\/users\/\{id\}(\/change-password)?$|DELETE \/api\/sessions|POST \/api\/second-factor|\w+ \/api\/views)/;
    // What is asked for comes in a body, but nothing is changed.
    const reads = /^POST \/api\/exports\//;
    const writes = (await describedCalls(app)).filter(
      (call) => !call.startsWith('GET') && !OPEN.includes(call) && !own.test(call) && !reads.test(call),
    );
    expect(writes.length).toBeGreaterThan(8);
    for (const call of writes) {
      const answer = await make(app, call, { authorization: `Bearer ${viewer.token}` });
      expect(answer.status, call).toBe(403);
      expect(answer.body, call).toEqual({ message: expect.any(String) });
    }
  });
});
