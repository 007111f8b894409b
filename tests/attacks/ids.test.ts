import { describe, expect } from 'vitest';
import { aHold } from '../support/app/holds.ts';
import { getFieldErrors } from '../support/app/people.ts';
import { targets } from '../support/processes/raw-client.ts';
import { aCourse, aFamily, aStudent } from '../support/records.ts';

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
    '/api/students/:id/class-subjects?semester=1',
    '/api/courses/:id',
    '/api/courses/histogram/:id',
    '/api/users/:id',
    '/api/terms/:id',
  ],
  ...['/api/sheets/:id', '/api/sheets/:id/events', '/api/sheets/:id/checks', '/api/sheets/:id/confirm'],
  ...['/api/sheets/:id/award-list.pdf', '/api/sheets/:id/marks.csv'],
  ...['/api/schemes/:id', '/api/schemes/:id/preview', '/api/equivalents/:id/removal'],
  ...['/api/students/:id/audit', '/api/students/:id/scheme-subjects?semester=1'],
  ...['/api/users/:id/picture', '/api/pictures/:id', '/api/exports/:id/progress'],
];
const CHANGES = [
  ...['/api/students/:id', '/api/students/:id/family', '/api/students/academics/:id', '/api/courses/:id'],
  '/api/students/:id/id',
  ...['/api/users/:id', '/api/users/:id/change-password', '/api/views/:id', '/api/terms/:id'],
  ...['/api/sheets/:id', '/api/sheets/:id/cells', '/api/sheets/:id/boundaries'],
  ...['/api/schemes/:id', '/api/students/:id/outside-credits/1'],
];
/** These answer 200 with `canProceed: false`. */
const STEPS = /\/create$|^\/api\/courses\/[^/]+$/;

describe.each(targets())('an id, on $name', ({ test }) => {
  // Covers A50
  test('that is an attack names nothing, in no path and with no method', async ({ admin }) => {
    const student = aStudent();
    await admin.post('/api/students', student);
    for (const id of HOSTILE_IDS) {
      await Promise.all([
        ...PATHS.map(async (pattern) => {
          const path = pattern.replace(':id', id);
          const { status, text } = await admin.get(path);
          expect(STEPS.test(path) ? [200, 404] : [404], `${path} ${text}`).toContain(status);
          expect(text, path).not.toContain(student.id);
        }),
        ...CHANGES.map(async (pattern) => {
          const path = pattern.replace(':id', id);
          const body = pattern.includes('views') ? { name: 'x', view: {} } : { ...student, id: undefined };
          expect([403, 404, 405, 422], path).toContain((await admin.put(path, body)).status);
        }),
        ...[
          '/api/students/:id',
          '/api/students/academics/:id',
          '/api/courses/:id',
          '/api/views/:id',
          '/api/terms/:id',
          '/api/sheets/:id',
          '/api/schemes/:id',
          '/api/students/:id/outside-credits/1',
          `/api/students/${student.id}/outside-credits/:id`,
          `/api/students/${student.id}/exceptions/:id?reason=Entered+by+mistake`,
        ].map(async (pattern) => {
          const path = pattern.replace(':id', id);
          expect([404], path).toContain((await admin.delete(path)).status);
        }),
        ...['/api/students/:id/holds', '/api/holds/:id/release'].map(async (pattern) => {
          const path = pattern.replace(':id', id);
          const { status } = await admin.post(path, aHold());
          expect([404], path).toContain(status);
        }),
      ]);
    }
    expect((await admin.get(`/api/students/${student.id}/base`)).status).toBe(200);
    expect(({} as Record<string, unknown>).first_name).toBeUndefined();
  });

  // Covers A50
  test('with a broken escape, or of 5 kB, is refused', async ({ admin }) => {
    for (const pattern of PATHS) {
      for (const id of BROKEN_ESCAPES) {
        expect((await admin.get(pattern.replace(':id', id))).status, `${pattern} ${id}`).toBe(400);
      }
      expect([404, 414]).toContain((await admin.get(pattern.replace(':id', 'a'.repeat(5000)))).status);
    }
  });

  // Covers A51
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

  // Covers A50
  test.for([
    'create',
    'print',
    '.',
    '..',
    "1' OR '1'='1",
    'a/b',
    'a b',
    'é',
    'x'.repeat(21),
    '',
    '__proto__ ',
    'a\0',
  ])('of a new student can not be %j, unless it names nothing else', async (id, { admin }) => {
    const answer = await admin.post('/api/students', { ...aStudent(), id });
    // Without the blank it is legal, and an id like any other.
    if (id.trim() === '__proto__') expect(answer.status).toBe(201);
    else expect(getFieldErrors(answer)).toEqual({ id: [expect.any(String)] });
  });

  // Covers A53
  test.for(['1e309', 2 ** 53 + 1, -1, 0, '1abc', true, [1], { $gt: 0 }, 1.5, '0x10', null])(
    'of a new course can not be %j',
    async (course_id, { admin }) => {
      const answer = await admin.post('/api/courses', { ...aCourse(), course_id });
      expect(getFieldErrors(answer)).toEqual({ course_id: [expect.any(String)] });
    },
  );

  // Covers A52
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

  // Covers A52
  test.for([
    ['degree=%00', 422],
    ['degree=44%27+or+%271%27=%271', 200],
    ['degree=44%25', 200],
    ['degree[]=44', 422],
    ['degree=44&degree=45', 422],
    ['degree=44&semester=9e99', 422],
    ['degree=44&syn=A%27--', 422],
    ['degree=44&__proto__=1', 422],
  ] as const)('or a report of %s is refused or has no students', async ([query, status], { admin }) => {
    await admin.post('/api/students', aStudent({ department: 'CE', degree: '44' }));
    for (const report of ['ranking', 'result-summary', 'deans-list', 'degree-check']) {
      const answer = await admin.get(`/api/reports/${report}?department=CE&${query}`);
      expect(answer.status, report).toBe(status);
      expect(answer.text, report).not.toContain('Siddiqui');
    }
    const file = await admin.get(`/api/reports/export.csv?report=ranking&department=CE&${query}`);
    expect(file.status).toBe(status);
    expect(file.text).not.toContain('Siddiqui');
  });

  // Covers A52
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
