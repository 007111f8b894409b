import { describe, expect } from 'vitest';
import { findings } from '../../../../tests/support/app/findings.ts';
import { makePolicy } from '../../../../tests/support/app/grading-policies.ts';
import { prepareImport } from '../../../../tests/support/app/import-file.ts';
import {
  aClass,
  confirmSheet,
  createSheet,
  fillSheet,
  submitSheet,
} from '../../../../tests/support/app/mark-sheets.ts';
import {
  getFieldErrors,
  type Person,
  sharedApps,
  type TestApp,
} from '../../../../tests/support/app/test-app.ts';
import { aFamily, aSemester, aStudent, unique } from '../../../../tests/support/records.ts';
import { historyReply } from '../../../contract/history.ts';
import { importReply } from '../../../contract/imports.ts';
import { academicCreatedReply, resultRightsReply } from '../../../contract/students/academics.ts';
import { recordReply } from '../../../contract/students/students.ts';

const REASON = 'Seminar was left out of the sheet';
const SEMINAR = { subject_2: 'Seminar', subj_credit_2: 2, subj_grade_2: 4 };

async function semesters(person: Person, id: string) {
  const record = recordReply.parse((await person.get(`/api/students/${id}`)).body);
  return record?.academics ?? [];
}

const latestEntry = async (person: Person, id: string) => {
  const { entries } = historyReply.parse((await person.get(`/api/students/${id}/history`)).body);
  const [entry] = entries;
  if (entry === undefined) throw new Error('There is no entry.');
  return entry;
};

/** A student whose first semester has a result of a confirmed sheet. */
async function aFinalSemester({ app, admin, staff }: { app: TestApp; admin: Person; staff: Person }) {
  const own = await aClass({ app, admin }, 0);
  const { degree } = own;
  const { id } = aStudent();
  await staff.post('/api/students', aStudent({ id, degree, department: 'CE', syn: 'A', current_sem: 1 }));
  await staff.post('/api/students/family', aFamily(id));
  const sheet = await fillSheet(staff, await createSheet(staff, own), [71]);
  await submitSheet(staff, sheet);
  await confirmSheet(admin, sheet);
  const [academic] = await semesters(staff, id);
  const path = `/api/students/academics/${academic?.academic_id}`;
  const { sheet_id } = sheet;
  const text = `Semester 1 has results of mark sheet ${sheet_id}. An administrator changes it, with a reason.`;
  return { id, academic, path, text, sheet_id };
}

