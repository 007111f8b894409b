import { describe, expect } from 'vitest';
import { freshApps, type Person, type TestApp } from '../../../tests/support/app/test-app.ts';
import { aCourse, aFamily, aSemester, aStudent } from '../../../tests/support/records.ts';

const readTag = async (by: Person, url: string) => String((await by.get(url)).headers.etag);

const deletions = async ({ db: { read } }: TestApp, id: string) => {
  const entries = read
    .selectFrom('history')
    .select('id')
    .where('entity_id', '=', id)
    .where('action', '=', 'delete');
  return (await entries.orderBy('id').execute()).map((entry) => entry.id);
};

describe.each(freshApps())('an id reused after a delete, on $name', ({ test }) => {
  test('matches no version of the earlier student', async ({ staff }) => {
    const enter = async () => {
      await staff.post('/api/students', aStudent({ id: 'S1', current_sem: 1 }));
      await staff.post('/api/students/family', aFamily('S1'));
      await staff.post('/api/students/academics', aSemester('S1', 1, []));
    };
    await enter();
    const headers = { 'if-match': await readTag(staff, '/api/students/S1') };
    await staff.delete('/api/students/S1');
    await enter();
    const { academics } = (await staff.get('/api/students/S1')).body as {
      academics: { academic_id: number }[];
    };
    const writes = [
      ['/api/students/S1', aStudent({ id: 'S1', current_sem: 1 })],
      ['/api/students/S1/family', aFamily('S1')],
      [`/api/students/academics/${academics[0]?.academic_id}`, {}],
    ] as const;
    for (const [url, body] of writes) {
      expect((await staff.call('PUT', url, { body, headers })).status, url).toBe(412);
      const current = { 'if-match': await readTag(staff, '/api/students/S1') };
      expect((await staff.call('PUT', url, { body, headers: current })).status, url).toBe(200);
    }
  });

  test('matches no version of the earlier course', async ({ staff }) => {
    const course = aCourse();
    const url = `/api/courses/${course.course_id}`;
    await staff.post('/api/courses', course);
    const headers = { 'if-match': await readTag(staff, url) };
    await staff.delete(url);
    await staff.post('/api/courses', course);
    expect((await staff.call('PUT', url, { body: course, headers })).status).toBe(412);
    const marks = { course_id: course.course_id, marks: '50,60' };
    expect((await staff.call('POST', '/api/courses-marks', { body: marks, headers })).status).toBe(412);
  });

  test('does not prevent restoring the earlier record later', async ({ app, admin }) => {
    await admin.post('/api/students', aStudent({ id: 'S1', first_name: 'Earlier', current_sem: 1 }));
    await admin.post('/api/students/family', aFamily('S1'));
    await admin.delete('/api/students/S1');
    await admin.post('/api/students', aStudent({ id: 'S1', first_name: 'Later' }));
    await admin.delete('/api/students/S1');
    const [earlier] = await deletions(app, 'S1');
    expect((await admin.post(`/api/students/S1/restore?entry=${earlier}`)).status).toBe(201);
    expect((await admin.get('/api/students/S1')).body).toMatchObject({ student: { first_name: 'Earlier' } });
    expect((await admin.post('/api/students/S1/restore?entry=x')).status).toBe(422);
    await admin.delete('/api/students/S1');
    expect((await admin.post('/api/students/S1/restore?entry=999999')).status).toBe(404);
  });

  test('is either restored or created again by concurrent requests, never both', async ({ admin, staff }) => {
    await staff.post('/api/students', aStudent({ id: 'S1' }));
    for (let round = 0; round < 5; round += 1) {
      await staff.delete('/api/students/S1');
      const answers = await Promise.all([
        admin.post('/api/students/S1/restore'),
        staff.post('/api/students', aStudent({ id: 'S1' })),
      ]);
      expect([
        [201, 422],
        [409, 201],
      ]).toContainEqual(answers.map(({ status }) => status));
    }
  });
});

describe.each(freshApps())('replaced marks, on $name', ({ test }) => {
  test('are stored with the id of the history entry that replaced them', async ({ app, staff }) => {
    const course = aCourse();
    const { course_id } = course;
    const replaced = async () =>
      (
        await app.db.read
          .selectFrom('replaced_marks')
          .selectAll()
          .orderBy('history_id')
          .orderBy('piece')
          .execute()
      ).map(({ marks }) => JSON.parse(marks) as number[]);
    await staff.post('/api/courses', course);
    await staff.post('/api/courses-marks', { course_id, marks: '10,20' });
    await staff.post('/api/courses-marks', { course_id, marks: '30', mode: 'append' });
    expect(await replaced()).toEqual([]);
    await staff.post('/api/courses-marks', { course_id, marks: '40' });
    expect(await replaced()).toEqual([[10, 20], [30]]);
    await staff.delete(`/api/courses/${course_id}`);
    expect(await replaced()).toEqual([[10, 20], [30], [40]]);
  });
});
