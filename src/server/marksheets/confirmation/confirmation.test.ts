import { describe, expect } from 'vitest';
import {
  aClass,
  type ClassForSheet,
  confirmSheet,
  createSheet,
  fillSheet,
  getSheet,
  submitSheet,
} from '../../../../tests/support/app/mark-sheets.ts';
import {
  getFieldErrors,
  type Person,
  sharedApps,
  type TestApp,
} from '../../../../tests/support/app/test-app.ts';
import { holdTransaction, waitUntilBlocked } from '../../../../tests/support/database/open-transaction.ts';
import { aFamily, aSemester, aTerm } from '../../../../tests/support/records.ts';
import { courseListReply } from '../../../contract/courses.ts';
import { cgpaReply, standingReply } from '../../../contract/grading/grading.ts';
import { confirmPreview, differenceReply } from '../../../contract/marksheets/confirmation.ts';
import { type Sheet, sheetSavedReply } from '../../../contract/marksheets/sheets.ts';
import { academicCreatedReply } from '../../../contract/students/academics.ts';
import { recordReply } from '../../../contract/students/students.ts';
import { termSavedReply } from '../../../contract/terms.ts';
import { setRole } from '../../accounts/users/admin-actions.ts';
import { locked } from '../../db/dialect/locks.ts';
import { transact } from '../../history/transaction.ts';
import { runChecks } from '../../verify/checks.ts';
import { confirmSheet as confirmInTransaction } from './confirm.ts';

interface Team {
  app: TestApp;
  admin: Person;
  staff: Person;
}

const getPath = ({ sheet_id }: Sheet) => `/api/sheets/${sheet_id}`;

const preview = async (person: Person, sheet: Sheet) => {
  const answer = await person.get(`${getPath(sheet)}/confirm`);
  expect(answer.status, answer.text).toBe(200);
  return confirmPreview.parse(answer.body);
};

const confirmWith = (person: Person, sheet: Sheet, fingerprint: unknown) =>
  person.post(`${getPath(sheet)}/confirm`, { fingerprint });

/** A sheet of a class of its own with these totals. */
async function aSubmittedSheet(team: Team, marks: readonly (number | string)[], own?: ClassForSheet) {
  const ofClass = own ?? (await aClass(team, marks.length));
  const sheet = await fillSheet(team.staff, await createSheet(team.staff, ofClass), marks);
  await submitSheet(team.staff, sheet);
  return { own: ofClass, sheet };
}

const record = async (person: Person, id: string | undefined) =>
  recordReply.parse((await person.get(`/api/students/${id}`)).body);
const standing = async (person: Person, id: string | undefined) =>
  standingReply.parse((await person.get(`/api/students/${id}/standing`)).body);

async function recordSemester(
  person: Person,
  id: string | undefined,
  courseId: number,
  grade: string | null,
) {
  await person.post('/api/students/family', aFamily(id ?? ''));
  const subject = { title: 'Old title', credits: 4, grade: 'A', courseId } as const;
  const answer = await person.post('/api/students/academics', {
    ...aSemester(id ?? '', 1, [subject]),
    subj_grade_1: grade,
  });
  expect(answer.status, answer.text).toBe(201);
  return academicCreatedReply.parse(answer.body).academic;
}

