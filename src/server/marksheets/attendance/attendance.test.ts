import { describe, expect } from 'vitest';
import { makePolicy } from '../../../../tests/support/app/grading-policies.ts';
import {
  aClass,
  type ClassForSheet,
  confirmSheet,
  createSheet,
  fillSheet,
  getSheet,
  nameTeachers,
  submitSheet,
} from '../../../../tests/support/app/mark-sheets.ts';
import { addScheme, aRow, refusedFields } from '../../../../tests/support/app/schemes.ts';
import { type Person, sharedApps, type TestApp } from '../../../../tests/support/app/test-app.ts';
import { aCourse, unique } from '../../../../tests/support/records.ts';
import { readSheets } from '../../../../tests/support/workbook.ts';
import { historyReply } from '../../../contract/history.ts';
import { attendanceReply, shortageReply } from '../../../contract/marksheets/attendance.ts';
import { checksReply } from '../../../contract/marksheets/grading.ts';
import {
  type Sheet,
  sheetListReply,
  sheetRowSavedReply,
  sheetSavedReply,
} from '../../../contract/marksheets/sheets.ts';
import { incorrectSheets } from '../../verify/sheets.ts';

const counts = (attended: number, held: number) => ({ held, attended });
const getPath = ({ sheet_id }: Pick<Sheet, 'sheet_id'>) => `/api/sheets/${sheet_id}`;
const REASON = 'Ill for two weeks, certificate seen';

interface People {
  app: TestApp;
  admin: Person;
  staff: Person;
}

async function aSheet(
  { app, admin, staff }: People,
  students = 2,
): Promise<{ own: ClassForSheet; sheet: Sheet }> {
  const own = await aClass({ app, admin }, students);
  return { own, sheet: await createSheet(staff, own) };
}

async function store(by: Person, sheet: Pick<Sheet, 'sheet_id'>, rows: readonly object[]) {
  const answer = await by.put(`${getPath(sheet)}/attendance`, { rows });
  expect(answer.status, answer.text).toBe(200);
  return attendanceReply.parse(answer.body);
}

const condone = (by: Person, sheet: Pick<Sheet, 'sheet_id'>, id: string, reason: string | null) =>
  by.put(`${getPath(sheet)}/rows/${id}/condone`, { reason });

const refused = async (by: Person, sheet: Pick<Sheet, 'sheet_id'>, rows: readonly object[]) => {
  const answer = await by.put(`${getPath(sheet)}/attendance`, { rows });
  expect(answer.status, answer.text).toBe(422);
  return refusedFields(answer);
};

const attendanceOf = async (by: Person, sheet: Pick<Sheet, 'sheet_id'>, id: string) =>
  (await getSheet(by, sheet.sheet_id)).rows.find(({ student_id }) => student_id === id)?.attendance;

/** The students of these tests are made without a history, so only mark sheets are checked. */
async function findings({ db }: TestApp): Promise<string[]> {
  const faults: string[] = [];
  for await (const fault of incorrectSheets(db.read)) faults.push(fault);
  return faults;
}

