import { describe, expect } from 'vitest';
import { findings } from '../../../../../tests/support/app/findings.ts';
import { importRows } from '../../../../../tests/support/app/import-file.ts';
import {
  aClass,
  type ClassForSheet,
  confirmSheet,
  createSheet,
  fillSheet,
  submitSheet,
} from '../../../../../tests/support/app/mark-sheets.ts';
import { type Person, sharedApps, type TestApp } from '../../../../../tests/support/app/test-app.ts';
import { aFamily, aSemester, aStudent } from '../../../../../tests/support/records.ts';
import { documentsCreatedReply } from '../../../../contract/documents/documents.ts';
import { importUndoPreview } from '../../../../contract/imports.ts';
import { recordReply } from '../../../../contract/students/students.ts';

interface Office {
  app: TestApp;
  admin: Person;
  staff: Person;
}

/** A class of one student with a family. */
async function enterOne(office: Office): Promise<ClassForSheet & { id: string }> {
  const ofClass = await aClass(office, 1);
  const [id = ''] = ofClass.ids;
  expect((await office.staff.post('/api/students/family', aFamily(id))).status).toBe(201);
  return { ...ofClass, id };
}

/** A mark sheet of the class that is submitted by staff. */
async function submitOne({ staff }: Office, ofClass: ClassForSheet, title: string) {
  const sheet = await fillSheet(staff, await createSheet(staff, ofClass, { title }), [90]);
  await submitSheet(staff, sheet);
  return sheet;
}

const previewUndo = async (by: Person, importId: number) =>
  importUndoPreview.parse((await by.get(`/api/imports/${importId}/undo`)).body);

/** A semester that a confirmed sheet wrote to is changed with a reason only. */
const REASON = 'Ethics is taken beside the class';

async function undo(by: Person, importId: number, reason?: string) {
  const preview = await previewUndo(by, importId);
  const { fingerprint } = preview;
  return { preview, answer: await by.post(`/api/imports/${importId}/undo`, { fingerprint, reason }) };
}

/** The findings of the checks of the database on the results; the classes were made without a history. */
const resultFindings = async (app: TestApp) =>
  (await findings(app)).filter((line) => !line.endsWith('the history has no entry for its creation.'));

/** The titles of a semester by their slots. */
async function readTitles(by: Person, id: string, semester = 1) {
  const record = recordReply.parse((await by.get(`/api/students/${id}`)).body);
  const results = record?.academics[semester - 1];
  return results && [results.subject_1, results.subject_2, results.subject_3];
}

const aResult = (student_id: string, changes: object = {}) => ({
  ...{ student_id, semester: 1, title: 'Ethics', credits: 2, grade: 'B' },
  ...changes,
});

