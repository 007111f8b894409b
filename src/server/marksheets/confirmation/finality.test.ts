import { describe, expect } from 'vitest';
import {
  aClass,
  type ClassForSheet,
  confirmSheet,
  createSheet,
  fillSheet,
  submitSheet,
} from '../../../../tests/support/app/mark-sheets.ts';
import { type Person, sharedApps, type TestApp } from '../../../../tests/support/app/test-app.ts';
import { aFamily, aStudent } from '../../../../tests/support/records.ts';
import { standingReply } from '../../../contract/grading/grading.ts';
import { policyCreatedReply, policyPreview } from '../../../contract/grading/policies.ts';
import { type Sheet, sheetSavedReply } from '../../../contract/marksheets/sheets.ts';
import type { PolicyRules } from '../../../domain/grading/policy.ts';
import { runChecks } from '../../verify/checks.ts';

interface Team {
  app: TestApp;
  admin: Person;
  staff: Person;
}

const standing = async (person: Person, id = '') =>
  standingReply.parse((await person.get(`/api/students/${id}/standing`)).body);

/** A confirmed sheet of a class with these totals. */
async function confirmedSheet(
  { admin, staff }: Team,
  own: ClassForSheet,
  marks: readonly number[],
  changes: object = {},
) {
  const sheet = await fillSheet(staff, await createSheet(staff, own, changes), marks);
  await submitSheet(staff, sheet);
  return confirmSheet(admin, sheet);
}

async function notify(admin: Person, { term_id, degree }: ClassForSheet) {
  const answer = await admin.post('/api/result-notifications', {
    ...{ term_id, department: 'CE', degree, semester: 1 },
  });
  expect(answer.status, answer.text).toBe(201);
}

async function setPolicy(admin: Person, degree: string, rules: Partial<PolicyRules>) {
  const policy = { degrees: [degree], rules };
  const { fingerprint } = policyPreview.parse((await admin.post('/api/policies/preview', policy)).body);
  const answer = await admin.post('/api/policies', { name: 'Stricter', ...policy, fingerprint });
  expect(answer.status, answer.text).toBe(201);
  return policyCreatedReply.parse(answer.body).policy.policy_id;
}

/** Changes the total of a student by a confirmed rectification. */
async function rectify({ admin, staff }: Team, { sheet_id }: Sheet, id: string, was: number, value: number) {
  const opened = await staff.post(`/api/sheets/${sheet_id}/rectify`, {
    ...{ kind: 'totalling', reason: 'Question 4 was not added' },
  });
  const draft = sheetSavedReply.parse(opened.body).sheet;
  const component_id = draft.categories[0]?.components[0]?.component_id;
  const cells = [{ student_id: id, component_id, value, was }];
  expect((await staff.put(`/api/sheets/${draft.sheet_id}/cells`, { cells })).status).toBe(200);
  await submitSheet(staff, draft);
  await confirmSheet(admin, draft);
}

/** Whether the checks of the whole database find the mark sheets in order. */
async function expectInOrder({ db }: TestApp) {
  const lines: string[] = [];
  await runChecks(db.read, (line) => lines.push(line));
  expect(lines).toContain('Mark sheets: in order');
  expect(lines).toContain('List of students: in order');
}

