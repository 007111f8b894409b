import { describe, expect } from 'vitest';
import { findings } from '../../../tests/support/app/findings.ts';
import { importRows, listRows, prepareImport } from '../../../tests/support/app/import-file.ts';
import {
  aClass,
  confirmSheet,
  createSheet,
  fillSheet,
  submitSheet,
} from '../../../tests/support/app/mark-sheets.ts';
import {
  getFieldErrors,
  type Person,
  sharedApps,
  type TestApp,
} from '../../../tests/support/app/test-app.ts';
import { aFamily, aStudent } from '../../../tests/support/records.ts';
import { deletionsReply, historyReply } from '../../contract/history.ts';
import { bulkPreview } from '../../contract/students/bulk.ts';

const RESERVED = 'This ID belongs to a deleted record with confirmed results. An administrator restores it.';

/** A student with a result of a confirmed sheet. */
async function aGraduate(
  { app, admin, staff }: { app: TestApp; admin: Person; staff: Person },
  { hasFamily = true } = {},
) {
  const own = await aClass({ app, admin }, 0);
  const { degree } = own;
  const student = aStudent({ degree, department: 'CE', syn: 'A', current_sem: 1 });
  const { id } = student;
  await staff.post('/api/students', student);
  if (hasFamily) await staff.post('/api/students/family', aFamily(id));
  const sheet = await fillSheet(staff, await createSheet(staff, own), [71]);
  await submitSheet(staff, sheet);
  await confirmSheet(admin, sheet);
  return { id, student, sheet, path: `/api/students/${id}` };
}

const deletions = async (person: Person) =>
  deletionsReply.parse((await person.get('/api/deletions')).body).deletions;

const lastEntry = async (admin: Person, id: string) =>
  historyReply.parse((await admin.get(`/api/students/${id}/history`)).body).entries[0]?.id;

