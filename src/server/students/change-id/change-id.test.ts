import { describe, expect } from 'vitest';
import {
  aClass,
  confirmSheet,
  createSheet,
  fillSheet,
  getSheet,
  submitSheet,
} from '../../../../tests/support/app/mark-sheets.ts';
import { freshApps, getFieldErrors, type Person } from '../../../../tests/support/app/test-app.ts';
import { aCourse, aFamily, aSemester, aStudent } from '../../../../tests/support/records.ts';
import { historyReply } from '../../../contract/history.ts';
import { academicDeletedReply } from '../../../contract/students/academics.ts';
import { recordReply } from '../../../contract/students/students.ts';
import { runChecks } from '../../verify/checks.ts';

const change = (by: Person, id: string, to: unknown, ifMatch?: string) =>
  by.call('PUT', `/api/students/${id}/id`, {
    body: { id: to },
    headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
  });
const preview = (by: Person, id: string, to: unknown) =>
  by.post(`/api/students/${id}/change-id/preview`, { id: to });
const record = async (by: Person, id: string) =>
  recordReply.parse((await by.get(`/api/students/${id}`)).body);
const found = async (by: Person, q: string) =>
  (
    (await by.get(`/api/students?${new URLSearchParams({ q })}`)).body as { students: { id: string }[] }
  ).students.map(({ id }) => id);
const history = async (by: Person, id: string) =>
  historyReply.parse((await by.get(`/api/students/${id}/history`)).body).entries;

/** A student with family and two semesters, the first with a course of the catalogue. */
async function enter(by: Person, id: string, current_sem = 2) {
  const course = aCourse();
  await by.post('/api/courses', course);
  await by.post('/api/students', aStudent({ id, current_sem }));
  await by.post('/api/students/family', aFamily(id));
  const first = aSemester(id, 1, [{ title: 'Statics', credits: 3, grade: 'A' }]);
  await by.post('/api/students/academics', { ...first, subject_1_id: course.course_id });
  await by.post('/api/students/academics', aSemester(id, 2, [{ title: 'Dynamics', credits: 4, grade: 'D' }]));
}

const withId = (whole: Awaited<ReturnType<typeof record>>, id: string) =>
  whole && {
    ...whole,
    student: { ...whole.student, id },
    family: { ...whole.family, student_id: id },
    academics: whole.academics.map((academic) => ({ ...academic, student_id: id })),
  };

