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
import { readPdf } from '../../../../tests/support/read-pdf.ts';
import { aFamily, aSemester } from '../../../../tests/support/records.ts';
import { cgpaReply, standingReply } from '../../../contract/grading/grading.ts';
import { historyReply } from '../../../contract/history.ts';
import { confirmPreview, differenceReply } from '../../../contract/marksheets/confirmation.ts';
import { type Sheet, sheetSavedReply } from '../../../contract/marksheets/sheets.ts';
import { setRole } from '../../accounts/users/admin-actions.ts';
import { transact } from '../../history/transaction.ts';
import { runChecks } from '../../verify/checks.ts';

interface Team {
  app: TestApp;
  admin: Person;
  staff: Person;
}

const getPath = ({ sheet_id }: Sheet) => `/api/sheets/${sheet_id}`;

async function recordFirstSemester(person: Person, id: string): Promise<void> {
  await person.post('/api/students/family', aFamily(id));
  const subject = { title: 'Physics', credits: 3, grade: 'A' } as const;
  const answer = await person.post('/api/students/academics', aSemester(id, 1, [subject]));
  expect(answer.status, answer.text).toBe(201);
}

/** A submitted sheet of semester 2, of which the last student has no semester 1 yet. */
async function aSheetWithBlockedRow(team: Team, marks: readonly number[]) {
  const own = await aClass(team, marks.length);
  for (const id of own.ids.slice(0, -1)) await recordFirstSemester(team.staff, id);
  const created = await createSheet(team.staff, own, { semester: 2 });
  const sheet = await fillSheet(team.staff, created, marks);
  await submitSheet(team.staff, sheet);
  return { own, sheet, late: own.ids.at(-1) ?? '' };
}

const previewRemaining = async (person: Person, sheet: Sheet) => {
  const answer = await person.get(`${getPath(sheet)}/remaining`);
  expect(answer.status, answer.text).toBe(200);
  return confirmPreview.parse(answer.body);
};

async function recordRemaining(person: Person, sheet: Sheet) {
  const { fingerprint } = await previewRemaining(person, sheet);
  return person.post(`${getPath(sheet)}/remaining`, { fingerprint });
}

const notify = (person: Person, own: ClassForSheet) =>
  person.post('/api/result-notifications', {
    ...{ term_id: own.term_id, department: 'CE', degree: own.degree, semester: 2 },
  });

const lettersOf = async (person: Person, id: string) =>
  cgpaReply
    .parse((await person.get(`/api/students/${id}/cgpa`)).body)
    .lines.map(({ semester, letter }) => [semester, letter]);
const standingOf = async (person: Person, id: string) =>
  standingReply.parse((await person.get(`/api/students/${id}/standing`)).body);

async function checkLines({ app }: Team): Promise<string[]> {
  const lines: string[] = [];
  await runChecks(app.db.read, (line) => lines.push(line));
  return lines.filter((line) => line.startsWith('Mark sheets') || line.startsWith('Grade point'));
}
const IN_ORDER = ['Grade point averages: in order', 'Mark sheets: in order'];

