import { createServer } from 'node:http';
import { describe, expect } from 'vitest';
import { errorsOf, type Person } from '../support/people.ts';
import { aCourse, aFamily, aSemester, aStudent, unique } from '../support/records.ts';
import { targets } from '../support/target.ts';

/** Ids that are no id: each would do harm where one was put into a query, a path or an object unread. */
const HOSTILE_IDS = [
  ...["1' OR '1'='1", '1; drop table students', '1" or 1=1 --', '%', '_', '*', '{{7*7}}'],
  ...['__proto__', 'constructor', 'toString', '..', '../..', '..\\..', '/etc/passwd', 'null', 'NaN', '-1'],
  ...['0', '1e309', '9007199254740993', '99999999999999999999', '١', '＇', 'a\0b', 'a\r\nx: y', '\u{202e}'],
].map(encodeURIComponent);
const BROKEN_ESCAPES = ['%', '%zz', '%ff', '%c0%af', '%ed%a0%80'];

const PATHS = [
  ...['/api/students/:id', '/api/students/:id/base', '/api/students/:id/family/create'],
  ...[
    '/api/students/:id/academics/create',
    '/api/courses/:id',
    '/api/courses/histogram/:id',
    '/api/users/:id',
  ],
  ...['/api/users/:id/picture', '/api/pictures/:id', '/api/exports/:id/progress'],
];
const CHANGES = [
  ...['/api/students/:id', '/api/students/:id/family', '/api/students/academics/:id', '/api/courses/:id'],
  ...['/api/users/:id', '/api/users/:id/change-password', '/api/views/:id'],
];
/** These tell by 200 that one may not go on. */
const GATES = /\/create$|^\/api\/courses\/[^/]+$/;

