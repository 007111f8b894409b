import { describe, expect } from 'vitest';
import {
  aClass,
  aSheetFor,
  createSheet,
  fillSheet,
  getSheet,
  ONE_COMPONENT,
} from '../../../../tests/support/app/mark-sheets.ts';
import { getFieldErrors, type Person, sharedApps } from '../../../../tests/support/app/test-app.ts';
import { holdTransaction, waitUntilBlocked } from '../../../../tests/support/database/open-transaction.ts';
import { aFamily, aSemester, aStudent, aTerm, unique } from '../../../../tests/support/records.ts';
import { historyReply } from '../../../contract/history.ts';
import { studentsPreviewReply } from '../../../contract/marksheets/registrations.ts';
import type { Sheet } from '../../../contract/marksheets/sheets.ts';
import { termSavedReply } from '../../../contract/terms.ts';
import { lockTerm } from '../registration/last-days.ts';

const getPath = ({ sheet_id }: Sheet) => `/api/sheets/${sheet_id}`;

const addStudents = (person: Person, sheet: Sheet, ids: readonly (string | undefined)[]) =>
  person.post(`${getPath(sheet)}/students`, { ids });

const rowsOf = ({ rows }: Sheet) => rows.map(({ student_id, semester }) => [student_id, semester]);

describe.each(sharedApps())('the class list of a mark sheet, on $name', ({ test }) => {
  test('takes students who are named in their own current semester, and a class in its own', async ({
    app,
    admin,
    staff,
  }) => {
    const own = await aClass({ app, admin }, 2);
    const repeater = aStudent({ id: unique(), degree: unique(), current_sem: 3 });
    expect((await staff.post('/api/students', repeater)).status).toBe(201);
    const [first = '', second = ''] = own.ids;
    const sheet = await createSheet(staff, own, { ids: [first, repeater.id] });
    expect(Object.fromEntries(rowsOf(sheet))).toEqual({ [first]: 1, [repeater.id]: 3 });

    const { body } = await admin.post('/api/terms', aTerm());
    const later = { ...own, term_id: termSavedReply.parse(body).term.term_id };
    const ofClass = await createSheet(staff, later, { semester: 2 });
    expect(rowsOf(ofClass)).toEqual(own.ids.map((id) => [id, 2]));
    expect((await addStudents(staff, ofClass, [repeater.id])).status).toBe(200);
    expect(rowsOf(await getSheet(staff, ofClass.sheet_id))).toContainEqual([repeater.id, 3]);
    expect((await staff.delete(`${getPath(sheet)}/students/${second}`)).status).toBe(404);
  });

  test('has nobody who stands on another sheet of the course and term', async ({ app, admin, staff }) => {
    const own = await aClass({ app, admin }, 7);
    const [first, second] = own.ids;
    const sheet = await createSheet(staff, own, { ids: own.ids.slice(0, 6) });
    const named = `CMS ID: ${own.ids.slice(0, 5).join(', ')} and 1 more.`;
    const already = `on mark sheet ${sheet.sheet_id} of this course already.`;
    expect(getFieldErrors(await staff.post('/api/sheets', aSheetFor(own)))).toEqual({
      syn: [`6 students are ${already} ${named}`],
    });
    expect(getFieldErrors(await staff.post('/api/sheets', aSheetFor(own, { ids: [first] })))).toEqual({
      ids: [`1 student is ${already} CMS ID: ${first}.`],
    });
    const beside = await createSheet(staff, own, { ids: own.ids.slice(6) });
    expect(getFieldErrors(await addStudents(staff, beside, [second, first]))).toEqual({
      ids: [`2 students are ${already} CMS ID: ${first}, ${second}.`],
    });
    expect((await staff.delete(`${getPath(sheet)}/students/${first}`)).status).toBe(200);
    expect((await addStudents(staff, beside, [first])).status).toBe(200);
    expect(getFieldErrors(await addStudents(staff, sheet, [first]))).toHaveProperty('ids');

    const { body } = await admin.post('/api/terms', aTerm());
    const later = { ...own, term_id: termSavedReply.parse(body).term.term_id };
    expect((await createSheet(staff, later)).rows).toHaveLength(7);
  });

  test('has a student once who is put on two sheets at the same moment', async ({ app, admin, staff }) => {
    const own = await aClass({ app, admin }, 1);
    const release = await holdTransaction(app.db.write, (tx) => lockTerm(tx, own.term_id));
    const calls = [1, 2].map(() => staff.post('/api/sheets', aSheetFor(own)));
    await waitUntilBlocked(app.db.read, calls.length);
    await release();
    const answers = await Promise.all(calls);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422]);
  });

  test('is previewed with attempt, semester, and who stands on another sheet', async ({
    app,
    admin,
    staff,
    viewer,
  }) => {
    const own = await aClass({ app, admin }, 3);
    const [first = '', second = '', third = ''] = own.ids;
    const subject = { title: 'Signals', credits: 3, grade: 'F', courseId: own.course_id } as const;
    expect((await staff.post('/api/students/family', aFamily(second))).status).toBe(201);
    expect((await staff.post('/api/students/academics', aSemester(second, 1, [subject]))).status).toBe(201);
    const repeater = aStudent({ id: unique(), degree: unique(), current_sem: 2 });
    expect((await staff.post('/api/students', repeater)).status).toBe(201);
    const other = await createSheet(staff, own, { ids: [first] });
    const sheet = await createSheet(staff, own, { ids: [third] });
    const path = `${getPath(sheet)}/students/preview`;
    const text = `On mark sheet ${other.sheet_id} of this course already.`;
    const answer = await staff.post(path, { ids: [second, first, repeater.id] });
    expect(answer.status, answer.text).toBe(200);
    expect(studentsPreviewReply.parse(answer.body)).toEqual([
      { student_id: second, attempt: 2, before: 'F', semester: 1, checks: [], refused: null },
      {
        ...{ student_id: first, attempt: 1, before: null, semester: 1 },
        ...{ checks: [{ rule: 'twice', state: 'refused', text }], refused: text },
      },
      { student_id: repeater.id, attempt: 1, before: null, semester: 2, checks: [], refused: null },
    ]);
    expect(await getSheet(staff, sheet.sheet_id)).toEqual(sheet);
    expect(getFieldErrors(await staff.post(path, { ids: ['nobody-1'] }))).toEqual({
      ids: ['There is no student with ID nobody-1.'],
    });
    expect((await viewer.post(path, { ids: [second] })).status).toBe(403);
  });

  test('gives students who are put back their marks and their status', async ({ app, admin, staff }) => {
    const own = await aClass({ app, admin }, 2);
    const [first = '', second = ''] = own.ids;
    const sheet = await fillSheet(staff, await createSheet(staff, own), [81, 64]);
    const row = `${getPath(sheet)}/rows/${second}`;
    expect((await staff.put(row, { status: 'incomplete', reason: 'Ill', semester: 2 })).status).toBe(200);
    const before = await getSheet(staff, sheet.sheet_id);
    for (const id of own.ids)
      expect((await staff.delete(`${getPath(sheet)}/students/${id}`)).status).toBe(200);
    expect((await getSheet(staff, sheet.sheet_id)).rows).toEqual([]);
    const newId = unique();
    expect((await admin.put(`/api/students/${first}/id`, { id: newId })).status).toBe(200);
    expect((await addStudents(staff, sheet, [newId, second])).status).toBe(200);
    const { rows } = await getSheet(staff, sheet.sheet_id);
    expect(Object.fromEntries(rows.map((one) => [one.student_id, one]))).toEqual({
      [newId]: { ...before.rows[0], student_id: newId },
      [second]: before.rows[1],
    });
    const history = await admin.get(`/api/history?entity=sheet&entity_id=${sheet.sheet_id}`);
    expect(historyReply.parse(history.body).entries[0]?.changes).toContainEqual(
      expect.objectContaining({ label: `${newId} · Final`, before: null, after: 81 }),
    );
  });

  test('puts students back without marks that the set-up has no place for any more', async ({
    app,
    admin,
    staff,
  }) => {
    const own = await aClass({ app, admin }, 1);
    const [id = ''] = own.ids;
    const sheet = await fillSheet(staff, await createSheet(staff, own), [81]);
    expect((await staff.delete(`${getPath(sheet)}/students/${id}`)).status).toBe(200);
    const [category] = sheet.categories;
    const lower = [{ ...category, components: [{ ...category?.components[0], max: 50 }] }];
    const changed = await staff.put(getPath(sheet), { title: 'Signals', credits: 3, categories: lower });
    expect(changed.status, changed.text).toBe(200);
    expect((await addStudents(staff, sheet, [id])).status).toBe(200);
    expect((await getSheet(staff, sheet.sheet_id)).rows).toMatchObject([{ student_id: id, total: null }]);
  });

  test('gives nothing of a deleted student to another one with the same ID', async ({
    app,
    admin,
    staff,
  }) => {
    const own = await aClass({ app, admin }, 1);
    const [id = ''] = own.ids;
    const sheet = await fillSheet(staff, await createSheet(staff, own, { categories: ONE_COMPONENT }), [81]);
    expect((await staff.delete(`${getPath(sheet)}/students/${id}`)).status).toBe(200);
    expect((await staff.delete(`/api/students/${id}`)).status).toBe(200);
    const other = aStudent({ id, degree: own.degree, department: 'CE', current_sem: 1 });
    expect((await staff.post('/api/students', other)).status).toBe(201);
    expect((await addStudents(staff, sheet, [id])).status).toBe(200);
    expect((await getSheet(staff, sheet.sheet_id)).rows).toMatchObject([{ student_id: id, total: null }]);
  });
});