describe.each(sharedApps())('confirming a mark sheet, on $name', ({ test }) => {
  test('writes semesters, averages, marks and a checksum, provisional until notified', async ({
    app,
    admin,
    staff,
  }) => {
    const { own, sheet } = await aSubmittedSheet({ app, admin, staff }, [88, 71, 45]);
    const { writes, blocked } = await preview(staff, sheet);
    expect(blocked).toEqual([]);
    expect(writes).toEqual(
      own.ids.map((student_id, i) => ({
        ...{ student_id, semester: 1, slot: 1, letter: ['A', 'C+', 'F'][i], creates_semester: true },
      })),
    );
    const confirmed = await confirmSheet(admin, sheet);
    expect(confirmed).toMatchObject({
      ...{ state: 'confirmed', confirmed_by: { id: admin.user.id }, notification: null },
      checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const explained = cgpaReply.parse((await staff.get(`/api/students/${own.ids[1]}/cgpa`)).body);
    expect(explained).toMatchObject({
      cgpa: 2.5,
      lines: [{ slot: 1, course_id: own.course_id, title: 'Signals', credits: 3, letter: 'C+' }],
    });
    const courses = courseListReply.parse((await staff.get('/api/courses')).body);
    const course = courses.find(({ course_id }) => course_id === own.course_id);
    expect(course).toMatchObject({ average: 68, marks_count: 3 });
    expect(await standing(staff, own.ids[2])).toMatchObject({
      standing: null,
      semesters: [{ semester: 1, sgpa: 0, standing: null, clause: null, provisional: true }],
    });
    const summary = await staff.get(
      `/api/reports/result-summary?department=CE&degree=${own.degree}&semester=1`,
    );
    expect(summary.body).toMatchObject({ entered: 0, provisional: 3, complete: 0 });

    const ofClass = { term_id: own.term_id, department: 'CE', degree: own.degree, semester: 1 };
    expect((await staff.post('/api/result-notifications', ofClass)).status).toBe(403);
    const notified = await admin.post('/api/result-notifications', ofClass);
    expect(notified).toMatchObject({ status: 201, body: { number: expect.any(Number) } });
    expect(await standing(staff, own.ids[2])).toMatchObject({
      standing: 'warning',
      semesters: [{ standing: 'warning', provisional: false }],
    });
    expect(
      (await staff.get(`/api/reports/result-summary?department=CE&degree=${own.degree}&semester=1`)).body,
    ).toMatchObject({ provisional: 0, complete: 3, passed_all: 2 });
    expect((await admin.post('/api/result-notifications', ofClass)).status).toBe(409);
    expect((await staff.get('/api/result-notifications')).body).toMatchObject([
      { degree: own.degree, students: 3, notified_by: { id: admin.user.id } },
    ]);
    const lines: string[] = [];
    await runChecks(app.db.read, (line) => lines.push(line));
    for (const check of ['Grade point averages', 'Statistics of courses', 'List of students', 'Counts']) {
      expect(lines).toContain(`${check}: in order`);
    }
  });

  test('needs an administrator, a submitted sheet, a fingerprint that holds, and happens once', async ({
    app,
    admin,
    staff,
    viewer,
  }) => {
    const own = await aClass({ app, admin }, 2);
    const draft = await fillSheet(staff, await createSheet(staff, own), [70, 65]);
    const early = await preview(viewer, draft);
    expect(early.writes).toHaveLength(2);
    expect((await confirmWith(admin, draft, early.fingerprint)).status).toBe(409);
    await submitSheet(staff, draft);
    expect((await confirmWith(staff, draft, early.fingerprint)).status).toBe(403);
    expect(getFieldErrors(await confirmWith(admin, draft, undefined))).toEqual({
      fingerprint: ['The fingerprint field is required.'],
    });
    const stale = await confirmWith(admin, draft, early.fingerprint);
    expect(stale).toMatchObject({ status: 412, body: { current: await preview(admin, draft) } });
    const { fingerprint } = await preview(admin, draft);
    const answers = await Promise.all([1, 2].map(() => confirmWith(admin, draft, fingerprint)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('is not for the submitter where another administrator could', async ({ app, admin }) => {
    const own = await aClass({ app, admin }, 1);
    const sheet = await fillSheet(admin, await createSheet(admin, own), [70]);
    await submitSheet(admin, sheet);
    const second = await app.register();
    await transact(app.db.write, (tx) => setRole(tx, admin.user, second.user.id, 'admin'));
    const { fingerprint } = await preview(admin, sheet);
    expect(await confirmWith(admin, sheet, fingerprint)).toMatchObject({
      status: 409,
      body: { message: 'You submitted this mark sheet, so another administrator has to confirm it.' },
    });
    expect((await confirmWith(second, sheet, fingerprint)).status).toBe(200);
  });

  test('fills a slot of the course, takes the same grade, and is blocked by another one', async ({
    app,
    admin,
    staff,
  }) => {
    const own = await aClass({ app, admin }, 3);
    const { course_id } = own;
    await recordSemester(staff, own.ids[0], course_id, null);
    await recordSemester(staff, own.ids[1], course_id, 'C+');
    const last = await recordSemester(staff, own.ids[2], course_id, 'A');
    const { sheet } = await aSubmittedSheet({ app, admin, staff }, [71, 71, 71], own);
    const { fingerprint, blocked } = await preview(admin, sheet);
    expect(blocked).toEqual([
      { student_id: own.ids[2], reason: 'Slot 1 of semester 1 has another grade for this course: A.' },
    ]);
    expect(await confirmWith(admin, sheet, fingerprint)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining(`${own.ids[2]}: Slot 1 of semester 1 has another grade`) },
    });
    expect((await staff.delete(`/api/students/academics/${last.academic_id}`)).status).toBe(200);
    expect((await confirmWith(admin, sheet, fingerprint)).status).toBe(412);
    await confirmSheet(admin, sheet);
    const explained = await Promise.all(
      own.ids.map(async (id) => cgpaReply.parse((await staff.get(`/api/students/${id}/cgpa`)).body).lines),
    );
    expect(
      explained.map((lines) => lines.map(({ title, credits, letter }) => [title, credits, letter])),
    ).toEqual([[['Old title', 4, 'C+']], [['Old title', 4, 'C+']], [['Signals', 3, 'C+']]]);
    const standings = await Promise.all(own.ids.map((id) => standing(staff, id)));
    expect(standings.map(({ semesters }) => semesters.map(({ provisional }) => provisional))).toEqual([
      [true],
      [true],
      [true],
    ]);
    const lines: string[] = [];
    await runChecks(app.db.read, (line) => lines.push(line));
    expect(lines).toContain('Mark sheets: in order');
  });

  test('records students without a grade where the row ends otherwise', async ({ app, admin, staff }) => {
    const own = await aClass({ app, admin }, 2);
    const sheet = await fillSheet(staff, await createSheet(staff, own), [71]);
    const row = `${getPath(sheet)}/rows/${own.ids[1]}`;
    expect((await staff.put(row, { status: 'incomplete', reason: 'Ill at the exam' })).status).toBe(200);
    await submitSheet(staff, sheet);
    await confirmSheet(admin, sheet);
    const { lines, cgpa } = cgpaReply.parse((await staff.get(`/api/students/${own.ids[1]}/cgpa`)).body);
    expect([lines.map(({ letter, reason }) => [letter, reason]), cgpa]).toEqual([[[null, 'no-grade']], null]);
  });

  test('keeps what it wrote from the edit form and from being deleted', async ({ app, admin, staff }) => {
    const { own, sheet } = await aSubmittedSheet({ app, admin, staff }, [71]);
    await confirmSheet(admin, sheet);
    const [id] = own.ids;
    await staff.post('/api/students/family', aFamily(id ?? ''));
    const found = await record(staff, id);
    const academic = found?.academics?.[0];
    const path = `/api/students/academics/${academic?.academic_id}`;
    const text = `Subject 1 was written by mark sheet ${sheet.sheet_id} (Signals). Only a rectification of that sheet changes it.`;
    expect(getFieldErrors(await staff.put(path, { ...academic, subj_grade_1: 4, subject_1: 'X' }))).toEqual({
      subject_1: [text],
      subj_grade_1: [text],
    });
    expect(await staff.delete(path)).toMatchObject({ status: 409, body: { message: text } });
    const other = { ...academic, subject_2: 'Drawing', subj_credit_2: 2, subj_grade_2: 4 };
    const edited = await admin.put(path, { ...other, reason: 'Taken beside the class' });
    expect(edited.status, edited.text).toBe(200);
  });

  test('keeps its totals beside marks that are uploaded by hand', async ({ app, admin, staff }) => {
    const { own, sheet } = await aSubmittedSheet({ app, admin, staff }, [70, 50]);
    const upload = (marks: string) => staff.post('/api/courses-marks', { course_id: own.course_id, marks });
    const statistics = async () => {
      const courses = courseListReply.parse((await staff.get('/api/courses')).body);
      const found = courses.find(({ course_id }) => course_id === own.course_id);
      return [found?.marks_count, found?.average];
    };
    expect((await upload('10\n20')).status).toBeLessThan(300);
    await confirmSheet(admin, sheet);
    expect(await statistics()).toEqual([4, 37.5]);
    expect((await upload('30')).status).toBeLessThan(300);
    expect(await statistics()).toEqual([3, 50]);
    expect((await admin.delete(`/api/courses/${own.course_id}`)).status).toBeLessThan(300);
    const { entries } = (await admin.get(`/api/history?entity=course&entity_id=${own.course_id}`)).body as {
      entries: { id: number }[];
    };
    expect((await admin.post(`/api/history/${entries[0]?.id}/restore?state=before`)).status).toBe(201);
    expect(await statistics()).toEqual([3, 50]);
    expect((await upload('40')).status).toBeLessThan(300);
    expect(await statistics()).toEqual([3, 53.33]);
  });

  test('is final once when its class is notified twice at the same moment', async ({ app, admin, staff }) => {
    const { own, sheet } = await aSubmittedSheet({ app, admin, staff }, [71]);
    await confirmSheet(admin, sheet);
    const ofClass = { term_id: own.term_id, department: 'CE', degree: own.degree, semester: 1 };
    const release = await holdTransaction(app.db.write, (tx) =>
      locked(tx, tx.selectFrom('sheets').select('sheet_id')).execute(),
    );
    const calls = [1, 2].map(() => admin.post('/api/result-notifications', ofClass));
    await waitUntilBlocked(app.db.read, calls.length);
    await release();
    const answers = await Promise.all(calls);
    expect(answers.map(({ status, text }) => [status, text]).toSorted()).toEqual([
      [201, expect.stringContaining('Results notified successfully')],
      [409, expect.stringContaining('The results of this class were notified before, as number')],
    ]);
  });

  test('keeps a semester provisional that another class writes to while the first one is notified', async ({
    app,
    admin,
    staff,
  }) => {
    const { own, sheet } = await aSubmittedSheet({ app, admin, staff }, [71]);
    await confirmSheet(admin, sheet);
    const other = await aClass({ app, admin }, 0);
    const second = await fillSheet(staff, await createSheet(staff, other, { ids: own.ids }), [88]);
    await submitSheet(staff, second);
    const { fingerprint } = await preview(admin, second);
    const release = await holdTransaction(app.db.write, (tx) =>
      confirmInTransaction(tx, admin.user, second.sheet_id, { fingerprint }),
    );
    const notifying = admin.post('/api/result-notifications', {
      ...{ term_id: own.term_id, department: 'CE', degree: own.degree, semester: 1 },
    });
    await waitUntilBlocked(app.db.read);
    await release();
    expect((await notifying).status).toBe(201);
    expect(await standing(staff, own.ids[0])).toMatchObject({ semesters: [{ provisional: true }] });
  });

  test('is refused while a sheet of the class is open when results are notified', async ({
    app,
    admin,
    staff,
  }) => {
    const { own, sheet } = await aSubmittedSheet({ app, admin, staff }, [70]);
    const ofClass = { term_id: own.term_id, department: 'CE', degree: own.degree, semester: 1 };
    expect(await admin.post('/api/result-notifications', ofClass)).toMatchObject({
      status: 409,
      body: { sheets: [{ sheet_id: sheet.sheet_id, title: 'Signals', state: 'submitted' }] },
    });
    expect((await admin.post('/api/result-notifications', { ...ofClass, semester: 2 })).status).toBe(409);
    expect(
      getFieldErrors(await admin.post('/api/result-notifications', { ...ofClass, term_id: 999_999 })),
    ).toHaveProperty('term_id');
  });
});

/** A rectification of a sheet with these marks in place of its own, by student. */
async function aRectification(person: Person, sheet: Sheet, marks: Readonly<Record<string, number>>) {
  const reason = 'Question 4 was not added';
  const answer = await person.post(`${getPath(sheet)}/rectify`, { kind: 'totalling', reason });
  expect(answer.status, answer.text).toBe(201);
  const draft = sheetSavedReply.parse(answer.body).sheet;
  const component_id = draft.categories[0]?.components[0]?.component_id;
  const cells = Object.entries(marks).map(([student_id, value]) => ({
    ...{ student_id, component_id, value },
    was: draft.rows.find((row) => row.student_id === student_id)?.total ?? null,
  }));
  const filled = await person.put(`${getPath(draft)}/cells`, { cells });
  expect(filled.status, filled.text).toBe(200);
  return getSheet(person, draft.sheet_id);
}

const lettersOf = async (person: Person, id: string) =>
  cgpaReply
    .parse((await person.get(`/api/students/${id}/cgpa`)).body)
    .lines.map(({ slot, letter }) => [slot, letter]);

describe.each(sharedApps())('rectifying a mark sheet, on $name', ({ test }) => {
  test('writes changed rows by the frozen boundaries, with a difference report', async ({
    app,
    admin,
    staff,
  }) => {
    const { own, sheet } = await aSubmittedSheet({ app, admin, staff }, [71, 64, 90]);
    const rectify = (of: Sheet, body: object) => staff.post(`${getPath(of)}/rectify`, body);
    const why = { kind: 'totalling', reason: 'Question 4 was not added' };
    expect((await rectify(sheet, why)).status).toBe(409);
    const confirmed = await confirmSheet(admin, sheet);
    expect(getFieldErrors(await rectify(confirmed, { kind: 'mood', reason: 'x' }))).toMatchObject({
      kind: [expect.any(String)],
      reason: [expect.any(String)],
    });
    const answer = await rectify(confirmed, why);
    expect(answer.status, answer.text).toBe(201);
    const draft = sheetSavedReply.parse(answer.body).sheet;
    expect(draft).toMatchObject({
      ...{
        state: 'draft',
        rectifies: sheet.sheet_id,
        rectify_kind: 'totalling',
        boundaries: confirmed.boundaries,
      },
      rows: confirmed.rows.map(({ student_id, total, letter }) => ({ student_id, total, letter })),
    });
    expect((await rectify(confirmed, why)).status).toBe(409);
    expect(
      (
        await staff.put(`${getPath(draft)}/boundaries`, {
          method: 'absolute',
          boundaries: [9, 8, 7, 6, 5, 4, 3],
        })
      ).status,
    ).toBe(409);
    expect((await staff.delete(`${getPath(draft)}/students/${own.ids[0]}`)).status).toBe(409);

    const component_id = draft.categories[0]?.components[0]?.component_id;
    const cells = [{ student_id: own.ids[1], component_id, value: 76, was: 64 }];
    expect((await staff.put(`${getPath(draft)}/cells`, { cells })).status).toBe(200);
    const expected = [
      {
        student_id: own.ids[1],
        ...{ total_before: 64, total_after: 76, letter_before: 'D+', letter_after: 'B' },
        ...{ sgpa_before: 1.5, sgpa_after: 3, cgpa_before: 1.5, cgpa_after: 3, later: [] },
      },
    ];
    const difference = async () => {
      const found = await staff.get(`${getPath(draft)}/difference`);
      expect(found.status, found.text).toBe(200);
      return differenceReply.parse(found.body);
    };
    expect(await difference()).toMatchObject(expected);
    expect((await preview(staff, draft)).writes).toEqual([
      { student_id: own.ids[1], semester: 1, slot: 1, letter: 'B', creates_semester: false },
    ]);
    await submitSheet(staff, draft);
    await confirmSheet(admin, draft);
    expect(await difference()).toMatchObject(expected);
    expect(cgpaReply.parse((await staff.get(`/api/students/${own.ids[1]}/cgpa`)).body).cgpa).toBe(3);
    const courses = courseListReply.parse((await staff.get('/api/courses')).body);
    expect(courses.find(({ course_id }) => course_id === own.course_id)).toMatchObject({
      ...{ marks_count: 3, average: 79 },
    });
    expect(await getSheet(staff, sheet.sheet_id)).toMatchObject({
      ...{ state: 'confirmed', rectified_by: draft.sheet_id, rows: confirmed.rows },
    });
    expect((await staff.get(`${getPath(sheet)}/difference`)).status).toBe(404);

    // The first sheet wrote this result, and its rectification left it.
    const [first = ''] = own.ids;
    const second = await aRectification(staff, draft, { [first]: 90 });
    await submitSheet(staff, second);
    await confirmSheet(admin, second);
    expect(await lettersOf(staff, first)).toEqual([[1, 'A']]);
  });

  test('replaces no result of another sheet', async ({ app, admin, staff }) => {
    const own = await aClass({ app, admin }, 2);
    const [absent = '', present = ''] = own.ids;
    const sheet = await createSheet(staff, own);
    const row = `${getPath(sheet)}/rows/${absent}`;
    expect((await staff.put(row, { status: 'incomplete', reason: 'Ill at the exam' })).status).toBe(200);
    const component_id = sheet.categories[0]?.components[0]?.component_id;
    const cells = [{ student_id: present, component_id, value: 71, was: null }];
    expect((await staff.put(`${getPath(sheet)}/cells`, { cells })).status).toBe(200);
    await submitSheet(staff, sheet);
    await confirmSheet(admin, sheet);
    const term = termSavedReply.parse((await admin.post('/api/terms', aTerm())).body).term;
    const later = { ...own, term_id: term.term_id };
    const makeUp = await fillSheet(staff, await createSheet(staff, later, { ids: [absent] }), [81]);
    await submitSheet(staff, makeUp);
    await confirmSheet(admin, makeUp);
    expect(await lettersOf(staff, absent)).toEqual([[1, 'B+']]);

    const draft = await aRectification(staff, sheet, { [present]: 76 });
    expect(await preview(staff, draft)).toMatchObject({
      writes: [{ student_id: present, slot: 1, letter: 'B' }],
      blocked: [],
    });
    const ofDraft = `${getPath(draft)}/rows/${absent}`;
    const endAs = async (status: string) => {
      const answer = await staff.put(ofDraft, { status, reason: 'Ill at the exam' });
      expect(answer.status, answer.text).toBe(200);
    };
    await endAs('withdrawn');
    expect((await preview(staff, draft)).blocked).toEqual([
      { student_id: absent, reason: 'Slot 1 of semester 1 has another grade for this course: B+.' },
    ]);
    await endAs('incomplete');
    await submitSheet(staff, draft);
    await confirmSheet(admin, draft);
    expect(await lettersOf(staff, absent)).toEqual([[1, 'B+']]);
    expect(await lettersOf(staff, present)).toEqual([[1, 'B']]);
  });

  test('is kept by a deleted student only where their own row changes', async ({ app, admin, staff }) => {
    const { own, sheet } = await aSubmittedSheet({ app, admin, staff }, [90, 71]);
    await confirmSheet(admin, sheet);
    const [deleted = '', present = ''] = own.ids;
    expect((await admin.delete(`/api/students/${deleted}`)).status).toBe(200);
    const draft = await aRectification(staff, sheet, { [present]: 76, [deleted]: 64 });
    const reason = 'The student is deleted.';
    const rowsBlocked = ({ rows }: Sheet) => rows.map(({ blocked }) => blocked);
    expect(await preview(staff, draft)).toMatchObject({
      writes: [{ student_id: present, letter: 'B' }],
      blocked: [{ student_id: deleted, reason }],
    });
    expect(rowsBlocked(draft)).toEqual([reason, null]);
    const component_id = draft.categories[0]?.components[0]?.component_id;
    const cells = [{ student_id: deleted, component_id, value: 90, was: 64 }];
    expect((await staff.put(`${getPath(draft)}/cells`, { cells })).status).toBe(200);
    expect(rowsBlocked(await getSheet(staff, draft.sheet_id))).toEqual([null, null]);
    await submitSheet(staff, draft);
    await confirmSheet(admin, draft);
    expect(await lettersOf(staff, present)).toEqual([[1, 'B']]);
  });

  test('resolves an incomplete row', async ({ app, admin, staff }) => {
    const own = await aClass({ app, admin }, 1);
    const created = await createSheet(staff, own);
    const [id] = own.ids;
    await staff.put(`${getPath(created)}/rows/${id}`, { status: 'incomplete', reason: 'Ill' });
    await submitSheet(staff, created);
    await confirmSheet(admin, created);
    const answer = await staff.post(`${getPath(created)}/rectify`, {
      ...{ kind: 'incomplete-resolved', reason: 'Sat the exam in January' },
    });
    const draft = sheetSavedReply.parse(answer.body).sheet;
    const row = `${getPath(draft)}/rows/${id}`;
    expect((await preview(staff, draft)).writes).toEqual([]);
    // The records show the reason from the sheet that wrote the slot.
    expect((await staff.put(row, { status: 'withdrawn', reason: 'Left' })).status).toBe(200);
    expect((await preview(staff, draft)).writes).toMatchObject([{ student_id: id, letter: null }]);
    await fillSheet(staff, draft, [81]);
    expect((await staff.put(row, { status: 'graded' })).status).toBe(200);
    await submitSheet(staff, draft);
    await confirmSheet(admin, draft);
    const { lines } = cgpaReply.parse((await staff.get(`/api/students/${id}/cgpa`)).body);
    expect(lines.map(({ slot, letter }) => [slot, letter])).toEqual([[1, 'B+']]);
  });
});