describe.each(sharedApps())('the undo of an import of results, on $name', ({ test }) => {
  test('takes its own subject from a semester beside that of a confirmed sheet', async ({
    app,
    admin,
    staff,
  }) => {
    const office = { app, admin, staff };
    const ofClass = await enterOne(office);
    const { id } = ofClass;
    await confirmSheet(admin, await submitOne(office, ofClass, 'Signals'));
    const { import_id } = await importRows(admin, 'results', [aResult(id)], {}, REASON);
    expect(await readTitles(staff, id)).toEqual(['Signals', 'Ethics', null]);
    const { preview, answer } = await undo(admin, import_id, REASON);
    expect(preview).toMatchObject({ undone: 1, kept: [], refused: null });
    expect(answer.status, answer.text).toBe(200);
    expect(await readTitles(staff, id)).toEqual(['Signals', null, null]);
    expect(await resultFindings(app)).toEqual([]);
  });

  test('leaves what was written beside its subjects since, in a semester that it created', async ({
    app,
    admin,
    staff,
  }) => {
    const office = { app, admin, staff };
    const ofClass = await enterOne(office);
    const { id } = ofClass;
    const { import_id } = await importRows(staff, 'results', [
      aResult(id),
      aResult(id, { title: 'Drawing' }),
    ]);
    await confirmSheet(admin, await submitOne(office, ofClass, 'Signals'));
    const { answer } = await undo(admin, import_id, REASON);
    expect(answer).toMatchObject({ status: 200, body: { undone: 2, kept: [] } });
    expect(await readTitles(staff, id)).toEqual([null, null, 'Signals']);
    expect(await resultFindings(app)).toEqual([]);
  });

  test('keeps all subjects of a semester of which one was changed since', async ({ app, admin, staff }) => {
    const office = { app, admin, staff };
    const { id } = await enterOne(office);
    const { import_id } = await importRows(staff, 'results', [
      aResult(id),
      aResult(id, { title: 'Drawing' }),
    ]);
    await importRows(staff, 'results', [aResult(id, { grade: 'A' })]);
    const { refused, kept } = await previewUndo(staff, import_id);
    expect(kept).toEqual(
      [1, 2].map((slot) => ({ key: `${id}/1/${slot}`, name: 'Ayesha Siddiqui', reason: 'Changed since.' })),
    );
    expect(refused).toBe('Every record of this import has been changed since, so nothing can go back.');
  });

  test('is refused where a submitted or confirmed sheet has one of its subjects, and names both', async ({
    app,
    admin,
    staff,
  }) => {
    const office = { app, admin, staff };
    const ofClass = await enterOne(office);
    const { id, course_id } = ofClass;
    const other = await enterOne(office);
    const { import_id } = await importRows(staff, 'results', [
      aResult(id, { title: 'Signals', course_id, credits: 3, grade: 'A' }),
      aResult(other.id),
    ]);
    const sheet = await submitOne(office, ofClass, 'Signals');
    const result = `Subject 1 of semester 1 of ${id} (Signals) is in mark sheet ${sheet.sheet_id} (Signals)`;
    expect((await undo(staff, import_id)).answer).toMatchObject({
      ...{ status: 409, body: { message: `${result}, which is submitted.` } },
    });
    await confirmSheet(admin, sheet);
    expect((await undo(staff, import_id)).answer).toMatchObject({
      ...{ status: 409, body: { message: `${result}, which is confirmed.` } },
    });
    expect(await readTitles(staff, other.id)).toEqual(['Ethics', null, null]);
  });

  test('is refused while an official paper shows its results, and names the serial', async ({
    admin,
    staff,
  }) => {
    expect((await admin.put('/api/institution', { name: 'College of Engineering' })).status).toBe(200);
    const enter = async () => {
      const { id } = aStudent();
      expect((await staff.post('/api/students', aStudent({ id, current_sem: 3 }))).status).toBe(201);
      expect((await staff.post('/api/students/family', aFamily(id))).status).toBe(201);
      const results = aSemester(id, 1, [{ title: 'Calculus', credits: 3, grade: 'A' }]);
      expect((await staff.post('/api/students/academics', results)).status).toBe(201);
      return id;
    };
    const issue = async (changes: object) => {
      const sent = { kind: 'transcript', official: true, purpose: 'Visa', to: 'Embassy', ...changes };
      const answer = await admin.post('/api/documents', sent);
      expect(answer.status, answer.text).toBe(201);
      return documentsCreatedReply.parse(answer.body).documents[0]?.serial;
    };
    const [id, other] = [await enter(), await enter()];
    await issue({ ids: [id] });
    const { import_id } = await importRows(staff, 'results', [
      aResult(id, { semester: 2 }),
      aResult(other, { semester: 2 }),
    ]);
    // Neither a paper from before the import nor one on earlier semesters shows what it wrote.
    await issue({ ids: [id], kind: 'result-card', semester: 1 });
    expect((await previewUndo(staff, import_id)).refused).toBe(null);

    const serial = await issue({ ids: [id] });
    const refused = `Semester 2 of ${id} is on document ${serial}, which was issued since. Revoke it first.`;
    expect((await undo(staff, import_id)).answer).toMatchObject({ status: 409, body: { message: refused } });
    expect(await readTitles(staff, other, 2)).toEqual(['Ethics', null, null]);

    const revoked = await admin.post(`/api/documents/${serial}/revoke`, { reason: 'Wrong results imported' });
    expect(revoked.status, revoked.text).toBe(200);
    expect((await undo(staff, import_id)).answer.status).toBe(200);
    expect(await readTitles(staff, id, 2)).toBe(undefined);
  });
});
