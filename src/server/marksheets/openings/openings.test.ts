import { describe, expect } from 'vitest';
import { callBeforeTransaction } from '../../../../tests/support/app/before-transaction.ts';
import { findings } from '../../../../tests/support/app/findings.ts';
import { createSheet, fillSheet, ONE_COMPONENT } from '../../../../tests/support/app/mark-sheets.ts';
import { addScheme, addStudent, aRow, refusedFields } from '../../../../tests/support/app/schemes.ts';
import { type Person, sharedApps } from '../../../../tests/support/app/test-app.ts';
import { aCourse, aStudent, aTerm, unique } from '../../../../tests/support/records.ts';
import {
  type OpeningPreview,
  openableClass,
  openingPreview,
  openingReply,
  openingUndo,
} from '../../../contract/marksheets/openings.ts';
import { registrationReply } from '../../../contract/marksheets/registrations.ts';
import { type Sheet, sheetListReply, sheetShowReply } from '../../../contract/marksheets/sheets.ts';
import { termReply, termSavedReply } from '../../../contract/terms.ts';
import type { Department } from '../../../domain/student.ts';

const REASON = 'Agreed with the batch adviser.';
const TWO_PARTS = [
  { name: 'Theory', weight: 75, best_of: null, components: [{ name: 'Final', max: 100 }] },
  { name: 'Lab', weight: 25, best_of: null, components: [{ name: 'Report', max: 20 }] },
];

async function addCourse(admin: Person): Promise<number> {
  const course = aCourse();
  expect((await admin.post('/api/courses', course)).status).toBe(201);
  return course.course_id;
}

async function addTerm(admin: Person, days: object = {}): Promise<number> {
  const added = await admin.post('/api/terms', { ...aTerm(), ...days });
  expect(added.status, added.text).toBe(201);
  return termSavedReply.parse(added.body).term.term_id;
}

const opening = (degree: string, changes: object = {}) => ({
  classes: [{ department: 'CE', degree, semester: 1, syn: [] }],
  choices: [],
  categories: ONE_COMPONENT,
  ...changes,
});

async function preview(admin: Person, termId: number, body: object): Promise<OpeningPreview> {
  const answer = await admin.post(`/api/terms/${termId}/openings/preview`, body);
  expect(answer.status, answer.text).toBe(200);
  return openingPreview.parse(answer.body);
}

async function open(admin: Person, termId: number, body: object) {
  const { fingerprint } = await preview(admin, termId, body);
  const answer = await admin.post(`/api/terms/${termId}/openings`, { ...body, fingerprint });
  expect(answer.status, answer.text).toBe(201);
  return openingReply.parse(Object(answer.body).opening);
}

const sheetsOf = async (by: Person, termId: number) =>
  sheetListReply.parse((await by.get(`/api/sheets?term_id=${termId}`)).body);

/** Active students of a class, in its semester. */
async function addClass(
  staff: Person,
  degree: string,
  count: number,
  { department = 'CE', current_sem = 1 }: { department?: Department; current_sem?: number } = {},
): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, i) => `${unique()}-${i}`);
  for (const id of ids) {
    const student = aStudent({ id, degree, department, syn: 'A', current_sem });
    const added = await staff.post('/api/students', student);
    expect(added.status, added.text).toBe(201);
  }
  return ids;
}

