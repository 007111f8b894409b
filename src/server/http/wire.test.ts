import { describe, expect } from 'vitest';
import { type Answer, freshApps, sharedApps } from '../../../tests/support/app/test-app.ts';
import { aStudent } from '../../../tests/support/records.ts';

/** Expects a JSON error with a message for people and without internal details. */
function expectPlainRefusal(answer: Answer, status: number): void {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.body).toMatchObject({ message: expect.stringMatching(/^[A-Z].*\.$/) });
  expect(answer.text).not.toMatch(/\bat .+:\d+|node_modules|\.[jt]s\b|sqlite|select |FST_|zod|Error:/i);
}

describe.each(sharedApps())('malformed calls, on $name', ({ test }) => {
  test.for<[string, string]>([
    ['half an object', '{"id": "1"'],
    ['an object followed by text', '{"id": "1"} x'],
    ['two objects', '{} {}'],
    ['single quotes instead of double ones', "{'id': 1}"],
    ['NaN', '{"fsc_marks": NaN}'],
    ['an array', '[]'],
    ['a string', '"student"'],
    ['a number', '5'],
    ['null', 'null'],
    ['nothing', ''],
    ['__proto__', '{"__proto__": {"role": "admin"}}'],
    ['constructor.prototype', '{"constructor": {"prototype": {"role": "admin"}}}'],
  ])('are refused with a body that contains %s', async ([, body], { staff }) => {
    expectPlainRefusal(await staff.call('POST', '/api/students', { body }), 400);
    expectPlainRefusal(await staff.call('PUT', '/api/users/1', { body }), 400);
    expect(({} as Record<string, unknown>).role).toBeUndefined();
  });

  test('are refused with an error at the field of a number out of range', async ({ staff }) => {
    const body = JSON.stringify(aStudent()).replace(/"fsc_marks":935/, '"fsc_marks":1e999');
    const answer = await staff.call('POST', '/api/students', { body });
    expect(answer).toMatchObject({ status: 422, body: { errors: { fsc_marks: [expect.any(String)] } } });
  });

  test('are refused with a hundred thousand nested arrays, and the next call succeeds', async ({ staff }) => {
    const nested = '['.repeat(100_000);
    for (const body of [nested, `{"id":${nested}`, `{"id":${nested}${']'.repeat(100_000)}}`]) {
      const answer = await staff.call('POST', '/api/students', { body });
      expect([400, 422]).toContain(answer.status);
      expect((await staff.post('/api/students', aStudent())).status).toBe(201);
    }
  });

  test.for([
    'text/plain',
    'application/x-www-form-urlencoded',
    'text/html',
    'application/xml',
    'image/png',
    'nonsense',
    'multipart/form-data; boundary=x',
  ])('are refused with the content type %s', async (type, { app, staff }) => {
    const body = JSON.stringify({ email: 'a@x.example', password: 'x' });
    const headers = { 'content-type': type };
    expectPlainRefusal(await app.call('POST', '/api/login', { body, headers }), 415);
    expectPlainRefusal(await staff.call('POST', '/api/courses', { body, headers }), 415);
  });

  test.for(['gzip', 'br', 'deflate'])(
    'are refused with a %s body, without decompressing it',
    async (encoding, { app, staff }) => {
      const headers = { 'content-encoding': encoding };
      const body = JSON.stringify({ email: 'a@x.example', password: 'x' });
      expectPlainRefusal(await app.call('POST', '/api/login', { body, headers }), 415);
      expectPlainRefusal(await staff.call('POST', '/api/courses', { body, headers }), 415);
    },
  );

  test('are refused with a malformed multipart form, and the next call succeeds', async ({ staff }) => {
    for (const body of ['--x', '--x\r\ncontent-disposition: nonsense\r\n\r\n', 'no boundary at all']) {
      const headers = { 'content-type': 'multipart/form-data; boundary=x' };
      const answer = await staff.call('POST', '/api/students', { body, headers });
      expectPlainRefusal(answer, 400);
    }
    expect((await staff.post('/api/students', aStudent())).status).toBe(201);
  });

  test('are refused with a form of a thousand fields', async ({ staff }) => {
    const form = new FormData();
    for (let i = 0; i < 1000; i += 1) form.set(`field_${i}`, 'x');
    expect((await staff.call('POST', '/api/students', { form })).status).toBe(413);
  });

  test('are refused with a body of more than a mebibyte', async ({ app, staff }) => {
    const body = { ...aStudent(), reason: 'x'.repeat(1024 * 1024) };
    expectPlainRefusal(await staff.post('/api/students', body), 413);
    expectPlainRefusal(await app.call('POST', '/api/login', { body }), 413);
  });
});