describe.each(freshApps())('changing a registration number, on $name', ({ test }) => {
  test('takes the whole record along, and every check of the database is in order', async ({
    app,
    admin,
    staff,
  }) => {
    await enter(staff, 'OLD-1');
    const before = await record(staff, 'OLD-1');
    expect((await preview(admin, 'OLD-1', 'NEW-1')).body).toEqual({
      ...{ semesters: 2, has_family: true, has_picture: false, entries: 4, former_ids: [] },
    });
    expect(await change(admin, 'OLD-1', 'NEW-1')).toMatchObject({
      status: 200,
      body: {
        message: 'The registration number was changed from OLD-1 to NEW-1.',
        student: { id: 'NEW-1' },
      },
    });
    expect(await record(staff, 'NEW-1')).toEqual(withId(before, 'NEW-1'));
    expect((await staff.get('/api')).body).toHaveLength(1);
    expect(await runChecks(app.db.read, () => {})).toEqual([]);
    expect((await staff.get('/api/students')).body).toMatchObject({ total: 1, students: [{ id: 'NEW-1' }] });
  });

  test('leaves the student findable by the old number, which leads to the new one', async ({
    admin,
    staff,
  }) => {
    await enter(staff, '409318');
    await change(admin, '409318', '500001');
    await change(admin, '500001', '600002');
    expect((await staff.get('/api/students?q=409318')).body).toMatchObject({
      students: [{ id: '600002', former_ids: ['409318', '500001'] }],
    });
    for (const q of ['409318', '4093', '318', '500001', '600002'])
      expect(await found(staff, q), q).toEqual(['600002']);
    expect(await history(staff, '409318')).toEqual(await history(staff, '600002'));
    for (const path of ['', '/base']) {
      expect(await staff.get(`/api/students/409318${path}`)).toMatchObject({
        status: 404,
        body: { message: 'The registration number 409318 was changed to 600002.', present_id: '600002' },
      });
    }
    expect((await staff.get('/api/students/unknown')).body).not.toHaveProperty('present_id');
    await staff.post('/api/students/academics', aSemester('600002', 3, []));
    const [, last] = (await record(staff, '600002'))?.academics ?? [];
    await staff.delete(`/api/students/academics/${last?.academic_id}`);
    expect(await found(staff, '409318')).toEqual(['600002']);
  });

  test('shows the history of both numbers, with the change in words', async ({ app, admin, staff }) => {
    await enter(staff, 'OLD-1');
    await change(admin, 'OLD-1', 'NEW-1');
    await staff.put('/api/students/NEW-1', aStudent({ id: 'NEW-1', current_sem: 2, first_name: 'Hina' }));
    for (const by of [staff, admin]) {
      const entries = await history(by, 'NEW-1');
      expect(entries.map(({ entity, action, entity_id }) => `${action} ${entity} ${entity_id}`)).toEqual([
        'update student NEW-1',
        'update student NEW-1',
        'create semester OLD-1',
        'create semester OLD-1',
        'create family OLD-1',
        'create student OLD-1',
      ]);
      expect(entries[1]?.changes).toEqual([
        { field: 'id', label: 'Registration number', before: 'OLD-1', after: 'NEW-1' },
      ]);
    }
    const [edited] = await history(admin, 'NEW-1');
    const entered = (await history(admin, 'NEW-1')).at(-1);
    const restored = await admin.post(`/api/history/${entered?.id}/restore?state=after`);
    expect(restored.status, restored.text).toBe(201);
    expect((await record(staff, 'NEW-1'))?.student.first_name).toBe('Ayesha');
    expect((await admin.post(`/api/history/${edited?.id}/restore?state=after`)).status).toBe(201);
    expect(await runChecks(app.db.read, () => {})).toEqual([]);
  });

  test('is refused where the number is taken, is another student’s former one, or is not a number', async ({
    admin,
    staff,
    viewer,
  }) => {
    await enter(staff, 'S1');
    await staff.post('/api/students', aStudent({ id: 'S2' }));
    await staff.post('/api/students', aStudent({ id: 'S3' }));
    await change(admin, 'S3', 'S4');
    for (const ask of [preview, change]) {
      expect((await ask(staff, 'S1', 'S5')).status).toBe(403);
      expect((await ask(viewer, 'S1', 'S5')).status).toBe(403);
      expect((await ask(admin, 'nobody', 'S5')).status).toBe(404);
      expect(getFieldErrors(await ask(admin, 'S1', 'S2'))).toEqual({
        id: ['The id has already been taken.'],
      });
      expect(getFieldErrors(await ask(admin, 'S1', 'S3'))).toEqual({
        id: ['The id belonged to student S4 before. Enter another one.'],
      });
      expect(getFieldErrors(await ask(admin, 'S1', 'S1'))).toHaveProperty('id');
      for (const wrong of ['', 'a b', 'create', 'x'.repeat(21), null, ['S9']])
        expect(getFieldErrors(await ask(admin, 'S1', wrong)), String(wrong)).toHaveProperty('id');
    }
    const { etag } = (await staff.get('/api/students/S1/base')).headers;
    await staff.put('/api/students/S1', aStudent({ id: 'S1', first_name: 'Hina' }));
    expect((await change(admin, 'S1', 'S5', String(etag))).status).toBe(412);
    expect((await record(staff, 'S1'))?.academics).toHaveLength(2);
  });

  test('keeps the old number from new and restored students while the student has a record', async ({
    app,
    admin,
    staff,
  }) => {
    await staff.post('/api/students', aStudent({ id: 'S1', first_name: 'Earlier' }));
    await staff.delete('/api/students/S1');
    await staff.post('/api/students', aStudent({ id: 'S1' }));
    await change(admin, 'S1', 'S2');
    expect(getFieldErrors(await staff.post('/api/students', aStudent({ id: 'S1' })))).toEqual({
      id: ['The id belonged to student S2 before. Enter another one.'],
    });
    expect(await admin.post('/api/students/S1/restore')).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('belonged to student S2 before') },
    });
    expect((await history(staff, 'S2')).map(({ name }) => name)).not.toContain('Earlier Siddiqui');
    await staff.delete('/api/students/S2');
    expect((await staff.post('/api/students', aStudent({ id: 'S1' }))).status).toBe(201);
    expect((await admin.post('/api/students/S2/restore')).status).toBe(201);
    expect(await found(staff, 'S1')).toEqual(['S1', 'S2']);
    await staff.delete('/api/students/S1');
    expect((await staff.post('/api/students/S1/restore')).status).toBe(201);
    await staff.delete('/api/students/S1');
    const { entries } = historyReply.parse(
      (await admin.get('/api/history?entity=student&entity_id=S1&action=delete')).body,
    );
    expect((await admin.post(`/api/history/${entries[0]?.id}/restore?state=before`)).status).toBe(201);
    expect(await found(staff, 'S1')).toEqual(['S1', 'S2']);
    expect(await runChecks(app.db.read, () => {})).toEqual([]);
  });

  test('can be taken back, and made again', async ({ app, admin, staff }) => {
    await enter(staff, 'S1');
    const before = await record(staff, 'S1');
    await change(admin, 'S1', 'S2');
    expect((await change(admin, 'S2', 'S1')).status).toBe(200);
    expect(await record(staff, 'S1')).toEqual(before);
    expect(await found(staff, 'S2')).toEqual(['S1']);
    expect(await history(staff, 'S1')).toHaveLength(7);
    expect((await change(admin, 'S1', 'S2')).status).toBe(200);
    expect((await staff.get('/api/students/S1')).body).toMatchObject({ present_id: 'S2' });
    expect(await runChecks(app.db.read, () => {})).toEqual([]);
  });

  test('never lets an edit based on the old number overwrite a later one', async ({ admin, staff }) => {
    await enter(staff, 'S1', 4);
    for (const semester of [3, 4]) await staff.post('/api/students/academics', aSemester('S1', semester, []));
    const last = (await record(staff, 'S1'))?.academics[3];
    const path = `/api/students/academics/${last?.academic_id}`;
    /** Saves what was begun now, after each of some saves of a colleague. */
    const beginEdit = async (id: string) => {
      const { etag } = (await staff.get(`/api/students/${id}`)).headers;
      const headers = { 'if-match': String(etag) };
      return async (id: string) => {
        for (const grade of ['A', 'B+', 'B', 'C+', 'C', 'D+', 'D', 'F'] as const) {
          expect((await staff.call('PUT', path, { body: aSemester(id, 4, []), headers })).status).toBe(412);
          const other = aSemester(id, 4, [{ title: 'Statics', credits: 3, grade }]);
          expect((await staff.put(path, other)).status).toBe(200);
        }
      };
    };
    const saveBegunBefore = await beginEdit('S1');
    await change(admin, 'S1', 'S2');
    await saveBegunBefore('S2');
    await staff.delete('/api/students/S2');
    await admin.post('/api/students/S2/restore');
    await saveBegunBefore('S2');
    const saveBegunAfter = await beginEdit('S2');
    const { entry } = academicDeletedReply.parse((await staff.delete(path)).body);
    expect((await staff.post(`/api/students/S2/academics/restore?entry=${entry}`)).status).toBe(201);
    await saveBegunAfter('S2');
  });

  test('of an incomplete record is possible, and a semester deleted before is restored after', async ({
    app,
    admin,
    staff,
  }) => {
    await staff.post('/api/students', aStudent({ id: 'S1' }));
    expect((await change(admin, 'S1', 'S2')).status).toBe(200);
    expect((await staff.get('/api/students/S2')).text).toBe('null');
    await enter(staff, 'T1');
    const last = (await record(staff, 'T1'))?.academics[1];
    const deleted = await staff.delete(`/api/students/academics/${last?.academic_id}`);
    const { entry } = academicDeletedReply.parse(deleted.body);
    await change(admin, 'T1', 'T2');
    expect((await admin.post(`/api/history/${entry}/restore?state=before`)).status).toBe(201);
    expect((await record(staff, 'T2'))?.academics[1]).toEqual({ ...last, student_id: 'T2' });
    expect(await runChecks(app.db.read, () => {})).toEqual([]);
  });

  test('gives a number to one of several concurrent calls', async ({ app, admin, staff }) => {
    for (const id of ['S1', 'S2', 'S3']) await staff.post('/api/students', aStudent({ id }));
    const answers = await Promise.all(['S1', 'S2', 'S3'].map((id) => change(admin, id, 'S9')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
    expect((await staff.get('/api')).body).toHaveLength(3);
    expect(await runChecks(app.db.read, () => {})).toEqual([]);
  });

  test('takes the rows of mark sheets along, and tells whoever has one open', async ({
    app,
    admin,
    staff,
  }) => {
    // The students of the class have no entry in the history, so other checks find faults.
    const reports = async () => {
      const lines: string[] = [];
      await runChecks(app.db.read, (line) => lines.push(line));
      return lines;
    };
    const own = await aClass({ app, admin }, 2);
    const [first = '', second = ''] = own.ids;
    const sheet = await fillSheet(staff, await createSheet(staff, own), [80, 60]);
    expect((await change(admin, first, 'zz-9')).status).toBe(200);
    const after = await getSheet(staff, sheet.sheet_id);
    expect(after.rows).toMatchObject([
      { student_id: second, total: 60 },
      { student_id: 'zz-9', total: 80, blocked: null },
    ]);
    expect(after.version).toBe(sheet.version + 1);
    const { entries } = historyReply.parse(
      (await admin.get(`/api/history?entity=sheet&entity_id=${sheet.sheet_id}`)).body,
    );
    expect(entries[0]?.changes).toEqual([
      { field: 'student_id', label: 'Registration number', before: first, after: 'zz-9' },
    ]);
    await submitSheet(staff, after);
    await confirmSheet(admin, after);
    // The checksum is of the number that the student had then.
    expect((await change(admin, 'zz-9', 'zz-8')).status).toBe(200);
    expect((await staff.get('/api/students/zz-8/cgpa')).body).toMatchObject({
      lines: [{ title: 'Signals' }],
    });
    expect(await reports()).toContain('Mark sheets: in order');
    expect((await change(admin, 'zz-8', 'zz-9')).status).toBe(200);
    await admin.delete(`/api/students/${second}`);
    expect(getFieldErrors(await preview(admin, 'zz-9', second))).toEqual({
      id: ['The id is also on the mark sheet Signals, with a row of its own.'],
    });
    expect((await change(admin, 'zz-9', second)).status).toBe(422);
    // The results of the sheet are as before, and provisional again.
    const restored = await admin.post(`/api/students/${second}/restore`);
    expect(restored.status, restored.text).toBe(201);
    expect(await reports()).toContain('Mark sheets: in order');
  });

  test('is not hidden by a change made directly in the database', async ({ app, admin, staff }) => {
    await staff.post('/api/students', aStudent({ id: 'S1' }));
    await staff.post('/api/students', aStudent({ id: 'S3' }));
    await change(admin, 'S1', 'S2');
    const faults = async () => {
      const lines: string[] = [];
      await runChecks(app.db.read, (line) => lines.push(line));
      return lines.filter((line) => line.startsWith('Students and their history: Student'));
    };
    await app.db.write.updateTable('student_former_ids').set({ student_id: 'S3' }).execute();
    expect(await faults()).toEqual([
      'Students and their history: Student S2: former registration numbers differ from the history.',
      'Students and their history: Student S3: former registration numbers differ from the history.',
    ]);
  });
});