describe.each(targets())('an id, on $name', ({ test }) => {
  test('that is an attack names nothing, in no path and with no method', async ({ admin }) => {
    const student = aStudent();
    await admin.post('/api/students', student);
    for (const id of HOSTILE_IDS) {
      await Promise.all([
        ...PATHS.map(async (pattern) => {
          const path = pattern.replace(':id', id);
          const { status, text } = await admin.get(path);
          expect(GATES.test(path) ? [200, 404] : [404], `${path} ${text}`).toContain(status);
          expect(text, path).not.toContain(student.id);
        }),
        ...CHANGES.map(async (pattern) => {
          const path = pattern.replace(':id', id);
          const body = pattern.includes('views') ? { name: 'x', view: {} } : { ...student, id: undefined };
          expect([403, 404, 405, 422], path).toContain((await admin.put(path, body)).status);
        }),
        ...['/api/students/:id', '/api/courses/:id', '/api/views/:id'].map(async (pattern) => {
          const path = pattern.replace(':id', id);
          expect([404], path).toContain((await admin.delete(path)).status);
        }),
      ]);
    }
    expect((await admin.get(`/api/students/${student.id}/base`)).status).toBe(200);
    expect(({} as Record<string, unknown>).first_name).toBeUndefined();
  });

  test('with a broken escape, or of 5 kB, is refused', async ({ admin }) => {
    for (const pattern of PATHS) {
      for (const id of BROKEN_ESCAPES) {
        expect((await admin.get(pattern.replace(':id', id))).status, `${pattern} ${id}`).toBe(400);
      }
      expect([404, 414]).toContain((await admin.get(pattern.replace(':id', 'a'.repeat(5000)))).status);
    }
  });

  test.for(['academics', 'family', 'bulk', 'base', 'restore', 'preview'])(
    'that is also a word of a path, %s, hides no record',
    async (id, { admin }) => {
      const student = aStudent({ id, current_sem: 1 });
      expect((await admin.post('/api/students', student)).status).toBe(201);
      expect((await admin.post('/api/students/family', aFamily(id))).status).toBe(201);
      expect((await admin.put(`/api/students/${id}`, { ...student, first_name: 'Hina' })).status).toBe(200);
      const family = await admin.put(`/api/students/${id}/family`, aFamily(id, { father_name: 'Omar' }));
      expect(family).toMatchObject({ status: 200, body: { family: { father_name: 'Omar' } } });
      expect((await admin.get(`/api/students/${id}`)).body).toMatchObject({
        student: { first_name: 'Hina' },
      });
      expect((await admin.delete(`/api/students/${id}`)).status).toBe(200);
      expect((await admin.post(`/api/students/${id}/restore`)).status).toBe(201);
    },
  );

  test.for(['create', '.', '..', "1' OR '1'='1", 'a/b', 'a b', 'é', 'x'.repeat(21), '', '__proto__ ', 'a\0'])(
    'of a new student can not be %j, unless it names nothing else',
    async (id, { admin }) => {
      const answer = await admin.post('/api/students', { ...aStudent(), id });
      // Without the blank it is legal, and an id like any other.
      if (id.trim() === '__proto__') expect(answer.status).toBe(201);
      else expect(errorsOf(answer)).toEqual({ id: [expect.any(String)] });
    },
  );

  test.for(['1e309', 2 ** 53 + 1, -1, 0, '1abc', true, [1], { $gt: 0 }, 1.5, '0x10', null])(
    'of a new course can not be %j',
    async (course_id, { admin }) => {
      const answer = await admin.post('/api/courses', { ...aCourse(), course_id });
      expect(errorsOf(answer)).toEqual({ course_id: [expect.any(String)] });
    },
  );

  test.for([
    ...[
      'q=%00',
      'q=%F0%9F%92%A9%27%22%25_',
      `q=${'a+'.repeat(90)}`,
      'department=ZZ',
      'limit=-1',
      'limit=1e9',
    ],
    ...[
      'limit=x',
      'cursor=%27',
      'cursor=e30',
      'sort=id;drop',
      'q[]=1',
      'q=a&q=b',
      '__proto__=1',
      'cgpa_from=NaN',
    ],
    ...['current_sem=1%27', 'failed=9e99', 'page=-1'],
  ])(
    'or a search that asks for %s is refused or finds nothing, and breaks nothing',
    async (query, { admin }) => {
      for (const path of ['/api/students', '/api/exports/students.csv']) {
        expect([200, 422], path).toContain((await admin.get(`${path}?${query}`)).status);
      }
      expect((await admin.get('/api?limit=-1&page=x')).status).toBe(200);
    },
  );

  test.for<[string, string]>([
    ['if-match', '"s1'.repeat(2000)],
    ['if-match', "' or 1=1"],
    ['idempotency-key', 'x'.repeat(300)],
    ['idempotency-key', "';drop table students;--"],
    ['range', 'bytes=0-0,-1,5-1'],
    ['accept', 'x'.repeat(4000)],
  ])('or a header %s that is an attack breaks nothing', async ([name, value], { admin }) => {
    const student = aStudent();
    const made = await admin.call('POST', '/api/students', { body: student, headers: { [name]: value } });
    expect([201, 422]).toContain(made.status);
    if (made.status === 201) {
      const edit = { body: student, headers: { [name]: value } };
      const edited = await admin.call('PUT', `/api/students/${student.id}`, edit);
      expect([200, 412]).toContain(edited.status);
    }
  });
});

/** Words that a page must show and never run. */
const SCRIPTS = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  'javascript:alert(1)',
  "';alert(1)//",
  '{{constructor.constructor("alert(1)")()}}',
  '=cmd|calc!A1',
];