describe.each(sharedApps())('the routes, on $name', ({ test }) => {
  test.for([
    ...['/api/nope', '/api/', '/api/students/1/nope', '/api//students', '/api/API', '/api/../package.json'],
    ...['/.git/config', '/package.json', '/sims.db', '/%2e%2e/sims.db', '/assets/../../sims.db', '/.env'],
  ])('answer 404 for %s', async (url, { staff }) => {
    expectPlainRefusal(await staff.get(url), 404);
    expectPlainRefusal(await staff.post(url, {}), 404);
  });

  test.for(['/%ff', '/students/%E0%A4%A', '/courses/%'])(
    'redirect the page URL %s, which has an invalid escape, to the not-found page',
    async (url, { app }) => {
      const answer = await app.call('GET', url);
      expect([answer.status, answer.headers.location]).toEqual([302, '/not-found']);
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    },
  );

  test.for(['/api/students/%ff', '/api/students/%', '/api/students/%zz'])(
    'refuse the invalid escape in %s',
    async (url, { staff }) => {
      expectPlainRefusal(await staff.get(url), 400);
    },
  );

  test.for<[string, string, string[]]>([
    ['DELETE', '/api', ['GET', 'HEAD']],
    ['POST', '/api/users', ['GET', 'HEAD']],
    ['GET', '/api/login', ['POST']],
    ['GET', '/api/logout', ['POST']],
    ['PATCH', '/api/students/1', ['GET', 'HEAD', 'PUT', 'DELETE']],
    ['OPTIONS', '/api/students/1', ['GET', 'HEAD', 'PUT', 'DELETE']],
    ['GET', '/api/students/1/family', ['PUT']],
    ['TRACE', '/api/courses', ['GET', 'HEAD', 'POST']],
  ])('refuse %s %s and name the allowed methods', async ([method, url, methods], { staff }) => {
    const answer = await staff.call(method, url);
    expectPlainRefusal(answer, 405);
    expect(String(answer.headers.allow).split(', ').sort()).toEqual(methods.toSorted());
  });

  test('ignore a method in a header or in the query', async ({ staff }) => {
    const student = aStudent();
    await staff.post('/api/students', student);
    const headers = { 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE' };
    await staff.call('GET', `/api/students/${student.id}?_method=DELETE`, { headers });
    expect((await staff.get(`/api/students/${student.id}/base`)).status).toBe(200);
  });

  test('answer HEAD like GET without the body', async ({ staff }) => {
    for (const url of ['/api', '/api/users', '/api/courses', '/api/students/nobody']) {
      const [head, get] = [await staff.call('HEAD', url), await staff.get(url)];
      expect(head.status, url).toBe(get.status);
      expect(head.text, url).toBe('');
      expect(head.headers['content-type'], url).toBe(get.headers['content-type']);
    }
  });

  test.for(['https://evil.test', 'null', 'http://127.0.0.1:3000'])(
    'do not let pages of the origin %s read replies',
    async (origin, { app, staff }) => {
      const headers = { origin, 'access-control-request-method': 'PUT' };
      const answers = [
        await staff.call('GET', '/api', { headers }),
        await app.call('OPTIONS', '/api/students/1', { headers }),
        await app.call('POST', '/api/login', { headers, body: { email: 'a@x.example', password: 'x' } }),
      ];
      for (const answer of answers) {
        expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
        expect(answer.headers).not.toHaveProperty('set-cookie');
      }
    },
  );
});

describe.each(freshApps())('an internal error, on $name', ({ test }) => {
  // Covers A78
  test('is reported without details, and nothing is saved', async ({ app, admin }) => {
    await app.db.write.schema.alterTable('courses').renameTo('courses_gone').execute();
    expectPlainRefusal(await admin.get('/api/courses'), 500);
    const course = { course_id: 1, course_code: 'A', course_name: 'B' };
    expectPlainRefusal(await admin.post('/api/courses', course), 500);
    await app.db.write.schema.alterTable('courses_gone').renameTo('courses').execute();
    expect(await admin.get('/api/courses')).toMatchObject({ status: 200, body: [] });
  });

  test('makes the health check fail while the database is unreachable', async ({ app }) => {
    expect(await app.call('GET', '/api/health')).toMatchObject({ status: 200, body: { status: 'ok' } });
    await app.db.read.destroy();
    expectPlainRefusal(await app.call('GET', '/api/health'), 503);
  });
});

describe.each(freshApps({ isOverloaded: () => true }))('a busy server, on $name', ({ test }) => {
  test('does not write for the health check because it refused calls', async ({ app, admin }) => {
    expectPlainRefusal(await admin.get('/api/students'), 503);
    await app.db.write.schema.alterTable('schema_versions').renameTo('versions_gone').execute();
    expect(await app.call('GET', '/api/health')).toMatchObject({ status: 200 });
  });
});

describe.each(freshApps({ isStopping: () => true }))(
  'a server that is shutting down, on $name',
  ({ test }) => {
    test('fails the health check with a Retry-After header', async ({ app }) => {
      const answer = await app.call('GET', '/api/health');
      expectPlainRefusal(answer, 503);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    });
  },
);
