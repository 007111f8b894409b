import { sql } from 'kysely';
import { describe, expect } from 'vitest';
import { aClass, createSheet, fillSheet } from '../../../tests/support/app/mark-sheets.ts';
import {
  type Answer,
  freshApps,
  type Person,
  sharedApps,
  type TestApp,
} from '../../../tests/support/app/test-app.ts';
import { aFamily, aSemester, aStudent } from '../../../tests/support/records.ts';
import { historyReply } from '../../contract/history.ts';
import { verifyChain } from '../history/verify-chain.ts';

const readRows = (app: TestApp) => app.db.read.selectFrom('history').selectAll().orderBy('id').execute();

/** Makes a call and returns the history entries that it wrote. */
async function entriesWrittenBy(app: TestApp, act: () => Promise<Answer>) {
  const before = await readRows(app);
  const started = new Date().toISOString();
  const answer = await act();
  const after = await readRows(app);
  expect(after.slice(0, before.length)).toEqual(before);
  const rows = after.slice(before.length).map((row) => {
    expect(row.at >= started && row.at <= new Date().toISOString()).toBe(true);
    return {
      who: [row.user_id, row.user_name],
      what: `${row.action} ${row.entity} ${row.entity_id}`,
      before: JSON.parse(row.before ?? 'null') as unknown,
      after: JSON.parse(row.after ?? 'null') as unknown,
    };
  });
  return { answer, rows };
}

