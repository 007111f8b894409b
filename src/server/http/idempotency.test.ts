import { afterEach, describe, expect, vi } from 'vitest';
import { getFieldErrors, type Person, sharedApps } from '../../../tests/support/app/test-app.ts';
import { holdTransaction, waitUntilBlocked } from '../../../tests/support/database/open-transaction.ts';
import { aCourse, aFamily, aStudent, unique } from '../../../tests/support/records.ts';
import { lockTable } from '../db/dialect/locks.ts';
import { isPostgres } from '../db/dialect/sql.ts';

const post = (by: Person, url: string, body: unknown, key: string) =>
  by.call('POST', url, { body, headers: { 'idempotency-key': key } });

afterEach(() => {
  vi.useRealTimers();
});

describe.each(sharedApps())('a create call with an idempotency key, on $name', ({ test }) => {
  test('creates nothing more when it is repeated, and gets the first reply', async ({ app, staff }) => {
    const student = aStudent();
    const key = unique();
    const first = await post(staff, '/api/students', student, key);
    expect(first.status).toBe(201);
    const history = async () =>
      (await app.db.read.selectFrom('history').select('id').where('entity_id', '=', student.id).execute())
        .length;
    const written = await history();
    for (let i = 0; i < 3; i += 1) {
      const again = await post(staff, '/api/students', student, key);
      expect(again).toMatchObject({ status: 201, text: first.text });
      expect(again.headers.etag).toBe(first.headers.etag);
    }
    expect(await history()).toBe(written);
  });

  test('creates one record when it is sent many times at the same moment', async ({ staff }) => {
    const student = aStudent();
    const key = unique();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => post(staff, '/api/students', student, key)),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toHaveLength(1);
    expect(answers[0]?.status).toBe(201);
  });

  test('is refused when the key was used for a different call', async ({ staff }) => {
    const student = aStudent();
    const key = unique();
    await post(staff, '/api/students', student, key);
    const another = aStudent();
    const course = { course_id: 987_654, course_code: 'A', course_name: 'B' };
    expect(Object.keys(getFieldErrors(await post(staff, '/api/students', another, key)))).toHaveLength(1);
    expect(Object.keys(getFieldErrors(await post(staff, '/api/courses', course, key)))).toHaveLength(1);
    expect((await staff.get(`/api/students/${another.id}/base`)).status).toBe(404);
  });

  test('leaves its key free for the corrected call when it is refused', async ({ staff }) => {
    const student = aStudent();
    const key = unique();
    getFieldErrors(await post(staff, '/api/students', { ...student, syn: 'D' }, key));
    getFieldErrors(await post(staff, '/api/students/family', aFamily(student.id), key));
    expect((await post(staff, '/api/students', student, key)).status).toBe(201);
  });

  test('is independent of the keys of another person', async ({ admin, staff }) => {
    const key = unique();
    const [one, two] = [aStudent(), aStudent()];
    expect((await post(staff, '/api/students', one, key)).status).toBe(201);
    expect(await post(admin, '/api/students', two, key)).toMatchObject({
      status: 201,
      body: { student: { id: two.id } },
    });
  });

  test('can be made again after a day', async ({ app, staff }) => {
    const student = aStudent();
    const key = unique();
    await post(staff, '/api/students', student, key);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25 * 3_600_000 });
    const tomorrow = await app.signIn(staff);
    expect(getFieldErrors(await post(tomorrow, '/api/students', student, key))).toHaveProperty('id');
    const another = aStudent();
    const first = await post(tomorrow, '/api/students', another, key);
    expect(first.status).toBe(201);
    expect(await post(tomorrow, '/api/students', another, key)).toMatchObject({
      status: 201,
      text: first.text,
    });
    const stored = await app.db.read.selectFrom('idempotency_keys').select(['user_id', 'key']).execute();
    expect(stored).toEqual([{ user_id: staff.user.id, key }]);
  });

  test('removes expired keys without blocking other calls', async ({ app, admin, staff }) => {
    const key = unique();
    await post(staff, '/api/courses', aCourse(), key);
    const old = { created_at: new Date(0).toISOString() };
    await app.db.write.updateTable('idempotency_keys').set(old).execute();
    const release = await holdTransaction(app.db.write, (tx) => lockTable(tx, 'students'));
    const slow = post(staff, '/api/students', aStudent(), unique());
    await waitUntilBlocked(app.db.read);
    const quick = post(admin, '/api/courses', aCourse(), unique());
    // SQLite has a single writer, so there the other call has to wait.
    if (isPostgres(app.db.write)) expect((await quick).status).toBe(201);
    await release();
    expect([(await slow).status, (await quick).status]).toEqual([201, 201]);
    const left = await app.db.read
      .selectFrom('idempotency_keys')
      .select('key')
      .where('key', '=', key)
      .execute();
    expect(left).toEqual([]);
  });

  test.for(['', 'x'.repeat(256), 'a b', 'é'])('is refused with the key %j', async (key, { staff }) => {
    const answer = await post(staff, '/api/students', aStudent(), key);
    expect([400, 422]).toContain(answer.status);
  });
});