describe.each(sharedApps())('a semester that a confirmed sheet wrote to, on $name', ({ test }) => {
  test('is changed by an administrator only, with a reason that the history keeps', async ({
    app,
    admin,
    staff,
  }) => {
    const { id, academic, path, text, sheet_id } = await aFinalSemester({ app, admin, staff });
    const changed = { ...academic, ...SEMINAR };
    const forbidden = { status: 403, body: { message: text } };
    expect(await staff.put(path, changed)).toMatchObject(forbidden);
    expect(await staff.put(path, { ...changed, reason: REASON })).toMatchObject(forbidden);
    expect((await staff.put(path, academic)).status).toBe(200);
    expect(getFieldErrors(await admin.put(path, changed))).toEqual({
      reason: ['The reason field is required.'],
    });
    expect(getFieldErrors(await admin.put(path, { ...changed, reason: 'Left out' }))).toEqual({
      reason: ['The reason must be at least 10 characters.'],
    });
    expect(getFieldErrors(await admin.put(path, { ...changed, reason: 'x'.repeat(501) }))).toEqual({
      reason: ['The reason must be at most 500 characters.'],
    });
    expect(await semesters(staff, id)).toEqual([academic]);

    const saved = await admin.put(path, { ...changed, reason: REASON });
    expect(saved.status, saved.text).toBe(200);
    const after = academicCreatedReply.parse(saved.body).academic;
    expect(await latestEntry(staff, id)).toMatchObject({
      action: 'update',
      changes: expect.arrayContaining([
        { field: 'reason', label: 'Reason', before: null, after: REASON },
        expect.objectContaining({ field: 'subject_2', after: 'Seminar, 2 credit hours, grade A' }),
      ]),
    });
    expect(await staff.put(path, { ...after, subj_grade_2: 3 })).toMatchObject(forbidden);
    expect(await staff.put(path, academic)).toMatchObject(forbidden);
    const own = await admin.put(path, { ...after, subj_grade_1: 4, reason: REASON });
    expect(getFieldErrors(own)).toEqual({ subj_grade_1: [expect.stringContaining('Only a rectification')] });
    expect((await staff.delete(path)).status).toBe(409);
    expect((await admin.call('DELETE', path, { body: { reason: REASON } })).status).toBe(409);
    expect(resultRightsReply.parse((await staff.get(`/api/students/${id}/result-rights`)).body)).toEqual({
      ...{ degree: expect.any(String), sheets_only: false },
      slots: [{ semester: 1, slot: 1, sheet_id, title: 'Signals' }],
      unrecorded: [],
    });
    expect(await findings(app)).toEqual([]);
  });

  test('is restored from the history with a reason', async ({ app, admin, staff }) => {
    const { id, academic, path } = await aFinalSemester({ app, admin, staff });
    await admin.put(path, { ...academic, ...SEMINAR, reason: REASON });
    const { id: entry } = await latestEntry(staff, id);
    const restore = `/api/history/${entry}/restore?state=before`;
    expect((await staff.post(restore, { reason: REASON })).status).toBe(403);
    expect((await admin.get(restore)).body).toMatchObject({
      obstacle: null,
      needs_reason: expect.stringContaining('Semester 1 has results of mark sheet'),
    });
    expect(getFieldErrors(await admin.post(restore))).toEqual({ reason: ['The reason field is required.'] });
    expect((await admin.post(restore, { reason: 'It was not held after all' })).status).toBe(201);
    expect(await semesters(staff, id)).toEqual([academic]);
    expect((await latestEntry(staff, id)).changes).toContainEqual({
      ...{ field: 'reason', label: 'Reason', before: null, after: 'It was not held after all' },
    });
    // The reason of an earlier change is not one for restoring it.
    const again = `/api/history/${entry}/restore?state=after`;
    expect(getFieldErrors(await admin.post(again))).toHaveProperty('reason');
    expect(await findings(app)).toEqual([]);
  });

  test('is changed by an import of an administrator only, with a reason', async ({ app, admin, staff }) => {
    const { id, academic, text } = await aFinalSemester({ app, admin, staff });
    const rows = [{ student_id: id, semester: 1, title: 'Seminar', credits: 2, grade: 'A' }];
    const ofStaff = await prepareImport(staff, 'results', rows);
    expect(ofStaff.preview.counts).toMatchObject({ create: 1, refused: 0 });
    const apply = (person: Person, one: typeof ofStaff, reason?: string) =>
      person.post(`/api/imports/${one.id}/apply`, { fingerprint: one.preview.fingerprint, reason });
    const shown = async (importId: number) =>
      importReply.parse((await admin.get(`/api/imports/${importId}`)).body).needs_reason;
    expect(await shown(ofStaff.id)).toBe(text);
    expect(await apply(staff, ofStaff, REASON)).toMatchObject({ status: 403, body: { message: text } });
    expect(await semesters(staff, id)).toEqual([academic]);
    expect(getFieldErrors(await apply(admin, ofStaff))).toEqual({
      reason: ['The reason field is required.'],
    });
    expect((await apply(admin, ofStaff, REASON)).status).toBe(200);
    expect(await semesters(staff, id)).toMatchObject([{ subject_2: 'Seminar' }]);
    expect((await latestEntry(staff, id)).changes).toContainEqual({
      ...{ field: 'reason', label: 'Reason', before: null, after: REASON },
    });
    const same = await prepareImport(staff, 'results', [{ ...rows[0], title: 'Signals', grade: 'C+' }]);
    expect(await shown(same.id)).toBeNull();
    expect(await findings(app)).toEqual([]);
  });
});