describe.each(sharedApps())('the attendance of a mark sheet, on $name', ({ test }) => {
  test('is stored with its figures, as one change that can be sent again', async ({ app, admin, staff }) => {
    const { own, sheet } = await aSheet({ app, admin, staff });
    const [first = '', second = ''] = own.ids;
    expect(await attendanceOf(staff, sheet, first)).toBeNull();
    const sent = [
      { student_id: first, theory: counts(149, 199), lab: null, was: { theory: null, lab: null } },
      { student_id: second, theory: counts(40, 45), lab: counts(10, 15) },
    ];
    const stored = await store(staff, sheet, sent);
    expect(stored).toMatchObject({ version: 2, stored: 2, conflicts: [] });
    expect(stored.rows.map(({ attendance }) => attendance)).toEqual([
      {
        theory: { held: 199, attended: 149, percent: 74.87 },
        ...{ lab: null, percent: null, short: true, proposed: null, condoned: null },
      },
      {
        theory: { held: 45, attended: 40, percent: 88.89 },
        lab: { held: 15, attended: 10, percent: 66.67 },
        ...{ percent: 83.33, short: true, proposed: null, condoned: null },
      },
    ]);
    expect(await store(staff, sheet, sent)).toMatchObject({ version: 2, stored: 2, conflicts: [] });
    const { entries } = historyReply.parse((await staff.get(`${getPath(sheet)}/history`)).body);
    expect(entries).toHaveLength(2);
    expect(entries[0]?.changes).toEqual(
      [
        [`${first} · theory attendance`, '149 of 199 (74.87 %)'],
        [`${second} · theory attendance`, '40 of 45 (88.89 %)'],
        [`${second} · lab attendance`, '10 of 15 (66.67 %)'],
      ].map(([field, after]) => ({ field, label: field, before: null, after })),
    );
    expect(await findings(app)).toEqual([]);
  });

  test('is left and listed where somebody else has changed it', async ({ app, admin, staff }) => {
    const { own, sheet } = await aSheet({ app, admin, staff });
    const [first = '', second = ''] = own.ids;
    await store(staff, sheet, [{ student_id: first, theory: counts(30, 40) }]);
    const { stored, conflicts, rows } = await store(admin, sheet, [
      { student_id: first, theory: counts(31, 40), was: { theory: counts(29, 40), lab: null } },
      { student_id: second, theory: { percent: 80 } },
    ]);
    expect(stored).toBe(1);
    const is = { theory: { held: 40, attended: 30, percent: 75 }, lab: null };
    expect(conflicts).toEqual([{ student_id: first, is }]);
    expect(rows.map(({ attendance }) => attendance?.theory)).toEqual([
      is.theory,
      { held: null, attended: null, percent: 80 },
    ]);
    const changed = await store(admin, sheet, [
      { student_id: first, theory: null, lab: null, was: is },
      { student_id: second, theory: counts(8, 10), was: { theory: rows[1]?.attendance?.theory } },
    ]);
    expect(changed.conflicts).toEqual([]);
    expect(changed.rows.map(({ attendance }) => attendance?.theory ?? null)).toEqual([
      null,
      { held: 10, attended: 8, percent: 80 },
    ]);
    expect(await findings(app)).toEqual([]);
  });

  test('is judged and proposed an effect by the policy of the batch', async ({ app, admin, staff }) => {
    const { own, sheet } = await aSheet({ app, admin, staff }, 1);
    const [id = ''] = own.ids;
    await store(staff, sheet, [{ student_id: id, theory: counts(40, 45), lab: counts(10, 15) }]);
    const rules = { attendance_separate: false };
    await makePolicy(admin, { degrees: [own.degree], rules });
    expect(await attendanceOf(staff, sheet, id)).toMatchObject({
      percent: 83.33,
      short: false,
      proposed: null,
    });
    await makePolicy(admin, {
      degrees: [own.degree],
      rules: { ...rules, attendance_min: 83.34, attendance_effect: 'F' },
    });
    expect(await attendanceOf(staff, sheet, id)).toMatchObject({ short: true, proposed: 'barred' });
  });

  test('refuses what can’t be, by the row and its part, and stores nothing then', async ({
    app,
    admin,
    staff,
  }) => {
    const { own, sheet } = await aSheet({ app, admin, staff });
    const [first = '', second = ''] = own.ids;
    expect(
      await refused(staff, sheet, [
        { student_id: first, theory: counts(46, 45) },
        { student_id: second, theory: { ...counts(40, 45), percent: 88.9 }, lab: { held: 501, attended: 1 } },
      ]),
    ).toEqual({
      'rows.0.theory.attended': 'The attended must be at most the 45 that were held.',
      'rows.1.theory.percent': 'The percent must be 88.89, which 40 of 45 are.',
      'rows.1.lab.held': 'The held must be a whole number from 0 to 500.',
    });
    expect(
      await refused(staff, sheet, [
        { student_id: first, theory: { percent: 80 } },
        { student_id: first, theory: { percent: 81 } },
        { student_id: unique(), theory: { percent: 81 } },
      ]),
    ).toEqual({
      'rows.1.student_id': `The student ${first} is named twice.`,
      'rows.2.student_id': expect.stringContaining('is not on the class list.'),
    });
    expect(await refused(staff, sheet, [])).toEqual({ rows: 'The rows must name at least one student.' });
    const many = Array.from({ length: 2_001 }, () => ({ student_id: first, theory: { percent: 80 } }));
    expect(await refused(staff, sheet, many)).toEqual({ rows: 'The rows must be at most 2,000.' });
    expect(await attendanceOf(staff, sheet, first)).toBeNull();
  });

  test('has no lab where the scheme of studies has the course without one', async ({ app, admin, staff }) => {
    const { own, sheet } = await aSheet({ app, admin, staff }, 1);
    const [id = ''] = own.ids;
    expect(sheet.may_have_lab).toBe(true);
    await addScheme(admin, [own.degree], [aRow([own.course_id])]);
    expect(await refused(staff, sheet, [{ student_id: id, lab: counts(10, 15) }])).toEqual({
      'rows.0.lab': 'The lab must be left out: in the scheme of studies this course has no lab.',
    });
    expect((await getSheet(staff, sheet.sheet_id)).may_have_lab).toBe(false);
    await addScheme(admin, [own.degree], [aRow([own.course_id], { theory: 2, lab: 1 })]);
    await store(staff, sheet, [{ student_id: id, lab: counts(10, 15) }]);
  });

  test('has the lab of the row that the sheet is for, not of another one with the course', async ({
    app,
    admin,
    staff,
  }) => {
    const own = await aClass({ app, admin }, 1);
    const other = aCourse();
    expect((await admin.post('/api/courses', other)).status).toBe(201);
    await addScheme(
      admin,
      [own.degree],
      [
        aRow([own.course_id], { key: 'A' }),
        aRow([own.course_id, other.course_id], { key: 'B', theory: 2, lab: 1 }),
      ],
    );
    expect(await createSheet(staff, own)).toMatchObject({ scheme_row: 'A', may_have_lab: false });
  });

  test('is condoned by an administrator, until a figure changes', async ({ app, admin, staff }) => {
    const { own, sheet } = await aSheet({ app, admin, staff });
    const [first = '', second = ''] = own.ids;
    await store(staff, sheet, [
      { student_id: first, theory: counts(149, 199) },
      { student_id: second, theory: counts(150, 199) },
    ]);
    expect((await condone(staff, sheet, first, REASON)).status).toBe(403);
    expect(refusedFields(await condone(admin, sheet, first, 'Ill'))).toEqual({
      reason: 'The reason must be at least 10 characters.',
    });
    expect(await condone(admin, sheet, second, REASON)).toMatchObject({
      status: 409,
      body: { message: 'The attendance of this student is not short.' },
    });
    const answer = await condone(admin, sheet, first, REASON);
    expect(answer.status, answer.text).toBe(200);
    const { row, version } = sheetRowSavedReply.parse(answer.body);
    expect(row.attendance).toMatchObject({
      short: true,
      condoned: { by: { id: admin.user.id, name: admin.user.name }, reason: REASON },
    });
    const again = sheetRowSavedReply.parse((await condone(admin, sheet, first, REASON)).body);
    expect(again).toMatchObject({ version, row: { attendance: row.attendance } });
    expect((await admin.put(`${getPath(sheet)}/rows/${first}/condone`, {})).status).toBe(422);
    const stale = await admin.call('PUT', `${getPath(sheet)}/rows/${first}/condone`, {
      body: { reason: null },
      headers: { 'if-match': '"h1"' },
    });
    expect(stale.status).toBe(412);

    const was = { theory: counts(149, 199) };
    await store(staff, sheet, [{ student_id: first, theory: counts(148, 199), was }]);
    expect(await attendanceOf(staff, sheet, first)).toMatchObject({ short: true, condoned: null });
    await condone(admin, sheet, first, REASON);
    await condone(admin, sheet, first, null);
    expect(await attendanceOf(staff, sheet, first)).toMatchObject({ condoned: null });
    expect(await findings(app)).toEqual([]);
  });

  test('warns at submission of graded rows that are short and not condoned', async ({
    app,
    admin,
    staff,
  }) => {
    const { own, sheet } = await aSheet({ app, admin, staff }, 4);
    const [first = '', second = '', third = '', fourth = ''] = own.ids;
    await fillSheet(staff, sheet, [70, 71, 72, null]);
    await store(
      staff,
      sheet,
      own.ids.map((student_id) => ({ student_id, theory: counts(student_id === third ? 40 : 20, 40) })),
    );
    await condone(admin, sheet, second, REASON);
    const barred = await staff.put(`${getPath(sheet)}/rows/${fourth}`, { status: 'barred', reason: 'Short' });
    expect(barred.status, barred.text).toBe(200);
    const { refusals, warnings } = checksReply.parse((await staff.get(`${getPath(sheet)}/checks`)).body);
    expect(refusals).toEqual([]);
    expect(warnings.filter(({ rule }) => rule === 'attendance')).toEqual([
      { rule: 'attendance', text: '1 student short of attendance, not condoned.', student_ids: [first] },
    ]);
    expect(refusedFields(await staff.post(`${getPath(sheet)}/submit`, {}))).toHaveProperty(
      'reasons.attendance',
    );
  });

  test('gives a barred student an F without marks, in no statistics, and is part of what was confirmed', async ({
    app,
    admin,
    staff,
  }) => {
    const { own, sheet } = await aSheet({ app, admin, staff }, 3);
    const [, , third = ''] = own.ids;
    await fillSheet(staff, sheet, [80, 60]);
    await store(staff, sheet, [{ student_id: third, theory: counts(10, 40) }]);
    const { row } = sheetRowSavedReply.parse(
      (await staff.put(`${getPath(sheet)}/rows/${third}`, { status: 'barred', reason: 'Short' })).body,
    );
    expect(row).toMatchObject({ status: 'barred', letter: 'F', points: 0, total: null });
    expect((await getSheet(staff, sheet.sheet_id)).stats).toMatchObject({ n: 2, mean: 70 });
    await submitSheet(staff, sheet);
    const confirmed = await confirmSheet(admin, sheet);
    expect(confirmed.rows.at(-1)).toMatchObject({ letter: 'F', recorded: true });
    const marks = await staff.get(`/api/courses/${own.course_id}`);
    expect(marks.body).toMatchObject({ course: { marks_count: 2 } });
    expect(await findings(app)).toEqual([]);
    const rows = [{ student_id: third, theory: counts(11, 40), was: { theory: counts(10, 40) } }];
    expect((await staff.put(`${getPath(sheet)}/attendance`, { rows })).status).toBe(409);
    expect((await condone(admin, sheet, third, REASON)).status).toBe(409);

    await app.db.write
      .updateTable('sheet_rows')
      .set({ attendance: JSON.stringify({ theory: counts(30, 40), lab: null, condoned: null }) })
      .where('student_id', '=', third)
      .execute();
    expect(await findings(app)).toEqual([
      `Mark sheet ${sheet.sheet_id}, student ${third}: attendance differs from the history.`,
      `Mark sheet ${sheet.sheet_id}: has been changed since it was confirmed.`,
    ]);
    await app.db.write
      .updateTable('sheet_rows')
      .set({ attendance: JSON.stringify({ theory: counts(10, 40), lab: null, condoned: null }) })
      .where('student_id', '=', third)
      .execute();
  });

  test('goes with a rectification, which does not change it', async ({ app, admin, staff }) => {
    const { own, sheet } = await aSheet({ app, admin, staff }, 1);
    const [id = ''] = own.ids;
    await fillSheet(staff, sheet, [80]);
    await store(staff, sheet, [{ student_id: id, theory: counts(10, 40) }]);
    await submitSheet(staff, sheet);
    await confirmSheet(admin, sheet);
    const opened = await staff.post(`${getPath(sheet)}/rectify`, {
      kind: 'totalling',
      reason: 'A sum was wrong',
    });
    const { sheet: rectification } = sheetSavedReply.parse(opened.body);
    expect(rectification.rows[0]?.attendance).toMatchObject({ theory: { attended: 10 }, short: true });
    const rows = [{ student_id: id, theory: counts(11, 40), was: { theory: counts(10, 40) } }];
    expect((await staff.put(`${getPath(rectification)}/attendance`, { rows })).status).toBe(409);
    expect((await condone(admin, rectification, id, REASON)).status).toBe(409);
    const { warnings } = checksReply.parse((await staff.get(`${getPath(rectification)}/checks`)).body);
    expect(warnings.map(({ rule }) => rule)).not.toContain('attendance');
    expect(await findings(app)).toEqual([]);
  });

  test('comes back with a student who is put back, under another ID, and with a restored sheet', async ({
    app,
    admin,
    staff,
  }) => {
    const { own, sheet } = await aSheet({ app, admin, staff });
    const [first = '', second = ''] = own.ids;
    await store(staff, sheet, [
      { student_id: first, theory: counts(10, 40), lab: { percent: 80.5 } },
      { student_id: second, theory: counts(10, 40) },
    ]);
    await condone(admin, sheet, first, REASON);
    const before = await attendanceOf(staff, sheet, first);
    expect((await staff.delete(`${getPath(sheet)}/students/${first}`)).status).toBe(200);
    expect(await findings(app)).toEqual([]);
    expect((await staff.post(`${getPath(sheet)}/students`, { ids: [first] })).status).toBe(200);
    expect(await attendanceOf(staff, sheet, first)).toEqual(before);
    const other = unique();
    expect((await admin.put(`/api/students/${first}/id`, { id: other })).status).toBe(200);
    expect(await attendanceOf(staff, sheet, other)).toEqual(before);
    expect(await findings(app)).toEqual([]);

    expect((await staff.delete(getPath(sheet))).status).toBe(200);
    const { entries } = historyReply.parse(
      (await admin.get(`/api/history?entity=sheet&entity_id=${sheet.sheet_id}`)).body,
    );
    const restored = await admin.post(`/api/history/${entries[0]?.id}/restore?state=before`);
    expect(restored.status, restored.text).toBe(201);
    const sheets = await staff.get(`/api/sheets?course_id=${own.course_id}`);
    const [{ sheet_id } = sheet] = sheetListReply.parse(sheets.body);
    expect(await attendanceOf(staff, { sheet_id }, other)).toEqual(before);
    expect(await findings(app)).toEqual([]);
  });

  test('is entered by the teachers of the sheet, and condoned by none of them', async ({
    app,
    admin,
    staff,
    teacher,
  }) => {
    const { own, sheet } = await aSheet({ app, admin, staff }, 1);
    const [id = ''] = own.ids;
    const rows = [{ student_id: id, theory: counts(10, 40) }];
    const NO_SHEET = { status: 404, body: { message: 'There is no such mark sheet.' } };
    expect(await teacher.put(`${getPath(sheet)}/attendance`, { rows })).toMatchObject(NO_SHEET);
    await nameTeachers(staff, sheet, [teacher]);
    expect((await store(teacher, sheet, rows)).rows[0]).toMatchObject({
      blocked: null,
      attendance: { short: true },
    });
    expect(await condone(teacher, sheet, id, REASON)).toMatchObject({
      status: 404,
      body: { message: 'There is nothing at this address.' },
    });
    await submitSheet(teacher, await fillSheet(teacher, sheet, [70]));
    expect((await teacher.put(`${getPath(sheet)}/attendance`, { rows })).status).toBe(409);
  });

  test('is reported by term and class where it is short or condoned, also as a file', async ({
    app,
    admin,
    staff,
    viewer,
  }) => {
    const { own, sheet } = await aSheet({ app, admin, staff }, 3);
    const [first = '', second = '', third = ''] = own.ids;
    const query = `term_id=${own.term_id}&department=CE&degree=${own.degree}`;
    const read = async (asked: string) => {
      const answer = await viewer.get(`/api/reports/shortage?${asked}`);
      expect(answer.status, answer.text).toBe(200);
      return shortageReply.parse(answer.body);
    };
    expect(await read(query)).toEqual([]);
    await store(staff, sheet, [
      { student_id: first, theory: counts(29, 39), lab: counts(32, 43) },
      { student_id: second, theory: counts(30, 39), lab: counts(33, 43) },
      { student_id: third, theory: { percent: 74.99 } },
    ]);
    await condone(admin, sheet, third, REASON);
    const rows = await read(query);
    const { title, course_code, sheet_id } = sheet;
    expect(rows).toMatchObject([
      {
        ...{ student_id: first, title, course_code, sheet_id, short: true, condoned: null, percent: 74.39 },
        ...{ syn: 'A', status: 'graded' },
        theory: { held: 39, attended: 29, percent: 74.36 },
        needed: { theory: 30, lab: 33 },
      },
      {
        student_id: third,
        needed: { theory: null, lab: null },
        condoned: { reason: REASON },
      },
    ]);
    expect(await read(`term_id=${own.term_id}`)).toEqual(rows);
    expect(await read(`${query}&syn=A`)).toEqual(rows);
    expect(await read(`${query}&syn=B`)).toEqual([]);
    expect(await read('term_id=999999')).toEqual([]);
    expect(refusedFields(await viewer.get('/api/reports/shortage'))).toHaveProperty('term_id');
    const file = await viewer.get(`/api/reports/export.csv?report=shortage&${query}`);
    expect(file.status).toBe(200);
    expect(file.text).toContain(`${first},`);
    expect(file.text).toContain('29 of 39 (74.36 %),30');
    const { rawPayload } = await app.app.inject({
      url: `/api/reports/export.xlsx?report=shortage&${query}`,
      headers: { authorization: `Bearer ${viewer.token}` },
    });
    const [book] = readSheets(rawPayload);
    expect(book?.rows.map(([id]) => id)).toEqual(['CMS ID', first, third]);
    expect(book?.rows[1]).toEqual(expect.arrayContaining(['29 of 39 (74.36 %)', 30, 33, 74.39, 'Yes']));
    expect(book?.rows[2]).toEqual(expect.arrayContaining(['74.99 %', admin.user.name, REASON]));
    const without = query.replace(/term_id=\d+&/, '');
    expect((await viewer.get(`/api/reports/export.csv?report=shortage&${without}`)).status).toBe(422);
  });
});