describe.each(sharedApps())('a semester with results of mark sheets, on $name', ({ test }) => {
  test('waits for the class of each sheet, also where a course is repeated with another class', async ({
    app,
    admin,
    staff,
  }) => {
    const team = { app, admin, staff };
    const [own, other] = [await aClass(team, 2), await aClass(team, 1)];
    const [id = '', classmate = ''] = own.ids;
    const sheet = await confirmedSheet(team, own, [71, 88]);
    const { name: term_name } = await app.db.read
      .selectFrom('terms')
      .select('name')
      .where('term_id', '=', own.term_id)
      .executeTakeFirstOrThrow();
    expect((await standing(staff, id)).semesters).toMatchObject([
      {
        ...{ provisional: true, standing: null, clause: null },
        waiting_for: [
          {
            ...{ sheet_id: sheet.sheet_id, title: 'Signals', term_id: own.term_id, term_name },
            ...{ department: 'CE', degree: own.degree, semester: 1 },
          },
        ],
      },
    ]);
    await notify(admin, own);
    const notified = {
      ...{ provisional: false, standing: 'good', policy_id: 1, waiting_for: [] },
    };
    expect(await standing(staff, id)).toMatchObject({ standing: 'good', semesters: [notified] });

    // The student repeats a course with another class, which makes the notified semester provisional again.
    const ids = [...other.ids, id];
    const repeated = await confirmedSheet(team, other, [20, 20], { ids });
    expect(await standing(staff, id)).toMatchObject({
      standing: null,
      semesters: [
        {
          ...{ provisional: true, standing: null },
          waiting_for: [{ sheet_id: repeated.sheet_id, degree: other.degree, semester: 1 }],
        },
      ],
    });
    expect(await standing(staff, classmate)).toMatchObject({ semesters: [{ ...notified }] });
    await expectInOrder(app);
    await notify(admin, other);
    expect(await standing(staff, id)).toMatchObject({
      standing: 'warning',
      semesters: [{ provisional: false, standing: 'warning', waiting_for: [] }],
    });
    await expectInOrder(app);
  });

  test('has its standing where the student entered in it', async ({ app, admin, staff }) => {
    const team = { app, admin, staff };
    const own = await aClass(team, 0);
    const { id } = aStudent();
    await staff.post('/api/students', aStudent({ id, degree: own.degree, current_sem: 3 }));
    await staff.post('/api/students/family', aFamily(id));
    expect((await staff.post(`/api/students/${id}/entry-semester`, { semester: 3 })).status).toBe(201);
    await confirmedSheet(team, own, [71], { ids: [id] });
    await notify(admin, own);
    expect(await standing(staff, id)).toMatchObject({
      ...{ standing: 'good', policy_id: 1 },
      semesters: [{ semester: 3, provisional: false, standing: 'good', policy_id: 1 }],
    });
    await expectInOrder(app);
  });

  test('keeps the standing that was notified, and tells what it is today', async ({ app, admin, staff }) => {
    const team = { app, admin, staff };
    const own = await aClass(team, 2);
    const [id = '', untouched = ''] = own.ids;
    const sheet = await confirmedSheet(team, own, [72, 88]);
    await notify(admin, own);
    const policy_id = await setPolicy(admin, own.degree, { warning_sgpa: 3 });
    const now = { standing: 'warning', clause: 'SGPA 2.50 is below 3.00.', policy_id };
    expect(await standing(staff, id)).toMatchObject({
      ...{ policy_id: 1, standing: 'good', clause: null, now },
      semesters: [{ policy_id: 1, standing: 'good', clause: null, now, provisional: false }],
    });
    const same = await standing(staff, untouched);
    expect([same.standing, same.policy_id, same.now, same.semesters[0]?.now]).toEqual([
      'good',
      1,
      undefined,
      undefined,
    ]);
    const listed = (await staff.get(`/api/students?q=${id}`)).body;
    expect(listed).toMatchObject({ students: [{ id, standing: 'good' }] });

    await rectify(team, sheet, id, 72, 30);
    expect(await standing(staff, id)).toMatchObject({
      ...{ standing: 'good', policy_id: 1 },
      now: { standing: 'warning', clause: 'SGPA 0.00 is below 3.00; 1 F in this semester.', policy_id },
    });
    await expectInOrder(app);
  });

  test('has its standing notified with a sheet that is confirmed after its class', async ({
    app,
    admin,
    staff,
  }) => {
    const team = { app, admin, staff };
    const own = await aClass(team, 2);
    const [first = '', late = ''] = own.ids;
    await confirmedSheet(team, own, [72], { ids: [first] });
    await notify(admin, own);
    await confirmedSheet(team, own, [72], { ids: [late] });
    await setPolicy(admin, own.degree, { warning_sgpa: 3 });
    for (const id of own.ids) {
      expect(await standing(staff, id)).toMatchObject({
        semesters: [{ provisional: false, standing: 'good', policy_id: 1, now: { standing: 'warning' } }],
      });
    }
  });

  test('without a grade has its standing notified with the first one', async ({ app, admin, staff }) => {
    const team = { app, admin, staff };
    const own = await aClass(team, 1);
    const [id = ''] = own.ids;
    const sheet = await createSheet(staff, own);
    const row = `/api/sheets/${sheet.sheet_id}/rows/${id}`;
    expect((await staff.put(row, { status: 'incomplete', reason: 'Ill at the exam' })).status).toBe(200);
    await submitSheet(staff, sheet);
    const confirmed = await confirmSheet(admin, sheet);
    await notify(admin, own);
    expect(await standing(staff, id)).toMatchObject({
      standing: null,
      semesters: [{ provisional: false, ungraded: [{ slot: 1, status: 'incomplete' }] }],
    });
    const opened = await staff.post(`/api/sheets/${confirmed.sheet_id}/rectify`, {
      ...{ kind: 'incomplete-resolved', reason: 'The exam was taken' },
    });
    const draft = await fillSheet(staff, sheetSavedReply.parse(opened.body).sheet, [72]);
    const graded = { status: 'graded', reason: null };
    expect((await staff.put(`/api/sheets/${draft.sheet_id}/rows/${id}`, graded)).status).toBe(200);
    await submitSheet(staff, draft);
    await confirmSheet(admin, draft);
    await setPolicy(admin, own.degree, { warning_sgpa: 3 });
    expect(await standing(staff, id)).toMatchObject({
      semesters: [
        { standing: 'good', policy_id: 1, now: { standing: 'warning' }, ungraded: [], provisional: false },
      ],
    });
    await expectInOrder(app);
  });

  test('keeps what was notified when the student is deleted and restored, and gets another ID', async ({
    app,
    admin,
    staff,
  }) => {
    const team = { app, admin, staff };
    const own = await aClass(team, 2);
    const [id = '', other = ''] = own.ids;
    await staff.post('/api/students/family', aFamily(id));
    await confirmedSheet(team, own, [72, 72]);
    await notify(admin, own);
    await setPolicy(admin, own.degree, { warning_sgpa: 3 });
    const before = await standing(staff, id);
    expect(before).toMatchObject({ standing: 'good', now: { standing: 'warning' } });
    expect((await admin.delete(`/api/students/${id}`)).status).toBe(200);
    expect((await admin.post(`/api/students/${id}/restore`)).status).toBe(201);
    expect(await standing(staff, id)).toEqual(before);

    const moved = await admin.put(`/api/students/${other}/id`, { id: `${other}-B` });
    expect(moved.status, moved.text).toBe(200);
    expect(await standing(staff, `${other}-B`)).toMatchObject({
      standing: 'good',
      now: { standing: 'warning' },
    });
    await expectInOrder(app);
  });

  test('of a student who was deleted when it was notified is notified with the restore', async ({
    app,
    admin,
    staff,
  }) => {
    const team = { app, admin, staff };
    const own = await aClass(team, 2);
    const [id = ''] = own.ids;
    await staff.post('/api/students/family', aFamily(id));
    await confirmedSheet(team, own, [72, 60]);
    expect((await admin.delete(`/api/students/${id}`)).status).toBe(200);
    await notify(admin, own);
    expect((await admin.post(`/api/students/${id}/restore`)).status).toBe(201);
    await setPolicy(admin, own.degree, { warning_sgpa: 3 });
    expect(await standing(staff, id)).toMatchObject({ standing: 'good', now: { standing: 'warning' } });
    await expectInOrder(app);
  });
});
