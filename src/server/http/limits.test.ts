import { sql } from 'kysely';
import { describe, expect } from 'vitest';
import { freshApps, getFieldErrors, sharedApps } from '../../../tests/support/app/test-app.ts';
import { aCourse } from '../../../tests/support/records.ts';

const MIB = 1024 * 1024;

describe.each(sharedApps())('a form, on $name', ({ test }) => {
  // Covers A68
  test('is refused when its total size exceeds the limit', async ({ staff }) => {
    const form = new FormData();
    for (let i = 0; i < 3; i += 1) form.set(`unknown_${i}`, 'x'.repeat(30 * MIB));
    expect((await staff.call('POST', '/api/courses-marks', { form })).status).toBe(413);
  });

  test('is refused with two files for one field', async ({ staff }) => {
    const course = aCourse();
    await staff.post('/api/courses', course);
    const form = new FormData();
    form.set('course_id', String(course.course_id));
    form.append('file', new Blob(['50']), 'a.csv');
    form.append('file', new Blob(['60']), 'b.csv');
    expect(getFieldErrors(await staff.call('POST', '/api/courses-marks', { form }))).toHaveProperty('file');
  });

  test('is answered with 404 at an unknown URL', async ({ staff }) => {
    const form = new FormData();
    form.set('a', 'b');
    expect((await staff.call('POST', '/api/nothing', { form })).status).toBe(404);
  });
});

describe.each(sharedApps())('a number in a path, on $name', ({ test }) => {
  test.for(['99999999999', '2147483648', '1e3', '0x1', '-1', '1.0', ' 1'])(
    'answers 404 when it cannot be an id: %s',
    async (number, { admin }) => {
      for (const url of [`/api/users/${number}`, `/api/users/${number}/picture`]) {
        expect((await admin.get(encodeURI(url))).status, url).toBe(404);
      }
      expect((await admin.get(encodeURI(`/api/courses/histogram/${number}`))).status).toBe(404);
    },
  );
});

describe.each(sharedApps())('a body, on $name', ({ test }) => {
  test('with excessive nesting causes no server error, also with an idempotency key', async ({ staff }) => {
    const body = `{"student_id":"S1","semester":1,"deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const headers = { 'idempotency-key': 'deep' };
    expect((await staff.call('POST', '/api/students/academics', { body, headers })).status).toBeLessThan(500);
    expect((await staff.get('/api/users')).status).toBe(200);
  });

  test.for([true, [1], '1e0', 1.5])(
    'must have an integer as the id of a user, not %j',
    async (id, { staff }) => {
      const answer = await staff.put(`/api/users/${staff.user.id}`, {
        ...staff.user,
        id,
        password: staff.password,
      });
      expect(getFieldErrors(answer)).toHaveProperty('id');
    },
  );
});

describe.each(freshApps().filter(({ name }) => name === 'sqlite'))('a full disk, on $name', ({ test }) => {
  test('is reported and leaves nothing of the change, which succeeds once there is space', async ({
    app,
    staff,
  }) => {
    const course = aCourse();
    await staff.post('/api/courses', course);
    const marks = Array.from({ length: 20_000 }, (_, i) => (i % 1000) / 10).join();
    const limit = async (pages: number) => {
      // The limit applies per connection; this is the one for writing.
      await sql.raw(`pragma max_page_count = ${pages}`).execute(app.db.write);
    };
    await limit(1);
    const upload = () => staff.post('/api/courses-marks', { course_id: course.course_id, marks });
    const refused = await upload();
    expect([refused.status, refused.body]).toEqual([
      507,
      expect.objectContaining({ message: 'Storage is full.' }),
    ]);
    expect((await staff.get(`/api/courses/histogram/${course.course_id}`)).body).toEqual([]);
    await limit(1_000_000);
    expect((await upload()).status).toBe(201);
  });
});