describe.each(freshApps())('the history, on $name', ({ name, test }) => {
  test('gets one entry per write, with user, action, before and after', async ({ app, admin, staff }) => {
    const who = [staff.user.id, staff.user.name];
    const get = async (url: string) => (await staff.get(url)).body;
    const expectEntry = async (act: () => Promise<Answer>, what: string, before: unknown, after: unknown) => {
      const { answer, rows } = await entriesWrittenBy(app, act);
      expect(answer.status, answer.text).toBeLessThan(300);
      expect(rows).toEqual([{ who, what, before, after }]);
    };
    const student = aStudent({ id: 'S1', current_sem: 1 });
    const stored = {
      ...{ ...student, fsc_marks: 0.85, matric_marks: expect.closeTo(987.5 / 1100, 10) as unknown },
      ...{ status: 'active', status_date: null, status_reason: null },
    };
    await expectEntry(() => staff.post('/api/students', student), 'create student S1', null, stored);
    const renamed = { ...student, first_name: 'Hina' };
    const storedRenamed = { ...stored, first_name: 'Hina' };
    await expectEntry(
      () => staff.put('/api/students/S1', renamed),
      'update student S1',
      stored,
      storedRenamed,
    );

    const family = aFamily('S1');
    await expectEntry(() => staff.post('/api/students/family', family), 'create family S1', null, family);
    const alone = { ...family, mother_name: null };
    await expectEntry(() => staff.put('/api/students/S1/family', alone), 'update family S1', family, alone);

    const semester = aSemester('S1', 1, [{ title: 'Statics', credits: 3, grade: 'B' }]);
    const graded = (subj_grade_1: number, gpa: number) =>
      expect.objectContaining({
        student_id: 'S1',
        semester: 1,
        subj_grade_1,
        sgpa: gpa,
        cgpa: gpa,
      }) as unknown;
    await expectEntry(
      () => staff.post('/api/students/academics', semester),
      'create semester S1',
      null,
      graded(3, 3),
    );
    const { academics } = (await get('/api/students/S1')) as { academics: [{ academic_id: number }] };
    await expectEntry(
      () =>
        staff.put(`/api/students/academics/${academics[0].academic_id}`, { ...semester, subj_grade_1: 'A' }),
      'update semester S1',
      graded(3, 3),
      graded(4, 4),
    );

    const whole = await get('/api/students/S1');
    await expectEntry(() => staff.delete('/api/students/S1'), 'delete student S1', whole, null);

    const course = { course_id: 7, course_code: 'ME-211', course_name: 'Statics', course_description: null };
    const named = expect.objectContaining(course) as unknown;
    await expectEntry(() => staff.post('/api/courses', course), 'create course 7', null, named);
    const marks = { course_id: 7, marks: '50, 60' };
    const marked = expect.objectContaining({ ...course, average: 55, marks_count: 2 }) as unknown;
    await expectEntry(() => staff.post('/api/courses-marks', marks), 'update marks 7', named, marked);
    const other = expect.objectContaining({ course_name: 'Dynamics', average: 55 }) as unknown;
    const rename = { ...course, course_name: 'Dynamics' };
    await expectEntry(() => staff.put('/api/courses/7', rename), 'update course 7', marked, other);
    await expectEntry(() => staff.delete('/api/courses/7'), 'delete course 7', other, null);

    const { user } = admin;
    const { rows } = await entriesWrittenBy(app, () => app.giveRole(admin, staff, 'viewer'));
    expect(rows).toEqual([
      {
        who: [user.id, user.name],
        what: `update user ${staff.user.id}`,
        before: staff.user,
        after: { ...staff.user, role: 'viewer' },
      },
    ]);
  });

  test('gets no entry for a save without changes, which succeeds and keeps the version', async ({
    app,
    staff,
  }) => {
    const student = aStudent({ id: 'S1', current_sem: 1, fsc_marks: 935.37 });
    const course = { course_id: 7, course_code: 'ME-211', course_name: 'Statics', course_description: null };
    const results = aSemester('S1', 1, [{ title: 'Statics', credits: 3, grade: 'B+' }]);
    const semester = { ...results, subject_4: 'Drawing' };
    await staff.post('/api/students', student);
    await staff.post('/api/students/family', aFamily('S1', { mother_name: null }));
    await staff.post('/api/students/academics', semester);
    await staff.post('/api/courses', course);
    const { academics } = (await staff.get('/api/students/S1')).body as {
      academics: { academic_id: number }[];
    };
    for (const [url, same, change] of [
      ['/api/students/S1', student, { reason: 'Moved' }],
      ['/api/students/S1/family', aFamily('S1', { mother_name: null }), { mother_name: 'Nadia' }],
      [`/api/students/academics/${academics[0]?.academic_id}`, semester, { subject_3: 'Surveying' }],
      ['/api/courses/7', course, { course_description: 'Forces at rest' }],
      [`/api/users/${staff.user.id}`, { ...staff.user, password: staff.password }, { name: 'Sana Khan' }],
    ] as const) {
      const changed = await staff.put(url, { ...same, ...change });
      const { answer: first, rows } = await entriesWrittenBy(app, () => staff.put(url, same));
      expect(rows, url).toHaveLength(1);
      expect(first.headers.etag, url).not.toBe(changed.headers.etag);
      const headers = { 'if-match': String(first.headers.etag) };
      const repeated = await entriesWrittenBy(app, () => staff.call('PUT', url, { body: same, headers }));
      expect(repeated.rows, url).toEqual([]);
      expect([repeated.answer.status, repeated.answer.headers.etag], url).toEqual([200, first.headers.etag]);
      expect(repeated.answer.body, url).toEqual(first.body);
      const stale = { 'if-match': String(changed.headers.etag) };
      expect((await staff.call('PUT', url, { body: same, headers: stale })).status, url).toBe(412);
    }
    expect(await verifyChain(app.db.read)).not.toHaveProperty('fault');
  });

  test('records a new account with itself as the user', async ({ app, admin: _ }) => {
    const before = (await readRows(app)).length;
    const { user } = await app.register();
    expect((await readRows(app)).slice(before)).toMatchObject([
      {
        user_id: user.id,
        action: 'create',
        entity: 'user',
        entity_id: String(user.id),
        after: JSON.stringify(user),
      },
    ]);
  });

  test('contains a deleted incomplete record', async ({ app, admin }) => {
    const student = aStudent();
    await admin.post('/api/students', student);
    const base = (await admin.get(`/api/students/${student.id}/base`)).body;
    const { rows } = await entriesWrittenBy(app, () => admin.delete(`/api/students/${student.id}`));
    expect(rows).toMatchObject([{ before: base, after: null }]);
  });

  test('gets no entry for a refused request', async ({ app, admin }) => {
    const { id } = aStudent();
    await admin.post('/api/students', aStudent({ id }));
    await admin.post('/api/students/family', aFamily(id));
    const stale = { headers: { 'if-match': '"s99"' } };
    const refused: (() => Promise<Answer>)[] = [
      () => admin.post('/api/students', aStudent({ id })),
      () => admin.post('/api/students', aStudent({ fsc_marks: 5 })),
      () => admin.put(`/api/students/${id}`, aStudent({ id: 'x' })),
      () => admin.call('PUT', `/api/students/${id}`, { body: aStudent({ id }), ...stale }),
      () => admin.call('DELETE', `/api/students/${id}`, stale),
      () => admin.delete('/api/students/nobody'),
      () => admin.post('/api/students/family', aFamily(id)),
      () => admin.post('/api/students/academics', aSemester(id, 2, [])),
      () =>
        admin.post('/api/students/academics', {
          student_id: id,
          semester: 1,
          subject_1: 'x',
          subject_1_id: 99,
        }),
      () => admin.post('/api/courses', { course_id: 0 }),
      () => admin.put(`/api/users/${admin.user.id}`, { ...admin.user, password: 'wrong one' }),
      () => admin.post('/api/login', { email: admin.user.email, password: 'wrong one' }),
    ];
    for (const act of refused) {
      const { answer, rows } = await entriesWrittenBy(app, act);
      expect(answer.status, String(act)).toBeGreaterThanOrEqual(400);
      expect(answer.status, String(act)).toBeLessThan(500);
      expect(rows).toEqual([]);
    }
  });

  test('is written in the transaction of the change', async ({ app, admin }) => {
    const { id } = aStudent();
    await admin.post('/api/students', aStudent({ id }));
    const before = (await admin.get(`/api/students/${id}/base`)).body;
    await app.db.write.schema.alterTable('history').renameTo('history_gone').execute();
    expect((await admin.post('/api/students', aStudent({ id: 'new' }))).status).toBe(500);
    expect((await admin.put(`/api/students/${id}`, aStudent({ id, first_name: 'X' }))).status).toBe(500);
    expect((await admin.post('/api/students/family', aFamily(id))).status).toBe(500);
    expect((await admin.delete(`/api/students/${id}`)).status).toBe(500);
    await app.db.write.schema.alterTable('history_gone').renameTo('history').execute();
    expect((await admin.get('/api/students/new/base')).status).toBe(404);
    expect((await admin.get(`/api/students/${id}/base`)).body).toEqual(before);
    expect((await admin.get(`/api/students/${id}`)).text).toBe('null');
  });

  test('is append-only, even for statements run on the database', async ({ app, admin: _ }) => {
    const before = await readRows(app);
    const { write } = app.db;
    await expect(write.updateTable('history').set({ user_name: 'Nobody' }).execute()).rejects.toThrow(
      'append-only',
    );
    await expect(write.deleteFrom('history').execute()).rejects.toThrow('append-only');
    const replace =
      name === 'sqlite'
        ? sql`insert or replace into history select * from history`
        : sql`insert into history select * from history on conflict (id) do update set user_name = 'Nobody'`;
    await expect(replace.execute(write)).rejects.toThrow('append-only');
    expect(await readRows(app)).toEqual(before);
  });
});

