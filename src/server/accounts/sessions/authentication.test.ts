import Fastify from 'fastify';
import { serializerCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { describe, expect, test } from 'vitest';
import { type Answer, sharedApps, type TestApp } from '../../../../tests/support/app/test-app.ts';
import { termCalls } from '../../../contract/terms.ts';
import { bindCalls } from '../../http/handle.ts';
import { handleErrors } from '../../http/hooks/error-handler.ts';
import { validatorCompiler } from '../../http/validation.ts';
import { requireRights } from './authentication.ts';

/** The only calls that need no sign-in. A new call is either listed here or refused without a token. */
const PUBLIC_CALLS = [
  'GET /api/health',
  'POST /api/register',
  'POST /api/login',
  'POST /api/forgot-password',
  'POST /api/reset-password',
  'POST /api/accept-invitation',
  'POST /api/verify-email',
  'POST /api/resend-verification',
  'GET /api/verify/key',
  'GET /api/verify/{code}',
  'POST /api/verify',
];

/** Every call in the API description, as `METHOD path`. */
async function listCalls(app: TestApp): Promise<string[]> {
  const { paths } = (await app.call('GET', '/api/openapi.json')).body as {
    paths: Record<string, Record<string, unknown>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
}

/** Makes a call with an id inserted into its path. */
function send(app: TestApp, call: string, headers: Record<string, string> = {}): Promise<Answer> {
  const [method = '', path = ''] = call.split(' ');
  const body = method === 'POST' || method === 'PUT' ? { body: {} } : {};
  return app.call(method, path.replaceAll(/\{\w+\}/g, '1'), { headers, ...body });
}

describe.each(sharedApps())('a client that is not signed in, on $name', ({ test }) => {
  // Covers 6.7, 6.11, A1, A90
  test('is refused every call except those for signing in', async ({ app }) => {
    const calls = await listCalls(app);
    expect(calls.length).toBeGreaterThan(20);
    expect(calls.filter((call) => PUBLIC_CALLS.includes(call))).toHaveLength(PUBLIC_CALLS.length);
    for (const call of calls.filter((one) => !PUBLIC_CALLS.includes(one))) {
      const answer = await send(app, call);
      expect(answer.status, call).toBe(401);
      expect(answer.headers['www-authenticate'], call).toBe('Bearer');
      expect(answer.body, call).toEqual({ message: 'Unauthenticated.' });
    }
  });

  test('does not learn whether a record exists or what is wrong with a body', async ({ app }) => {
    const answers = await Promise.all([
      app.call('GET', '/api/students/1'),
      app.call('GET', '/api/students/nobody/base'),
      app.call('POST', '/api/students', { body: '{broken' }),
      app.call('POST', '/api/students', { body: 'x', headers: { 'content-type': 'text/plain' } }),
      app.call('PUT', '/api/users/x', { body: { id: 7 } }),
    ]);
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toHaveLength(1);
  });

  // Covers 6.11
  test('gets replies to the public calls', async ({ app }) => {
    for (const call of PUBLIC_CALLS) {
      const answer = await send(app, call, { authorization: 'Bearer nonsense' });
      expect(answer.headers, call).not.toHaveProperty('www-authenticate');
      // A document with the code of the call doesn't exist.
      expect([200, 202, 404, 422], call).toContain(answer.status);
    }
  });
});

describe.each(sharedApps())('a viewer, on $name', ({ test }) => {
  // Covers 6.4, A46
  test('is refused every writing call except those for their own account', async ({ app, viewer }) => {
    const own =
      /^(POST \/api\/logout$|PUT \/api\/users\/\{id\}(\/change-password)?$|DELETE \/api\/sessions|POST \/api\/second-factor|\w+ \/api\/views)/;
    // The filter of an export and a method of grading are in the body of a POST call, which changes nothing.
    const reads = /^POST (\/api\/exports\/|.*\/boundaries\/propose$)/;
    const writes = (await listCalls(app)).filter(
      (call) =>
        !call.startsWith('GET') && !PUBLIC_CALLS.includes(call) && !own.test(call) && !reads.test(call),
    );
    expect(writes.length).toBeGreaterThan(8);
    for (const call of writes) {
      const answer = await send(app, call, { authorization: `Bearer ${viewer.token}` });
      expect(answer.status, call).toBe(403);
      expect(answer.body, call).toEqual({ message: expect.any(String) });
    }
  });
});

test('a route that requires a sign-in and names no rights stops the start', () => {
  const app = Fastify().withTypeProvider<ZodTypeProvider>();
  requireRights(app);
  app.get('/api/named', { config: { rights: ['write'] } }, () => '');
  expect(() => app.get('/api/unnamed', () => '')).toThrow('GET /api/unnamed names no rights.');
});

test('a call for some rights that is added outside of the scope that requires a sign-in is refused', async () => {
  const app = Fastify().withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  handleErrors(app);
  bindCalls(app, termCalls)('GET /api/terms', () => []);
  expect((await app.inject('/api/terms')).statusCode).toBe(401);
});