describe.each(sharedApps())('a batch whose grades come from mark sheets, on $name', ({ test }) => {
  /** A student of such a batch with one semester, which was recorded before. */
  async function aRecord(admin: Person, staff: Person) {
    const degree = unique();
    const student = aStudent({ degree, current_sem: 3 });
    await staff.post('/api/students', student);
    await staff.post('/api/students/family', aFamily(student.id));
    const subjects = [{ title: 'Drawing', credits: 2, grade: 'B' }] as const;
    const created = await staff.post('/api/students/academics', aSemester(student.id, 1, subjects));
    const { academic } = academicCreatedReply.parse(created.body);
    await makePolicy(admin, { degrees: [degree], rules: { sheets_only: true } });
    const path = `/api/students/academics/${academic.academic_id}`;
    return { id: student.id, academic, path, text: `Grades of batch ${degree} come from mark sheets.` };
  }

  test('is entered by hand by an administrator, with a reason', async ({ app, admin, staff }) => {
    const { id, academic, path, text } = await aRecord(admin, staff);
    const forbidden = { status: 403, body: { message: text } };
    const second = aSemester(id, 2, [{ title: 'Statics', credits: 3, grade: 'A' }]);
    expect(await staff.post('/api/students/academics', second)).toMatchObject(forbidden);
    expect(await staff.put(path, { ...academic, subj_grade_1: 4 })).toMatchObject(forbidden);
    expect(await staff.put(path, { ...academic, subj_credit_1: 6 })).toMatchObject(forbidden);
    expect(await staff.delete(path)).toMatchObject(forbidden);
    expect((await staff.put(path, { ...academic, subject_2: 'Statics' })).status).toBe(200);
    expect(getFieldErrors(await admin.post('/api/students/academics', second))).toEqual({
      reason: ['The reason field is required.'],
    });
    const entered = await admin.post('/api/students/academics', { ...second, reason: REASON });
    expect(entered.status, entered.text).toBe(201);
    const { academic_id } = academicCreatedReply.parse(entered.body).academic;
    const removed = await admin.call('DELETE', `/api/students/academics/${academic_id}`, {
      body: { reason: REASON },
    });
    expect(removed.status, removed.text).toBe(200);
    const entry = await latestEntry(staff, id);
    expect(entry).toMatchObject({ action: 'delete', semester: 2 });
    expect(entry.changes).toContainEqual({ field: 'reason', label: 'Reason', before: null, after: REASON });
    const undo = `/api/students/${id}/academics/restore?entry=${entry.id}`;
    expect(getFieldErrors(await admin.post(undo))).toEqual({ reason: ['The reason field is required.'] });
    expect((await admin.post(undo, { reason: REASON })).status).toBe(201);
    expect((await admin.post(`/api/history/${entry.id}/restore?state=after`)).status).toBe(409);
    expect(await findings(app)).toEqual([]);
  });

  test('takes imports of results from an administrator, with a reason', async ({ app, admin, staff }) => {
    const { id, text } = await aRecord(admin, staff);
    const rows = [{ student_id: id, semester: 2, title: 'Statics', credits: 3, grade: 'A' }];
    const { id: importId, preview } = await prepareImport(staff, 'results', rows);
    const apply = (person: Person, body: object) =>
      person.post(`/api/imports/${importId}/apply`, { fingerprint: preview.fingerprint, ...body });
    expect(await apply(staff, {})).toMatchObject({ status: 403, body: { message: text } });
    expect(getFieldErrors(await apply(admin, {}))).toHaveProperty('reason');
    expect((await apply(admin, { reason: REASON })).status).toBe(200);
    const undo = `/api/imports/${importId}/undo`;
    const { fingerprint } = (await admin.get(undo)).body as { fingerprint: string };
    expect((await admin.get(undo)).body).toMatchObject({ refused: null, needs_reason: text });
    expect(await staff.post(undo, { fingerprint })).toMatchObject({ status: 403, body: { message: text } });
    expect(getFieldErrors(await admin.post(undo, { fingerprint, reason: 'Short' }))).toHaveProperty('reason');
    expect((await admin.post(undo, { fingerprint })).status).toBe(200);
    expect(await semesters(staff, id)).toMatchObject([{ semester: 1 }]);
    expect(await findings(app)).toEqual([]);
  });
});