describe.each(sharedApps())('the history of a mark sheet, on $name', ({ test }) => {
  test('names the students and components of cells, for staff and administrators', async ({
    app,
    admin,
    staff,
    viewer,
  }) => {
    const sheet = await createSheet(staff, await aClass({ app, admin }, 1));
    await fillSheet(staff, sheet, [71.5]);
    const path = `/api/sheets/${sheet.sheet_id}/history`;
    const { entries } = historyReply.parse((await staff.get(path)).body);
    const label = `${sheet.rows[0]?.student_id} · Final`;
    expect(entries).toMatchObject([
      { action: 'update', entity: 'sheet', changes: [{ label, before: null, after: 71.5 }] },
      { action: 'create', entity: 'sheet', entity_id: String(sheet.sheet_id) },
    ]);
    expect((await admin.get(path)).status).toBe(200);
    expect((await viewer.get(path)).status).toBe(403);
    expect((await app.call('GET', path)).status).toBe(401);
  });

  test('is read by administrators alone once the sheet is deleted', async ({ app, admin, staff }) => {
    const sheet = await createSheet(staff, await aClass({ app, admin }, 1));
    expect((await staff.delete(`/api/sheets/${sheet.sheet_id}`)).status).toBe(200);
    const path = `/api/sheets/${sheet.sheet_id}/history`;
    expect((await staff.get(path)).status).toBe(404);
    expect(historyReply.parse((await admin.get(path)).body).entries.map(({ action }) => action)).toEqual([
      'delete',
      'create',
    ]);
    expect((await admin.get('/api/sheets/2147483647/history')).status).toBe(404);
  });
});

describe.each(freshApps())('a deleted student, on $name', ({ test }) => {
  const enter = async (person: Person, id: string) => {
    await person.post('/api/students', aStudent({ id, current_sem: 1 }));
    await person.post('/api/students/family', aFamily(id));
    await person.post(
      '/api/students/academics',
      aSemester(id, 1, [{ title: 'Statics', credits: 3, grade: 'B' }]),
    );
  };

  test('is missing from every reply, with family and results, and cannot be deleted twice', async ({
    app,
    admin,
  }) => {
    await enter(admin, 'S1');
    const answer = await admin.delete('/api/students/S1');
    expect(answer).toMatchObject({ status: 200, body: { message: expect.any(String) } });
    expect((await admin.delete('/api/students/S1')).status).toBe(404);
    expect((await admin.get('/api/students/S1')).status).toBe(404);
    expect((await admin.get('/api')).body).toEqual([]);
    for (const table of ['students', 'families', 'semesters', 'semester_subjects'] as const) {
      expect(await app.db.read.selectFrom(table).selectAll().execute(), table).toEqual([]);
    }
  });

  test('frees its id for a new record', async ({ admin }) => {
    await enter(admin, 'S1');
    await admin.delete('/api/students/S1');
    expect((await admin.post('/api/students', aStudent({ id: 'S1', first_name: 'Another' }))).status).toBe(
      201,
    );
    expect((await admin.get('/api/students/S1')).text).toBe('null');
    await admin.post('/api/students/family', aFamily('S1'));
    expect((await admin.get('/api/students/S1')).body).toMatchObject({ academics: [] });
  });
});
