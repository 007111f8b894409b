import { describe, expect } from 'vitest';
import { freshApps, type Person } from '../../../tests/support/app/test-app.ts';
import { aCourse, aFamily, aSemester, aStudent } from '../../../tests/support/records.ts';
import { type HistoryState, historyReply, restorePreview } from '../../contract/history.ts';
import { verifyChain } from '../history/verify-chain.ts';

const readEntries = async (by: Person, url: string) =>
  historyReply.parse((await by.get(`${url}/history`)).body).entries;
const path = (entry: number | undefined, state: HistoryState) =>
  `/api/history/${entry}/restore?state=${state}`;
const preview = async (by: Person, entry: number | undefined, state: HistoryState) => {
  const answer = await by.get(path(entry, state));
  expect(answer.status, answer.text).toBe(200);
  return { ...restorePreview.parse(answer.body), version: answer.headers.etag };
};
const restore = (by: Person, entry: number | undefined, state: HistoryState) => by.post(path(entry, state));
const academicId = async (by: Person, id: string) =>
  ((await by.get(`/api/students/${id}`)).body as { academics: { academic_id: number }[] }).academics[0]
    ?.academic_id;

describe.each(freshApps())('an earlier state, on $name', ({ test }) => {
  test('of base, family and results becomes the current one, with an entry that refers to the restored one', async ({
    app,
    admin,
    staff,
  }) => {
    const url = '/api/students/S1';
    const student = aStudent({ id: 'S1', current_sem: 1, fsc_marks: 935.37 });
    await staff.post('/api/students', student);
    await staff.post('/api/students/family', aFamily('S1'));
    await staff.post(
      '/api/students/academics',
      aSemester('S1', 1, [{ title: 'Statics', credits: 3, grade: 'B' }]),
    );
    const before = (await staff.get(url)).body;
    await staff.put(url, { ...student, first_name: 'Wrong', fsc_marks: 200 });
    await staff.put(`${url}/family`, { ...aFamily('S1'), father_name: 'Wrong' });
    const semester = `/api/students/academics/${await academicId(staff, 'S1')}`;
    await staff.put(semester, aSemester('S1', 1, [{ title: 'Wrong', credits: 1, grade: 'F' }]));
    const [results, family, base] = await readEntries(staff, url);

    const seen = await preview(admin, base?.id, 'before');
    expect(seen).toMatchObject({
      obstacle: null,
      changes: [
        { label: 'First name', before: 'Wrong', after: student.first_name },
        { label: 'FSC marks', before: 200, after: 935.37 },
      ],
    });
    const headers = { 'if-match': String(seen.version), 'idempotency-key': 'once' };
    const restoreBase = () => admin.call('POST', path(base?.id, 'before'), { headers });
    expect((await restoreBase()).status).toBe(201);
    expect(await restoreBase()).toMatchObject({ status: 201, headers: { 'idempotency-replayed': 'true' } });
    expect((await restore(admin, family?.id, 'before')).status).toBe(201);
    expect((await preview(admin, results?.id, 'before')).changes).toEqual([
      {
        ...{ field: 'subject_1', label: 'Subject 1' },
        ...{ before: 'Wrong, 1 credit hour, grade F', after: 'Statics, 3 credit hours, grade B' },
      },
    ]);
    expect((await restore(admin, results?.id, 'before')).status).toBe(201);
    expect((await staff.get(url)).body).toEqual(before);

    const entries = await readEntries(staff, url);
    expect(
      entries.slice(0, 3).map(({ restored_from, action, user }) => [restored_from, action, user.id]),
    ).toEqual([...[results, family, base].map((entry) => [entry?.id, 'update', admin.user.id])]);
    expect((await restore(admin, base?.id, 'after')).status).toBe(201);
    expect((await staff.get(`${url}/base`)).body).toMatchObject({ student: { first_name: 'Wrong' } });
    expect(await verifyChain(app.db.read)).not.toHaveProperty('fault');
  });

  test('is restored by administrators only, and not over a newer version than previewed', async ({
    admin,
    staff,
  }) => {
    const student = aStudent({ id: 'S1' });
    await staff.post('/api/students', student);
    await staff.put('/api/students/S1', { ...student, first_name: 'Second' });
    const [entry] = await readEntries(staff, '/api/students/S1');
    expect((await staff.get(path(entry?.id, 'before'))).status).toBe(403);
    expect((await restore(staff, entry?.id, 'before')).status).toBe(403);
    const { version } = await preview(admin, entry?.id, 'before');
    await staff.put('/api/students/S1', { ...student, first_name: 'Third' });
    const stale = await admin.call('POST', path(entry?.id, 'before'), {
      headers: { 'if-match': String(version) },
    });
    expect(stale).toMatchObject({ status: 412, body: { current: { first_name: 'Third' } } });
    expect((await restore(admin, 999_999, 'before')).status).toBe(404);
    expect((await admin.post(`/api/history/${entry?.id}/restore?state=now`)).status).toBe(422);
    expect((await admin.post('/api/history/x/restore')).status).toBe(404);
  });

  test('of a deleted student is restored completely, once, and never replaces another student', async ({
    admin,
    staff,
  }) => {
    await staff.post('/api/students', aStudent({ id: 'S1', first_name: 'Earlier' }));
    await staff.post('/api/students/family', aFamily('S1'));
    const record = (await staff.get('/api/students/S1')).body;
    const [entered] = await readEntries(staff, '/api/students/S1');
    await staff.delete('/api/students/S1');
    const [gone] = await readEntries(admin, '/api/students/S1');
    expect((await preview(admin, entered?.id, 'after')).obstacle).toContain('has been deleted');
    expect((await restore(admin, entered?.id, 'after')).status).toBe(409);
    expect((await preview(admin, gone?.id, 'before')).changes).toContainEqual(
      expect.objectContaining({ label: 'First name', before: null, after: 'Earlier' }),
    );
    expect((await restore(admin, gone?.id, 'before')).status).toBe(201);
    expect((await staff.get('/api/students/S1')).body).toEqual(record);
    expect((await restore(admin, gone?.id, 'before')).status).toBe(409);
    expect((await preview(admin, gone?.id, 'before')).obstacle).toMatch(
      /There is a student with this ID again/,
    );
    expect((await readEntries(staff, '/api/students/S1'))[0]).toMatchObject({ restored_from: gone?.id });
  });

  test('that is no longer valid is refused with the reason', async ({ admin, staff }) => {
    const course = aCourse();
    const { course_id } = course;
    await staff.post('/api/courses', course);
    await staff.post('/api/students', aStudent({ id: 'S1', current_sem: 1 }));
    await staff.post('/api/students/family', aFamily('S1'));
    const taken = { ...aSemester('S1', 1, []), subject_1: 'Statics', subject_1_id: course_id };
    await staff.post('/api/students/academics', taken);
    await staff.put(`/api/students/academics/${await academicId(staff, 'S1')}`, aSemester('S1', 1, []));
    const [results] = await readEntries(staff, '/api/students/S1');
    await staff.delete(`/api/courses/${course_id}`);
    expect(await restore(admin, results?.id, 'before')).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('The subject 1 id must be that of an existing course.') },
    });
    await staff.delete(`/api/students/academics/${await academicId(staff, 'S1')}`);
    expect((await preview(admin, results?.id, 'before')).obstacle).toMatch(
      /^Semester 1 is not recorded any more/,
    );
    await staff.post('/api/students', aStudent({ id: 'S2' }));
    const [made] = await readEntries(staff, '/api/students/S2');
    expect((await preview(admin, made?.id, 'after')).obstacle).toBe('The record is already in this state.');
    expect((await preview(admin, made?.id, 'before')).obstacle).toBe('There was nothing before this entry.');
    const { entries } = historyReply.parse((await admin.get('/api/history?entity=user')).body);
    expect((await preview(admin, entries[0]?.id, 'after')).obstacle).toMatch(/^Only students/);
  });

  test('of a deleted student or course is not restored into another with the same ID', async ({
    admin,
    staff,
  }) => {
    const course = aCourse();
    const { course_id } = course;
    const enter = async (first_name: string) => {
      await staff.post('/api/students', aStudent({ id: 'S1', current_sem: 1, first_name }));
      await staff.post('/api/students/family', { ...aFamily('S1'), father_name: first_name });
      await staff.post(
        '/api/students/academics',
        aSemester('S1', 1, [{ title: first_name, credits: 3, grade: 'A' }]),
      );
      await staff.post('/api/courses', { ...course, course_name: first_name });
      await staff.post('/api/courses-marks', { course_id, marks: '1,2' });
      await staff.post('/api/courses-marks', { course_id, marks: first_name === 'Alice' ? '3' : '4' });
    };
    await enter('Alice');
    const ofStudent = await readEntries(staff, '/api/students/S1');
    const ofCourse = await readEntries(staff, `/api/courses/${course_id}`);
    await staff.delete('/api/students/S1');
    await staff.delete(`/api/courses/${course_id}`);
    expect((await preview(admin, ofStudent[0]?.id, 'after')).obstacle).toContain('has been deleted');
    expect((await preview(admin, ofCourse[0]?.id, 'before')).obstacle).toContain('has been deleted');
    await enter('Bob');
    const read = async () => [
      (await staff.get('/api/students/S1')).body,
      (await staff.get(`/api/courses/${course_id}`)).body,
    ];
    const before = await read();
    for (const [entries, obstacle] of [
      [ofStudent, 'This entry is about another student, who had this ID before.'],
      [ofCourse, 'This entry is about another course, which had this ID before.'],
    ] as const) {
      expect(entries).toHaveLength(3);
      for (const { id, entity } of entries) {
        const state = entity === 'marks' ? 'before' : 'after';
        expect((await restore(admin, id, state)).status, entity).toBe(409);
        expect((await preview(admin, id, state)).obstacle, entity).toBe(obstacle);
      }
    }
    expect(await read()).toEqual(before);
    await staff.delete('/api/students/S1');
    await admin.post('/api/students/S1/restore');
    const [, entered] = (await readEntries(staff, '/api/students/S1')).toReversed();
    expect((await preview(admin, entered?.id, 'after')).obstacle).toBe(
      'The record is already in this state.',
    );
  });

  test('under a former ID is restored into the record that had it, though another has it now', async ({
    admin,
    staff,
  }) => {
    const changeId = (id: string, to: string) =>
      admin.call('PUT', `/api/students/${id}/id`, { body: { id: to } });
    await staff.post('/api/students', aStudent({ id: 'S1', first_name: 'Alice' }));
    const [entered] = await readEntries(staff, '/api/students/S1');
    await changeId('S1', 'S2');
    await staff.put('/api/students/S2', aStudent({ id: 'S2', first_name: 'Wrong' }));
    await staff.delete('/api/students/S2');
    await staff.post('/api/students', aStudent({ id: 'S1', first_name: 'Bob' }));
    expect((await preview(admin, entered?.id, 'after')).obstacle).toContain('about another student');
    await admin.post('/api/students/S2/restore');
    await changeId('S1', 'S3');
    expect((await restore(admin, entered?.id, 'after')).status).toBe(201);
    const names = async () =>
      Promise.all(
        ['S2', 'S3'].map(
          async (id) =>
            ((await staff.get(`/api/students/${id}/base`)).body as { student: { first_name: string } })
              .student.first_name,
        ),
      );
    expect(await names()).toEqual(['Alice', 'Bob']);
  });

  test('of a course is restored with its marks', async ({ admin, staff }) => {
    const course = aCourse();
    const url = `/api/courses/${course.course_id}`;
    const figures = async () => (await staff.get(url)).body;
    await staff.post('/api/courses', course);
    await staff.post('/api/courses-marks', { course_id: course.course_id, marks: '10,20,90' });
    const good = await figures();
    await staff.post('/api/courses-marks', { course_id: course.course_id, marks: '5' });
    const [uploaded, first] = await readEntries(staff, url);
    expect((await preview(admin, uploaded?.id, 'before')).changes).toContainEqual({
      ...{ field: 'marks_count', label: 'Marks', before: 1, after: 3 },
    });
    expect((await preview(admin, first?.id, 'after')).obstacle).toMatch(/^Of marks only those are kept/);
    expect((await restore(admin, uploaded?.id, 'before')).status).toBe(201);
    expect(await figures()).toEqual(good);
    await staff.put(url, { ...course, course_name: 'Other', credits: null });
    const [renamed] = await readEntries(staff, url);
    expect((await preview(admin, renamed?.id, 'before')).changes).toContainEqual({
      ...{ field: 'credits', label: 'Credit hours', before: null, after: 3 },
    });
    expect((await restore(admin, renamed?.id, 'before')).status).toBe(201);
    await staff.delete(url);
    const [gone] = await readEntries(admin, url);
    expect((await restore(admin, gone?.id, 'before')).status).toBe(201);
    expect(await figures()).toEqual(good);
    expect((await staff.get(`/api/courses/histogram/${course.course_id}`)).body).toContainEqual({
      bin: 90,
      count: 1,
    });
  });
});
