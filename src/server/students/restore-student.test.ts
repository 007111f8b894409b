import { describe, expect } from 'vitest';
import { freshApps, type Person } from '../../../tests/support/app/test-app.ts';
import { aFamily, aSemester, aStudent } from '../../../tests/support/records.ts';
import { historyReply } from '../../contract/history.ts';

const enter = async (by: Person, id: string, current_sem = 2) => {
  await by.post('/api/students', aStudent({ id, current_sem, fsc_marks: 935.37, reason: 'محمد' }));
  await by.post('/api/students/family', aFamily(id));
  await by.post('/api/students/academics', aSemester(id, 1, [{ title: 'Statics', credits: 3, grade: 'B+' }]));
  await by.post('/api/students/academics', aSemester(id, 2, [{ title: 'Dynamics', credits: 4, grade: 'D' }]));
};

const restore = (by: Person, id: string) => by.post(`/api/students/${id}/restore`);

describe.each(freshApps())('restoring a deleted student, on $name', ({ test }) => {
  test('restores the whole record, which can be edited again', async ({ admin, staff }) => {
    await enter(staff, 'S1');
    const before = await staff.get('/api/students/S1');
    await staff.delete('/api/students/S1');
    const answer = await restore(admin, 'S1');
    expect(answer.status, answer.text).toBe(201);
    const after = await staff.get('/api/students/S1');
    expect(after.body).toEqual(before.body);
    expect((await staff.get('/api')).body).toHaveLength(1);
    const { academics } = after.body as { academics: { academic_id: number }[] };
    const url = `/api/students/academics/${academics[0]?.academic_id}`;
    expect((await staff.put(url, { subject_1: 'Statics', subj_credit_1: 3, subj_grade_1: 'A' })).status).toBe(
      200,
    );
    const stale = { headers: { 'if-match': String(before.headers.etag) }, body: aStudent({ id: 'S1' }) };
    expect((await staff.call('PUT', '/api/students/S1', stale)).status).toBe(412);
  });

  test('starts results above every earlier version, so that no stale save overwrites them', async ({
    admin,
    staff,
  }) => {
    await enter(staff, 'S1', 4);
    for (const semester of [3, 4]) await staff.post('/api/students/academics', aSemester('S1', semester, []));
    const before = await staff.get('/api/students/S1');
    await staff.delete('/api/students/S1');
    expect((await restore(staff, 'S1')).status).toBe(201);
    const { academics } = before.body as { academics: { academic_id: number; semester: number }[] };
    for (const { academic_id, semester } of academics) {
      const url = `/api/students/academics/${academic_id}`;
      const stale = {
        headers: { 'if-match': String(before.headers.etag) },
        body: aSemester('S1', semester, []),
      };
      for (const grade of ['A', 'B', 'C'] as const) {
        expect((await staff.call('PUT', url, stale)).status).toBe(412);
        await admin.put(url, aSemester('S1', semester, [{ title: 'Statics', credits: 3, grade }]));
      }
      expect((await staff.call('PUT', url, stale)).status).toBe(412);
    }
  });

  test('restores an incomplete record unchanged', async ({ admin }) => {
    await admin.post('/api/students', aStudent({ id: 'S1' }));
    const base = (await admin.get('/api/students/S1/base')).body;
    await admin.delete('/api/students/S1');
    expect((await restore(admin, 'S1')).status).toBe(201);
    expect((await admin.get('/api/students/S1/base')).body).toEqual(base);
    expect((await admin.get('/api/students/S1')).text).toBe('null');
  });

  test('adds an entry to the history and keeps the deletion', async ({ app, admin }) => {
    await enter(admin, 'S1');
    await admin.delete('/api/students/S1');
    await restore(admin, 'S1');
    const rows = await app.db.read
      .selectFrom('history')
      .select(['action', 'user_id'])
      .where('entity', '=', 'student')
      .where('entity_id', '=', 'S1')
      .orderBy('id')
      .execute();
    expect(rows.map(({ action }) => action)).toEqual(['create', 'delete', 'create']);
    expect(rows.at(-1)?.user_id).toBe(admin.user.id);
  });

  test('is for whoever deleted the student, but only the last deletion', async ({ admin, staff }) => {
    await enter(staff, 'S1');
    await staff.delete('/api/students/S1');
    expect((await restore(staff, 'S1')).status).toBe(201);
    await admin.delete('/api/students/S1');
    expect((await restore(staff, 'S1')).status).toBe(403);
    const history = historyReply.parse((await admin.get('/api/students/S1/history')).body).entries;
    const own = history.find(({ action, user }) => action === 'delete' && user.id === staff.user.id);
    expect((await staff.post(`/api/students/S1/restore?entry=${own?.id}`)).status).toBe(403);
    expect((await staff.get('/api/students/S1/base')).status).toBe(404);
  });

  test('is refused for others, and while the id is in use', async ({ admin, staff, viewer }) => {
    await enter(staff, 'S1');
    expect((await restore(admin, 'S1')).status).toBe(409);
    await admin.delete('/api/students/S1');
    expect((await restore(staff, 'S1')).status).toBe(403);
    expect((await restore(viewer, 'S1')).status).toBe(403);
    expect((await restore(staff, 'nobody')).status).toBe(403);
    expect((await restore(admin, 'nobody')).status).toBe(404);
    await staff.post('/api/students', aStudent({ id: 'S1', first_name: 'Another' }));
    expect((await restore(admin, 'S1')).status).toBe(409);
    expect((await staff.get('/api/students/S1/base')).body).toMatchObject({
      student: { first_name: 'Another' },
    });
  });

  test('restores one record for three concurrent calls', async ({ admin }) => {
    await enter(admin, 'S1');
    await admin.delete('/api/students/S1');
    const answers = await Promise.all([restore(admin, 'S1'), restore(admin, 'S1'), restore(admin, 'S1')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });
});