describe.each(sharedApps())('a student with results of a confirmed sheet, on $name', ({ test }) => {
  test('is deleted by administrators only, alone or among others', async ({ app, admin, staff }) => {
    const { id, path, sheet } = await aGraduate({ app, admin, staff });
    const other = aStudent();
    await staff.post('/api/students', other);
    const refusal = (who: string) => ({
      status: 403,
      body: {
        message: `${who} has results of mark sheet ${sheet.sheet_id}. Only an administrator deletes the record.`,
      },
    });
    expect(await staff.delete(path)).toMatchObject(refusal('This student'));
    const change = { action: 'delete', ids: [other.id, id] };
    expect(await staff.post('/api/students/bulk/preview', change)).toMatchObject(refusal(`Student ${id}`));
    const { fingerprint } = bulkPreview.parse((await admin.post('/api/students/bulk/preview', change)).body);
    expect(await staff.post('/api/students/bulk', { ...change, fingerprint })).toMatchObject(
      refusal(`Student ${id}`),
    );
    expect((await staff.get(`/api/students/${other.id}/base`)).status).toBe(200);
    expect((await admin.delete(path)).status).toBe(200);
    expect((await admin.post(`${path}/restore`)).status).toBe(201);
    expect((await staff.get(`${path}/result-rights`)).body).toMatchObject({
      slots: [{ semester: 1, slot: 1, sheet_id: sheet.sheet_id }],
    });
    expect(await findings(app)).toEqual([]);
  });

  test('is restored with them, also where no family has been entered', async ({ app, admin, staff }) => {
    const { id, path } = await aGraduate({ app, admin, staff }, { hasFamily: false });
    const before = (await staff.get(`${path}/cgpa`)).body;
    expect(before).toMatchObject({ lines: [{ title: 'Signals', letter: 'C+' }] });
    expect((await admin.delete(path)).status).toBe(200);
    const restored = await admin.post(`${path}/restore`);
    expect(restored.status, restored.text).toBe(201);
    expect((await staff.get(`/api/students/${id}/cgpa`)).body).toEqual(before);
    expect(await findings(app)).toEqual([]);
  });

  test('keeps the ID after a deletion from everybody but administrators', async ({ app, admin, staff }) => {
    const { id, student, path, sheet } = await aGraduate({ app, admin, staff });
    await admin.delete(path);
    const again = { ...student, first_name: 'Another' };
    expect(getFieldErrors(await staff.post('/api/students', again))).toEqual({ id: [RESERVED] });
    const prepared = await prepareImport(staff, 'students', [again]);
    expect(prepared.preview.counts).toMatchObject({ create: 0, refused: 1 });
    expect(await listRows(staff, prepared.id)).toMatchObject([{ errors: { id: [RESERVED] } }]);
    const other = aStudent();
    await staff.post('/api/students', other);
    expect((await staff.put(`/api/students/${other.id}/id`, { id })).status).toBe(403);

    await importRows(admin, 'students', [again]);
    expect((await staff.get(`${path}/result-rights`)).body).toMatchObject({ slots: [] });
    expect((await staff.get(`/api/sheets/${sheet.sheet_id}`)).status).toBe(200);
    // The check of the whole database finds a record without these results.
    expect((await findings(app)).join()).toContain(`student ${id}: the result is not in the record`);
    await admin.delete(path);
  });

  test('is not restored to a state without these results', async ({ app, admin, staff }) => {
    const own = await aClass({ app, admin }, 0);
    const student = aStudent({ degree: own.degree, department: 'CE', syn: 'A', current_sem: 1 });
    const path = `/api/students/${student.id}`;
    await staff.post('/api/students', student);
    await staff.post('/api/students/family', aFamily(student.id));
    await staff.delete(path);
    const before = await lastEntry(admin, student.id);
    expect((await staff.post(`${path}/restore`)).status).toBe(201);
    const sheet = await fillSheet(staff, await createSheet(staff, own), [71]);
    await submitSheet(staff, sheet);
    await confirmSheet(admin, sheet);
    await admin.delete(path);
    const refusal = {
      status: 409,
      body: {
        message: `This state lacks results of mark sheet ${sheet.sheet_id}. Restore the latest deletion of this student.`,
      },
    };
    expect(await admin.post(`${path}/restore?entry=${before}`)).toMatchObject(refusal);
    expect(await admin.post(`/api/history/${before}/restore?state=before`)).toMatchObject(refusal);
    expect((await staff.post(`/api/history/${before}/restore?state=before`)).status).toBe(403);
    expect((await admin.post(`${path}/restore`)).status).toBe(201);
    expect(await findings(app)).toEqual([]);
  });
});

describe.each(sharedApps())('the deletion of a single record, on $name', ({ test }) => {
  test('is listed and undone at any time by whoever made it, or by an administrator', async ({
    app,
    admin,
    viewer,
  }) => {
    const staff = await app.register();
    const colleague = await app.register();
    const student = aStudent();
    await staff.post('/api/students', student);
    await staff.delete(`/api/students/${student.id}`);
    const [deleted] = await deletions(staff);
    expect(deleted).toMatchObject({
      ...{ entity: 'student', entity_id: student.id, name: 'Ayesha Siddiqui' },
      ...{ user: { id: staff.user.id }, restorable: true },
    });
    expect(await deletions(colleague)).toEqual([]);
    expect(await deletions(admin)).toContainEqual(deleted);
    expect((await viewer.get('/api/deletions')).status).toBe(403);
    const restore = `/api/history/${deleted?.entry}/restore?state=before`;
    expect((await colleague.post(restore)).status).toBe(403);
    expect((await viewer.post(restore)).status).toBe(403);
    expect((await staff.post(`/api/history/${deleted?.entry}/restore?state=after`)).status).toBe(403);
    expect((await staff.get(restore)).body).toMatchObject({ obstacle: null });
    expect((await staff.post(restore)).status).toBe(201);
    expect(await deletions(staff)).toMatchObject([{ restorable: false }]);
    expect((await staff.post(restore)).status).toBe(409);
    expect(await findings(app)).toEqual([]);
  });
});