describe.each(targets())('what is sent beside or inside the fields, on $name', ({ test }) => {
  const read = async (person: Person, id: string) => (await person.get(`/api/students/${id}`)).body;

  test('a script in any text comes back as it was sent, as data', async ({ admin }) => {
    for (const script of SCRIPTS) {
      const words = {
        first_name: script,
        last_name: script,
        phone_number: script,
        reason: script,
        img: script,
      };
      const student = aStudent({ ...words, degree: script.slice(0, 20), current_sem: 1 });
      expect((await admin.post('/api/students', student)).status).toBe(201);
      const family = aFamily(student.id, { father_name: script, address: script });
      await admin.post('/api/students/family', family);
      const subjects = [{ title: script, credits: 3, grade: 'A' }] as const;
      await admin.post('/api/students/academics', aSemester(student.id, 1, subjects));
      const answer = await admin.get(`/api/students/${student.id}`);
      expect(answer.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'x-content-type-options': 'nosniff',
      });
      expect(answer.body).toMatchObject({ student: words, family, academics: [{ subject_1: script }] });
    }
  });

  test('what only the server works out, or another record’s, is ignored or refused', async ({ admin }) => {
    const [student, other] = [aStudent({ current_sem: 2 }), aStudent({ current_sem: 2 })];
    const computed = {
      age: 99,
      cgpa: 4,
      sgpa: 4,
      latest_cgpa: 4,
      version: 7,
      created_at: '1970-01-01',
      is_complete: 1,
    };
    for (const one of [student, other]) {
      expect(
        (await admin.post('/api/students', { ...one, ...computed, family: {}, academics: [] })).status,
      ).toBe(201);
      expect((await admin.post('/api/students/family', { ...aFamily(one.id), ...computed })).status).toBe(
        201,
      );
    }
    const subjects = [{ title: 'Statics', credits: 3, grade: 'F' }] as const;
    const sent = { ...aSemester(student.id, 1, subjects), ...computed };
    const { body } = await admin.post('/api/students/academics', sent);
    expect(body).toMatchObject({ academic: { sgpa: 0, cgpa: 0 } });
    const { academic_id } = (body as { academic: { academic_id: number } }).academic;
    const before = await read(admin, other.id);

    const url = `/api/students/academics/${academic_id}`;
    const foreign = await admin.put(url, { ...sent, student_id: other.id });
    expect(errorsOf(foreign)).toHaveProperty('student_id');
    const family = await admin.put(`/api/students/${student.id}/family`, aFamily(other.id));
    expect(errorsOf(family)).toHaveProperty('student_id');
    const renamed = await admin.put(`/api/students/${student.id}`, { ...student, id: other.id });
    expect(errorsOf(renamed)).toHaveProperty('id');
    expect(await read(admin, other.id)).toEqual(before);
    expect(await read(admin, student.id)).toMatchObject({ academics_summary: { latest_cgpa: 0 } });
    expect(JSON.stringify(await read(admin, student.id))).not.toMatch(/"(age|version|created_at)":/);
  });

  test('a step that is left out, or taken twice, is refused', async ({ admin }) => {
    const student = aStudent({ current_sem: 1 });
    const results = (semester: number) => aSemester(student.id, semester, []);
    expect(errorsOf(await admin.post('/api/students/family', aFamily(student.id)))).toHaveProperty(
      'student_id',
    );
    await admin.post('/api/students', student);
    expect([409, 422]).toContain((await admin.post('/api/students/academics', results(1))).status);
    await admin.post('/api/students/family', aFamily(student.id));
    expect(errorsOf(await admin.post('/api/students/academics', results(2)))).toHaveProperty('semester');
    expect((await admin.post('/api/students/academics', results(1))).status).toBe(201);
    expect(errorsOf(await admin.post('/api/students/academics', results(1)))).toHaveProperty('semester');
    const eleven = { ...results(1), subject_11: 'One too many' };
    expect(JSON.stringify(errorsOf(await admin.post('/api/students/academics', eleven)))).toContain(
      '10 is the maximum number of subjects per semester',
    );
  });

  test('an address in the text of a portrait is asked for by nobody', async ({ admin }) => {
    let asked = 0;
    const inside = createServer((_request, response) => {
      asked += 1;
      response.end();
    });
    await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
    const bound = inside.address();
    const img = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}/latest/meta-data`;
    const student = aStudent();
    await admin.post('/api/students', student);
    for (const address of [img, 'file:///etc/passwd', 'http://169.254.169.254/']) {
      const answer = await admin.put(`/api/students/${student.id}`, { ...student, img: address });
      expect(answer).toMatchObject({ status: 200, body: { student: { img: address } } });
    }
    await admin.get(`/api/students/${student.id}/base`);
    expect(asked).toBe(0);
    await new Promise((resolve) => inside.close(resolve));
  });

  test('only who may deletes, and a deleted student is gone with family and results', async ({
    target,
    admin,
    viewer,
  }) => {
    const student = aStudent({ current_sem: 1 });
    await admin.post('/api/students', student);
    await admin.post('/api/students/family', aFamily(student.id));
    await admin.post('/api/students/academics', aSemester(student.id, 1, []));
    const url = `/api/students/${student.id}`;
    expect((await target.call('DELETE', url)).status).toBe(401);
    expect((await viewer.delete(url)).status).toBe(403);
    expect((await admin.get(url)).status).toBe(200);
    expect((await admin.delete(url)).status).toBe(200);
    expect((await admin.delete(url)).status).toBe(404);
    expect((await admin.post('/api/students', student)).status).toBe(201);
    expect(await read(admin, student.id)).toBeNull();
  });
});

describe.each(targets())('a JSON body, on $name', ({ test }) => {
  const student = () => aStudent({ id: `J-${unique()}` });
  const nested = '['.repeat(100_000);

  test.for<[string, number, (json: string) => string]>([
    ['of a hundred thousand nested lists', 400, () => nested],
    [
      'with as many inside a field that is not asked for',
      201,
      (json) => `{"deep":${nested}${']'.repeat(100_000)},${json.slice(1)}`,
    ],
    [
      'with as many inside a field',
      422,
      (json) => json.replace('"Ayesha"', `${nested}${']'.repeat(100_000)}`),
    ],
    ['with something behind it', 400, (json) => `${json} x`],
    ['with a byte order mark before it', 201, (json) => `\uFEFF${json}`],
    ['that names a prototype', 400, (json) => `{"__proto__":{"role":"admin"},${json.slice(1)}`],
    [
      'that names a prototype by escapes',
      400,
      (json) => `{"\\u005f_proto__":{"role":"admin"},${json.slice(1)}`,
    ],
    [
      'that names a constructor',
      400,
      (json) => `{"constructor":{"prototype":{"role":"admin"}},${json.slice(1)}`,
    ],
    ['with half a character', 422, (json) => json.replace('Ayesha', '\\ud800')],
    ['with a NUL', 422, (json) => json.replace('Ayesha', 'a\\u0000b')],
    ['with a NUL in the id', 422, (json) => json.replace('"J-', '"\\u0000J-')],
    ['with a number beyond all', 422, (json) => json.replace('935', '1e999')],
    ['with a number of a hundred thousand digits', 422, (json) => json.replace('935', '9'.repeat(100_000))],
    ['with NaN', 400, (json) => json.replace('935', 'NaN')],
    ['in two bytes a character', 400, (json) => Buffer.from(json, 'utf16le').toString('latin1')],
  ])('%s is answered %i, and the next is untouched by it', async ([, status, change], { admin }) => {
    const sent = student();
    const answer = await admin.call('POST', '/api/students', { body: change(JSON.stringify(sent)) });
    expect(answer.status, answer.text.slice(0, 300)).toBe(status);
    const next = await admin.post('/api/students', student());
    expect(next.status).toBe(201);
    expect(next.text).not.toContain('admin');
    const kept = await admin.get(`/api/students/${sent.id}/base`);
    expect(kept.status).toBe(status === 201 ? 200 : 404);
  });

  test('that names a field twice counts by the last, which is what was checked', async ({ admin }) => {
    const sent = student();
    const twice = (first: string, last: string) =>
      JSON.stringify(sent).replace('"gender":"F"', `"gender":${first},"gender":${last}`);
    expect((await admin.call('POST', '/api/students', { body: twice('"F"', '"X"') })).status).toBe(422);
    expect((await admin.call('POST', '/api/students', { body: twice('"X"', '"M"') })).status).toBe(201);
    expect((await admin.get(`/api/students/${sent.id}/base`)).body).toMatchObject({
      student: { gender: 'M' },
    });
  });

  test.for(['first_name', 'last_name', 'phone_number', 'degree', 'reason', 'img'])(
    'with broken characters in %s is refused for that field alone',
    async (field, { admin }) => {
      for (const broken of ['a\0', '\ud800', '\udc00x']) {
        expect(
          Object.keys(errorsOf(await admin.post('/api/students', { ...student(), [field]: broken }))),
        ).toEqual([field]);
      }
    },
  );
});
