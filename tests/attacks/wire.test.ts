import { describe, expect } from 'vitest';
import type { Answer } from '../support/app/people.ts';
import { processTargets, type Target } from '../support/processes/raw-client.ts';
import { aStudent } from '../support/records.ts';

const KIB = 1024;

const COMMON = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'x-frame-options': 'DENY',
};
const OF_A_CALL = {
  ...COMMON,
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};
const OF_A_PAGE = {
  ...COMMON,
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
};

/** Fails unless the answer is a refusal without internal details and with the headers of every API answer. */
function expectPlain({ status, headers, body, text }: Answer, wanted: number): void {
  expect(status, text).toBe(wanted);
  expect(headers).toMatchObject({ ...OF_A_CALL, 'content-type': 'application/json; charset=utf-8' });
  expect(body).toMatchObject({ message: expect.stringMatching(/^[A-Z].*\.$/) });
  expect(text).not.toMatch(/\bat .+:\d+|node_modules|\.[jt]s\b|sqlite|postgres|select |FST_|HPE_|zod|Error/i);
}

/** Sends text over a raw connection and parses the answer as HTTP. */
async function answerTo(target: Target, text: string): Promise<Answer> {
  const connection = target.connect();
  await connection.send(text);
  const [head = '', ...rest] = (await connection.answers()).split('\r\n\r\n');
  const [start = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
  const body = rest.join('\r\n\r\n');
  const isJson = headers['content-type']?.startsWith('application/json') ?? false;
  return {
    status: Number(start.split(' ')[1]),
    headers,
    text: body,
    body: isJson && body !== '' ? (JSON.parse(body) as unknown) : undefined,
  };
}

const lines = (...all: string[]) => `${all.join('\r\n')}\r\n\r\n`;

// What happens before a database has a part in it needs one engine alone.
describe.each(processTargets().slice(0, 1))('on the wire', ({ test }) => {
  // Covers A72
  test.for<[string, string, string[]]>([
    ['TRACE', '/api/students/1', ['DELETE', 'GET', 'HEAD', 'PUT']],
    ['TRACE', '/login', ['GET', 'HEAD']],
    ['TRACE', '/theme.js', ['GET', 'HEAD']],
    ['OPTIONS', '/api/courses', ['GET', 'HEAD', 'POST']],
    ['PROPFIND', '/api/users', ['GET', 'HEAD']],
    ['PATCH', '/api/courses/1', ['DELETE', 'GET', 'HEAD', 'PUT']],
    ['DELETE', '/students', ['GET', 'HEAD']],
    ['POST', '/theme.js', ['GET', 'HEAD']],
  ])('%s %s answers 405 with the allowed methods', async ([method, path, allowed], { admin }) => {
    const answer = await admin.call(method, path, { headers: { origin: 'https://evil.test' } });
    expect(answer.status, answer.text).toBe(405);
    expect(String(answer.headers.allow).split(', ').sort()).toEqual(allowed);
    expect(answer.headers).toMatchObject(COMMON);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(answer.text).not.toContain('evil.test');
  });

  // Covers A72
  test('an unknown HTTP method answers 405 with the allowed methods', async ({ target }) => {
    const answer = await answerTo(target, lines('BREW /api/courses HTTP/1.1', 'host: x'));
    expectPlain(answer, 405);
    expect(answer.headers.allow).toBe('GET, HEAD, POST, PUT, DELETE');
  });

  // Covers A72
  test('a method override in a header, a field or the URL is ignored', async ({ admin }) => {
    const student = aStudent();
    await admin.post('/api/students', student);
    for (const name of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
      await admin.call('GET', `/api/students/${student.id}/base?_method=DELETE`, {
        headers: { [name]: 'DELETE' },
      });
      const body = { ...aStudent(), _method: 'DELETE' };
      await admin.call('POST', '/api/students', { body, headers: { [name]: 'DELETE' } });
    }
    expect((await admin.get(`/api/students/${student.id}/base`)).status).toBe(200);
  });

  // Covers A75
  test.for<[number, string, string]>([
    [431, 'headers of more than 16 KiB', lines('GET /api HTTP/1.1', 'host: x', `x: ${'a'.repeat(17 * KIB)}`)],
    [400, 'a header without a colon', lines('GET /api HTTP/1.1', 'host: x', 'nonsense')],
    [
      400,
      'both a length and chunked encoding (request smuggling)',
      `${lines('POST /api/login HTTP/1.1', 'host: x', 'content-length: 5', 'transfer-encoding: chunked')}0\r\n\r\n`,
    ],
    [400, 'two lengths', `${lines('POST /api/login HTTP/1.1', 'host: x', 'content-length: 2, 3')}{}`],
    [400, 'a folded header', lines('GET /api HTTP/1.1', 'host: x', 'x: a', ' b')],
    [400, 'a bare line feed in a header', lines('GET /api HTTP/1.1', 'host: x', 'x: a\nauthorization: b')],
    [400, 'text that is not HTTP', lines('GET /api SMTP/1.0')],
  ])('answers %i to %s', async ([status, , text], { target }) => {
    const answer = await answerTo(target, text);
    expectPlain(answer, status);
    expect(answer.headers.connection).toBe('close');
    expect((await target.call('GET', '/api/health')).status).toBe(200);
  });

  // Covers A75
  test('a URL of more than 8 KiB is refused, for API calls and pages', async ({ target, admin }) => {
    const long = 'a'.repeat(8 * KIB);
    expectPlain(await admin.get(`/api/students/${long}`), 414);
    expectPlain(await admin.get(`/api/students?q=${long}`), 414);
    expect((await target.call('GET', `/${long}`)).status).toBe(414);
  });

  // Covers A71, A76
  test('a request with an absolute URL, as sent to proxies, is treated like one with the path alone', async ({
    target,
    admin,
  }) => {
    const ask = (token: string) =>
      lines(
        'GET http://evil.test/api/users HTTP/1.1',
        'host: x',
        `authorization: ${token}`,
        'connection: close',
      );
    const refused = await answerTo(target, ask('none'));
    expectPlain(refused, 401);
    const answered = await answerTo(target, ask(`Bearer ${admin.token}`));
    expect(answered.status).toBe(200);
    expect(answered.headers).toMatchObject(OF_A_CALL);
  });

  // Covers A71
  test('a percent-encoded path is treated like the plain path', async ({ target, admin }) => {
    expectPlain(await target.call('GET', '/%61pi/users'), 401);
    const answer = await admin.get('/%61%70i/users');
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject(OF_A_CALL);
  });

  // Covers A77
  test.for([
    ...['/api/nope', '/api/', '/api//users', '/api/../package.json'],
    ...['/.git/config', '/.env', '/package.json', '/package-lock.json', '/sims.db', '/data/sims.db'],
    ...['/%2e%2e/sims.db', '/..%2f..%2fpackage.json', '/assets/../../server/main.js', '/assets/gone-abc.js'],
    ...['/favicon.ico', '/index.php', '/students/1/../../package.json', '/courses/1.js', '/.well-known/x'],
    ...['/assets/..%5c..%5cserver%5cmain.js', '//evil.test/x.js', '/server/main.js', '/theme.js.map'],
  ])('%s answers 404 and not the application', async (path, { admin }) => {
    const answer = await admin.get(path);
    expect(answer.status, answer.text).toBe(404);
    expect(answer.body).toEqual({
      message: 'There is nothing at this address.',
      requestId: expect.any(String),
    });
    expect(answer.headers).toMatchObject(COMMON);
  });

  // Covers A80
  test('every answer has the security headers and reveals no software', async ({ target, admin }) => {
    const calls: [string, string][] = [
      ['GET', '/api'],
      ['GET', '/api/users'],
      ['GET', '/api/health'],
      ['GET', '/api/students/nobody'],
      ['POST', '/api/courses'],
      ['PUT', '/api/nope'],
      ['GET', '/api/students/%ff'],
    ];
    for (const [method, path] of calls) {
      expect((await admin.call(method, path, {})).headers, path).toMatchObject(OF_A_CALL);
      expect((await target.call(method, path, {})).headers, path).toMatchObject(OF_A_CALL);
    }
    for (const path of ['/', '/login', '/students/A.1/edit', '/no-such-screen', '/theme.js']) {
      const { status, headers } = await target.call('GET', path, { headers: { accept: 'text/html' } });
      expect(status, path).toBe(200);
      expect(headers, path).toMatchObject(OF_A_PAGE);
      for (const name of ['x-powered-by', 'server', 'strict-transport-security', 'set-cookie']) {
        expect(headers, path).not.toHaveProperty(name);
      }
    }
  });

  // Covers A79
  test('the sign-in page is a page, whatever is asked for, and holds no data', async ({ target, admin }) => {
    for (const accept of ['application/json', 'text/html', '*/*', 'nonsense']) {
      const answer = await target.call('GET', '/login', { headers: { accept } });
      expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
      expect(answer.text).not.toContain(admin.user.email);
    }
  });

  // Covers A74
  test.for(['https://evil.test', 'null', 'http://127.0.0.1:3000'])(
    'a page of the origin %s may read no answer, nor ask whether it may',
    async (origin, { target, admin }) => {
      const headers = { origin, 'access-control-request-method': 'PUT' };
      const answers = [
        await admin.call('GET', '/api', { headers }),
        await target.call('OPTIONS', '/api/students/1', { headers }),
        await target.call('POST', '/api/login', { headers, body: {} }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 405, 422]);
      for (const answer of answers) {
        const names = Object.keys(answer.headers);
        expect(names.filter((name) => name.startsWith('access-control') || name === 'set-cookie')).toEqual(
          [],
        );
      }
    },
  );

  // Covers A73
  test.for(['text/plain', 'application/x-www-form-urlencoded', 'text/json', 'application/xml', ''])(
    'a body that a form of another site can send, as %j, is refused',
    async (type, { target, admin }) => {
      const call = {
        body: JSON.stringify({ email: 'a@x.example', password: 'x' }),
        headers: { 'content-type': type },
      };
      expectPlain(await target.call('POST', '/api/login', call), 415);
      expectPlain(await admin.call('POST', '/api/courses', call), 415);
    },
  );
});

describe.each(
  processTargets({ SIMS_PUBLIC_URL: 'https://sims.example.edu', SIMS_REGISTRATION: 'closed' }).slice(0, 1),
)('where browsers come by https', ({ test }) => {
  // Covers A80
  test('every answer has the header for HTTPS only, also those to broken requests', async ({ target }) => {
    const stay = { 'strict-transport-security': 'max-age=63072000; includeSubDomains' };
    for (const path of ['/', '/api', '/api/health', '/theme.js']) {
      expect((await target.call('GET', path)).headers, path).toMatchObject(stay);
    }
    expect((await answerTo(target, lines('hello'))).headers).toMatchObject(stay);
  });
});