describe.each(sharedApps())('opening a term, on $name', ({ test }) => {
  // Example 16
  test('makes a sheet for each row, with those who take it and last days, as it was previewed', async ({
    app,
    admin,
    staff,
    viewer,
  }) => {
    const degree = unique();
    const one = await addCourse(admin);
    const second = await addCourse(admin);
    const third = await addCourse(admin);
    const choice = await addCourse(admin);
    const other = await addCourse(admin);
    const [passed, failed, fresh, ahead] = [
      await addStudent(staff, degree, [[[one, 'B+']]]),
      await addStudent(staff, degree, [[[one, 'F']]]),
      await addStudent(staff, degree),
      await addStudent(staff, degree, [[], []]),
    ];
    await addScheme(
      admin,
      [degree],
      [
        aRow([one], { key: 'A', title: 'Physics' }),
        aRow([second], { key: 'B', theory: 2, lab: 1 }),
        aRow([third], { key: 'C', theory: 0 }),
        aRow([choice, other], { key: 'D', title: 'Elective' }),
        aRow([other], { key: 'E', semester: 2, needs: [{ course_id: one, kind: 'before' }] }),
      ],
    );
    const term_id = await addTerm(admin);
    const body = opening(degree, { lab_categories: TWO_PARTS });
    for (const person of [staff, viewer])
      expect((await person.post(`/api/terms/${term_id}/openings/preview`, body)).status).toBe(403);
    const waived = await admin.post(`/api/students/${fresh}/exceptions`, {
      ...{ row: 'B', course_id: null, reason: REASON },
    });
    expect(waived.status, waived.text).toBe(201);
    const found = await preview(admin, term_id, body);
    expect(found.dates).toEqual({
      ...{ add_until: '2026-09-20', drop_until: '2026-09-27', withdraw_until: '2026-10-18' },
    });
    expect(found.totals).toEqual({ create: 2, keep: 0, skip: 2, students: 4 });
    expect(found.sheets).toMatchObject([
      {
        ...{ row: 'A', course_id: one, title: 'Physics', credits: 3, students: 2, other_semester: 1 },
        ...{ sheet_id: null, problem: null },
        options: [],
        left_out: [{ student_id: passed, reason: 'Passed with B+ in semester 1.' }],
      },
      { row: 'B', credits: 3, left_out: [{ student_id: fresh, reason: 'The row is waived.' }] },
      { row: 'C', problem: 'The row has no credit hours.', students: 0 },
      { row: 'D', course_id: null, title: 'Elective', problem: 'No course is chosen.' },
    ]);
    expect(found.sheets[3]?.options.map(({ course_id }) => course_id)).toEqual([choice, other]);
    const classes = await admin.get(`/api/terms/${term_id}/openings/classes`);
    expect(
      openableClass
        .array()
        .parse(classes.body)
        .filter((one) => one.degree === degree),
    ).toMatchObject([
      { department: 'CE', semester: 1, students: 3, scheme: { rows: 4 } },
      { department: 'CE', semester: 2, students: 1, scheme: { rows: 1 } },
    ]);
    expect(ahead).not.toBe(passed);
    const chosen = {
      ...body,
      choices: [{ department: 'CE', degree, row: 'd', course_ids: [choice, other] }],
    };
    expect((await preview(admin, term_id, chosen)).sheets.slice(3)).toMatchObject([
      { course_id: choice, students: 0, left_out: [], problem: null },
      { course_id: other, students: 0, left_out: [], problem: null },
    ]);

    const opened = await open(admin, term_id, body);
    expect(opened).toMatchObject({ sheets: 2, students: 4, undo: null, created_by: { id: admin.user.id } });
    expect(termReply.parse((await viewer.get(`/api/terms/${term_id}`)).body)).toMatchObject({
      ...found.dates,
      version: 2,
    });
    const sheets = await sheetsOf(staff, term_id);
    const physics = sheets.find(({ scheme_row }) => scheme_row === 'A');
    const { sheet } = sheetShowReply.parse((await staff.get(`/api/sheets/${physics?.sheet_id}`)).body);
    expect(sheet).toMatchObject({ title: 'Physics', version: 1, state: 'draft', semester: 1, credits: 3 });
    expect(sheet.rows.map(({ student_id }) => student_id).toSorted()).toEqual([failed, fresh].toSorted());
    expect(sheet.rows.find(({ student_id }) => student_id === failed)).toMatchObject({ attempt: 2 });
    const lab = sheets.find(({ scheme_row }) => scheme_row === 'B');
    const withLab = sheetShowReply.parse((await staff.get(`/api/sheets/${lab?.sheet_id}`)).body);
    expect(withLab.sheet.categories.map(({ name }) => name)).toEqual(['Theory', 'Lab']);
    const listed = registrationReply
      .array()
      .parse((await viewer.get(`/api/terms/${term_id}/registrations`)).body);
    expect(listed).toHaveLength(4);

    // Opening it again keeps what is there.
    const again = await preview(admin, term_id, body);
    expect(again.totals).toEqual({ create: 0, keep: 2, skip: 2, students: 0 });
    const nothing = await admin.post(`/api/terms/${term_id}/openings`, {
      ...{ ...body, fingerprint: again.fingerprint },
    });
    expect(refusedFields(nothing)).toEqual({ classes: 'The classes have no mark sheet to make.' });
    await open(admin, term_id, chosen);
    expect(await sheetsOf(staff, term_id)).toHaveLength(4);
    expect(openingReply.array().parse((await admin.get(`/api/terms/${term_id}/openings`)).body)).toHaveLength(
      2,
    );
    expect(await findings(app)).toEqual([]);
  });

  test('is undone as one, but for sheets that somebody has touched', async ({ app, admin, staff }) => {
    const degrees = Array.from({ length: 4 }, unique);
    const departments = ['CE', 'EE', 'ME', 'MTS'] as const;
    const rows = [];
    for (const semester of [2, 4, 6, 8])
      for (let i = 0; i < 6; i += 1) rows.push(aRow([await addCourse(admin)], { semester }));
    const classes = [];
    for (const department of departments) {
      for (const [i, degree] of degrees.entries()) {
        const semester = 2 * i + 2;
        await addClass(staff, degree, 2, { department, current_sem: semester });
        classes.push({ department, degree, semester });
      }
      await addScheme(admin, degrees, rows, department);
    }
    const term_id = await addTerm(admin);
    const body = opening('', { classes });
    const opened = await open(admin, term_id, body);
    expect(opened).toMatchObject({ sheets: 96, students: 192 });
    const [touched] = await sheetsOf(staff, term_id);
    const teachers = await staff.put(`/api/sheets/${touched?.sheet_id}/teachers`, { ids: [staff.user.id] });
    expect(teachers.status).toBe(200);
    const path = `/api/openings/${opened.opening_id}/undo`;
    expect((await staff.get(path)).status).toBe(403);
    const stale = await admin.post(path, { fingerprint: 'x' });
    expect(stale).toMatchObject({ status: 412, body: { current: { undone: 95 } } });
    expect(refusedFields(await admin.post(path, {}))).toEqual({
      fingerprint: 'The fingerprint field is required.',
    });
    const undo = openingUndo.parse((await admin.get(path)).body);
    expect(undo).toMatchObject({
      ...{ undone: 95, kept: [{ sheet_id: touched?.sheet_id, reason: 'It has been changed.' }] },
    });
    const done = await admin.post(path, { fingerprint: undo.fingerprint });
    expect(done, done.text).toMatchObject({ status: 200, body: { opening: { undo: { undone: 95 } } } });
    expect((await sheetsOf(staff, term_id)).map(({ sheet_id }) => sheet_id)).toEqual([touched?.sheet_id]);
    for (const answer of [await admin.get(path), await admin.post(path, { fingerprint: undo.fingerprint })])
      expect(answer.status).toBe(409);
    // The last days stay.
    expect((await staff.get(`/api/terms/${term_id}`)).body).toMatchObject({ add_until: '2026-09-20' });
    expect(await findings(app)).toEqual([]);
  });

  test('is done once by two at the same moment', async ({ app, admin, staff }) => {
    const degree = unique();
    await addClass(staff, degree, 3);
    await addScheme(admin, [degree], [aRow([await addCourse(admin)])]);
    const term_id = await addTerm(admin);
    const body = opening(degree);
    const { fingerprint } = await preview(admin, term_id, body);
    const path = `/api/terms/${term_id}/openings`;
    const answers = await Promise.all([1, 2].map(() => admin.post(path, { ...body, fingerprint })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 412]);
    expect(answers.find(({ status }) => status === 412)?.body).toMatchObject({
      current: { totals: { create: 0, keep: 1 } },
    });
    expect(await sheetsOf(staff, term_id)).toHaveLength(1);
    const key = { 'idempotency-key': unique() };
    const other = await addTerm(admin);
    const next = await preview(admin, other, body);
    const send = () =>
      admin.call('POST', `/api/terms/${other}/openings`, {
        ...{ body: { ...body, fingerprint: next.fingerprint }, headers: key },
      });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status, second.body]).toEqual([201, 201, first.body]);
    expect(await findings(app)).toEqual([]);
  });

  test('follows what has changed since it was asked for, but not marks that are entered meanwhile', async ({
    app,
    admin,
    staff,
  }) => {
    const degree = unique();
    const [id = ''] = await addClass(staff, degree, 3);
    const course_id = await addCourse(admin);
    await addScheme(admin, [degree], [aRow([course_id])]);
    const term_id = await addTerm(admin);
    const body = opening(degree);
    const post = (fingerprint: string) =>
      admin.post(`/api/terms/${term_id}/openings`, { ...body, fingerprint });
    const { fingerprint } = await preview(admin, term_id, body);
    callBeforeTransaction(app, async () => {
      const status = { status: 'graduated', date: '2026-07-01', reason: REASON };
      expect((await staff.put(`/api/students/${id}/status`, status)).status).toBe(200);
    });
    expect(await post(fingerprint)).toMatchObject({
      ...{ status: 412, body: { current: { totals: { create: 1, students: 2 } } } },
    });
    const elsewhere = unique();
    const ids = await addClass(staff, elsewhere, 1);
    const ofClass = { degree: elsewhere, ids, term_id, course_id: await addCourse(admin) };
    const other = await createSheet(staff, ofClass);
    const next = await preview(admin, term_id, body);
    callBeforeTransaction(app, async () => {
      await fillSheet(staff, other, [70]);
    });
    expect((await post(next.fingerprint)).status).toBe(201);
    expect(await findings(app)).toEqual([]);
  });

  test('leaves out who stands on a sheet of the course already', async ({ admin, staff }) => {
    const degree = unique();
    const [id = '', other] = await addClass(staff, degree, 2);
    const course_id = await addCourse(admin);
    await addScheme(admin, [degree], [aRow([course_id])]);
    const term_id = await addTerm(admin);
    const made = await staff.post('/api/sheets', {
      ...{ course_id, term_id, title: 'Repeaters', credits: 3, semester: 1, department: 'EE' },
      ...{ degree, ids: [id], categories: ONE_COMPONENT },
    });
    expect(made.status, made.text).toBe(201);
    const { sheet_id }: Sheet = Object(made.body).sheet;
    expect((await preview(admin, term_id, opening(degree))).sheets).toMatchObject([
      {
        ...{ students: 1, sheet_id: null },
        left_out: [{ student_id: id, reason: `On mark sheet ${sheet_id} of this course already.` }],
      },
    ]);
    const before = await preview(admin, term_id, opening(degree));
    const status = { status: 'graduated', date: '2026-07-01', reason: REASON };
    expect((await staff.put(`/api/students/${other}/status`, status)).status).toBe(200);
    const answer = await admin.post(`/api/terms/${term_id}/openings`, {
      ...{ ...opening(degree), fingerprint: before.fingerprint },
    });
    expect(answer.status, answer.text).toBe(412);
  });

  test('is refused on the field that is wrong', async ({ admin, staff }) => {
    const degree = unique();
    await addClass(staff, degree, 1);
    const [one, second] = [await addCourse(admin), await addCourse(admin)];
    await addScheme(admin, [degree], [aRow([one, second], { key: 'A' })]);
    const term_id = await addTerm(admin);
    const ofClass = { department: 'CE', degree };
    const chosen = (row: string, course_ids: number[]) => ({ choices: [{ ...ofClass, row, course_ids }] });
    const twice = { ...ofClass, semester: 1 };
    const unlike = [{ ...ONE_COMPONENT[0], weight: 90 }];
    for (const [changes, field] of [
      [{ classes: [twice, twice] }, 'classes.1'],
      [{ classes: [{ ...twice, degree: unique() }] }, 'classes.0'],
      [{ classes: [] }, 'classes'],
      [{ classes: Array.from({ length: 41 }, () => twice) }, 'classes'],
      [chosen('A', [one, 999_999]), 'choices.0.course_ids'],
      [chosen('B', [one]), 'choices.0.row'],
      [{ categories: unlike }, 'categories'],
      [{ lab_categories: unlike }, 'lab_categories'],
    ] as const) {
      const answer = await admin.post(`/api/terms/${term_id}/openings/preview`, opening(degree, changes));
      expect(Object.keys(refusedFields(answer)), answer.text).toEqual([field]);
    }
    expect((await admin.post('/api/terms/999999/openings/preview', opening(degree))).status).toBe(404);
    expect((await admin.get('/api/terms/999999/openings')).status).toBe(404);
    expect((await admin.get('/api/openings/999999/undo')).status).toBe(404);
    const missing = await admin.post(`/api/terms/${term_id}/openings`, opening(degree));
    expect(Object.keys(refusedFields(missing))).toEqual(['fingerprint']);
  });
});