describe.each(sharedApps())('rows that a confirmation leaves, on $name', ({ test }) => {
  test('are named, marked, and recorded when they have their place', async ({ app, admin, staff }) => {
    const { own, sheet, late } = await aSheetWithBlockedRow({ app, admin, staff }, [88, 71, 64]);
    const path = `${getPath(sheet)}/confirm`;
    const { fingerprint, blocked } = confirmPreview.parse((await admin.get(path)).body);
    const reason = 'Semester 1 is not recorded yet.';
    expect(blocked).toEqual([{ student_id: late, reason }]);
    for (const leave of [undefined, null, [], [own.ids[0]]]) {
      expect(await admin.post(path, { fingerprint, leave })).toMatchObject({
        status: 409,
        body: { message: `The mark sheet can’t be confirmed: rows are blocked. ${late}: ${reason}` },
      });
    }
    const tooMany = await admin.post(path, { fingerprint, leave: [late, own.ids[0]] });
    expect(getFieldErrors(tooMany)).toEqual({
      leave: [`The leave names rows that are not blocked: ${own.ids[0]}.`],
    });
    expect(getFieldErrors(await admin.post(path, { fingerprint, leave: late }))).toHaveProperty('leave');
    expect(sheet.rows.map(({ recorded }) => recorded)).toEqual([null, null, null]);

    const confirmed = await confirmSheet(admin, sheet, [late]);
    const state = ({ rows }: Sheet) => rows.map((row) => [row.letter, row.recorded, row.blocked]);
    expect(state(confirmed)).toEqual([
      ['A', true, null],
      ['C+', true, null],
      ['D+', false, reason],
    ]);
    expect(await lettersOf(staff, late)).toEqual([]);
    expect(await lettersOf(staff, own.ids[1] ?? '')).toContainEqual([2, 'C+']);
    expect(await checkLines({ app, admin, staff })).toEqual(IN_ORDER);
    const list = await app.app.inject({
      url: `${getPath(sheet)}/award-list.pdf`,
      headers: { authorization: `Bearer ${staff.token}` },
    });
    const text = (await readPdf(list.rawPayload)).pages.join(' ');
    expect(text).toMatch(/64 64\.00 D\+\* /);
    expect(text).toContain(`Not recorded * Not in the record of the student yet: ${late}.`);

    expect(await previewRemaining(staff, sheet)).toMatchObject({ writes: [], blocked });
    expect(await recordRemaining(admin, sheet)).toMatchObject({
      status: 409,
      body: { message: `No result can be recorded yet. ${late}: ${reason}` },
    });
    await recordFirstSemester(staff, late);
    const stale = await admin.post(`${getPath(sheet)}/remaining`, { fingerprint });
    const current = await previewRemaining(admin, sheet);
    expect(stale).toMatchObject({ status: 412, body: { current } });
    expect(current).toMatchObject({
      writes: [{ student_id: late, semester: 2, slot: 1, letter: 'D+', creates_semester: true }],
      blocked: [],
    });
    expect(state(await getSheet(staff, sheet.sheet_id))[2]).toEqual(['D+', false, null]);
    expect((await recordRemaining(staff, sheet)).status).toBe(403);
    const saved = await recordRemaining(admin, sheet);
    expect(saved.status, saved.text).toBe(200);
    const whole = sheetSavedReply.parse(saved.body).sheet;
    expect(state(whole)[2]).toEqual(['D+', true, null]);
    expect(whole).toMatchObject({ checksum: confirmed.checksum, version: confirmed.version + 1 });
    expect(saved.headers.etag).toBe(`"g${whole.version}"`);
    expect(await lettersOf(staff, late)).toContainEqual([2, 'D+']);
    expect((await standingOf(staff, late)).semesters.map(({ provisional }) => provisional)).toEqual([
      false,
      true,
    ]);
    expect(await recordRemaining(admin, sheet)).toMatchObject({
      status: 409,
      body: { message: 'All results of this mark sheet are recorded.' },
    });
    expect(await checkLines({ app, admin, staff })).toEqual(IN_ORDER);
    const { entries } = historyReply.parse((await admin.get(`${getPath(sheet)}/history`)).body);
    expect(entries.slice(0, 2)).toMatchObject([
      {
        changes: [
          { field: 'not_recorded', before: late, after: null },
          { field: 'results', after: 1 },
        ],
      },
      { changes: expect.arrayContaining([expect.objectContaining({ field: 'not_recorded', after: late })]) },
    ]);
  });

  test('are final at once where their class has been notified', async ({ app, admin, staff }) => {
    const { own, sheet, late } = await aSheetWithBlockedRow({ app, admin, staff }, [88, 71]);
    expect((await recordRemaining(admin, sheet)).body).toMatchObject({
      message: 'This mark sheet is not confirmed yet.',
    });
    await confirmSheet(admin, sheet, [late]);
    expect((await notify(admin, own)).status).toBe(201);
    await recordFirstSemester(staff, late);
    expect((await recordRemaining(admin, sheet)).status).toBe(200);
    expect((await standingOf(staff, late)).semesters).toMatchObject([
      { provisional: false },
      { provisional: false, standing: 'good' },
    ]);
    expect(await checkLines({ app, admin, staff })).toEqual(IN_ORDER);
  });

  test('are taken over by a rectification', async ({ app, admin, staff }) => {
    const { sheet, late } = await aSheetWithBlockedRow({ app, admin, staff }, [88, 71, 64]);
    await confirmSheet(admin, sheet, [late]);
    const why = { kind: 'totalling', reason: 'Question 4 was not added' };
    const draft = sheetSavedReply.parse((await staff.post(`${getPath(sheet)}/rectify`, why)).body).sheet;
    const [first] = draft.rows;
    const component_id = draft.categories[0]?.components[0]?.component_id;
    const cells = [{ student_id: first?.student_id, component_id, value: 76, was: 88 }];
    expect((await staff.put(`${getPath(draft)}/cells`, { cells })).status).toBe(200);
    const difference = async () =>
      differenceReply
        .parse((await staff.get(`${getPath(draft)}/difference`)).body)
        .map(({ student_id, letter_before, letter_after }) => [student_id, letter_before, letter_after]);
    expect(await difference()).toEqual([[first?.student_id, 'A', 'B']]);
    await submitSheet(staff, draft);
    const confirmed = await confirmSheet(admin, draft, [late]);
    expect(confirmed.rows.map(({ recorded }) => recorded)).toEqual([true, true, false]);
    await recordFirstSemester(staff, late);
    const text = `Mark sheet ${draft.sheet_id} rectifies this one. What is left is recorded from there.`;
    expect((await getSheet(staff, sheet.sheet_id)).rows[2]).toMatchObject({ recorded: false, blocked: text });
    expect(await previewRemaining(staff, sheet)).toMatchObject({
      ...{ writes: [], blocked: [{ student_id: late, reason: text }] },
    });
    expect((await recordRemaining(admin, sheet)).status).toBe(409);
    expect((await recordRemaining(admin, draft)).status).toBe(200);
    expect(await lettersOf(staff, late)).toContainEqual([2, 'D+']);
    expect(await checkLines({ app, admin, staff })).toEqual(IN_ORDER);
  });

  test('are written by a rectification that changes them or finds a place for them', async ({
    app,
    admin,
    staff,
  }) => {
    const { sheet, late } = await aSheetWithBlockedRow({ app, admin, staff }, [88, 64]);
    await confirmSheet(admin, sheet, [late]);
    const why = { kind: 'totalling', reason: 'Question 4 was not added' };
    const draft = sheetSavedReply.parse((await staff.post(`${getPath(sheet)}/rectify`, why)).body).sheet;
    await recordFirstSemester(staff, late);
    const written = confirmPreview.parse((await staff.get(`${getPath(draft)}/confirm`)).body);
    expect(written).toMatchObject({ writes: [{ student_id: late, letter: 'D+' }], blocked: [] });
    await submitSheet(staff, draft);
    // In the meantime the first sheet records it, so that there is nothing left to write.
    expect((await recordRemaining(admin, sheet)).status).toBe(200);
    const { writes } = confirmPreview.parse((await staff.get(`${getPath(draft)}/confirm`)).body);
    expect(writes).toEqual([]);
    await confirmSheet(admin, draft);
    expect(await lettersOf(staff, late)).toContainEqual([2, 'D+']);
    expect(await checkLines({ app, admin, staff })).toEqual(IN_ORDER);
  });

  test('are not recorded by the submitter where another administrator could', async ({
    app,
    admin,
    staff,
  }) => {
    const own = await aClass({ app, admin }, 1);
    const [late = ''] = own.ids;
    const sheet = await fillSheet(admin, await createSheet(admin, own, { semester: 2 }), [70]);
    await submitSheet(admin, sheet);
    const second = await app.register();
    await transact(app.db.write, (tx) => setRole(tx, admin.user, second.user.id, 'admin'));
    await confirmSheet(second, sheet, [late]);
    await recordFirstSemester(staff, late);
    expect(await recordRemaining(admin, sheet)).toMatchObject({
      status: 409,
      body: { message: 'You submitted this mark sheet, so another administrator has to confirm it.' },
    });
    expect((await recordRemaining(second, sheet)).status).toBe(200);
  });
});
