import { describe, expect } from 'vitest';
import { findings } from '../../../tests/support/app/findings.ts';
import { importRows } from '../../../tests/support/app/import-file.ts';
import { freshApps, type Person } from '../../../tests/support/app/test-app.ts';
import { aFamily, aSemester, aStudent } from '../../../tests/support/records.ts';
import { importUndoPreview } from '../../contract/imports.ts';
import { recordReply } from '../../contract/students/students.ts';

/** A row with base record and family. */
const aRow = (id: string, changes: object = {}) => {
  const { img: _, reason: __, ...base } = aStudent({ id });
  const { student_id: ___, ...family } = aFamily(id);
  return { ...base, ...family, ...changes };
};

const undoPreview = async (by: Person, importId: number) =>
  importUndoPreview.parse((await by.get(`/api/imports/${importId}/undo`)).body);

async function undo(by: Person, importId: number) {
  const { fingerprint } = await undoPreview(by, importId);
  return by.post(`/api/imports/${importId}/undo`, { fingerprint });
}

const readRecord = async (by: Person, id: string) =>
  recordReply.parse((await by.get(`/api/students/${id}`)).body);

describe.each(freshApps())('the undo of an import, on $name', ({ test }) => {
  test('deletes new records, which can be restored, and gives changed ones their values back', async ({
    app,
    staff,
    admin,
  }) => {
    await importRows(staff, 'students', [aRow('I-1', { phone_number: '0300 1' })]);
    const { import_id } = await importRows(staff, 'students', [
      aRow('I-1', { phone_number: '0300 2', father_name: 'Ali Khan', degree: '45' }),
      aRow('I-2'),
    ]);
    expect(await undoPreview(staff, import_id)).toMatchObject({
      undone: 2,
      kept: [],
      kept_count: 0,
      refused: null,
    });
    expect(await undo(staff, import_id)).toMatchObject({
      status: 200,
      body: {
        message: 'The import is undone: 2 records are as before.',
        undone: 2,
        kept: [],
        import: { state: 'undone', undo: { by: { id: staff.user.id }, undone: 2, kept: 0 } },
      },
    });
    expect(await readRecord(staff, 'I-1')).toMatchObject({
      student: { phone_number: '0300 1', degree: '44' },
      family: { father_name: 'Imran Siddiqui' },
    });
    expect((await staff.get('/api/students/I-2')).status).toBe(404);
    expect(await findings(app)).toEqual([]);
    expect((await admin.post('/api/students/I-2/restore', {})).status).toBe(201);
    expect(await readRecord(staff, 'I-2')).toMatchObject({ family: { father_name: 'Imran Siddiqui' } });
    expect(await findings(app)).toEqual([]);
  });

  test('removes a family that the import added, which can be restored', async ({ app, staff, admin }) => {
    await staff.post('/api/students', aStudent({ id: 'I-1' }));
    const { student_id: _, ...family } = aFamily('');
    const { import_id } = await importRows(staff, 'students', [{ id: 'I-1', ...family }], { mode: 'update' });
    expect(await undo(staff, import_id)).toMatchObject({ status: 200, body: { undone: 1 } });
    expect(await readRecord(staff, 'I-1')).toBe(null);
    expect(await findings(app)).toEqual([]);
    const { body } = await staff.get('/api/students/I-1/history');
    const [removal] = (body as { entries: { id: number; action: string; entity: string }[] }).entries;
    expect(removal).toMatchObject({ action: 'delete', entity: 'family' });
    expect((await admin.post(`/api/history/${removal?.id}/restore?state=before`, {})).status).toBe(201);
    expect(await readRecord(staff, 'I-1')).toMatchObject({ family });
  });

  test('keeps what was changed since, and names it', async ({ app, staff, admin }) => {
    const ids = ['I-1', 'I-2', 'I-3', 'I-4', 'I-5'];
    const { import_id } = await importRows(
      staff,
      'students',
      ids.map((id) => aRow(id)),
    );
    await staff.put('/api/students/I-1', aStudent({ id: 'I-1', first_name: 'Hina' }));
    await staff.post('/api/students/academics', aSemester('I-2', 1, []));
    await staff.delete('/api/students/I-3');
    await admin.put('/api/students/I-4/id', { id: 'I-9' });
    const kept = [
      { key: 'I-1', reason: 'Changed since.' },
      { key: 'I-2', reason: 'Results have been entered since.' },
      { key: 'I-3', reason: 'Deleted since, or it has another ID.' },
      { key: 'I-4', reason: 'Deleted since, or it has another ID.' },
    ];
    expect(await undoPreview(staff, import_id)).toMatchObject({ undone: 1, kept, kept_count: 4 });
    expect(await undo(staff, import_id)).toMatchObject({ status: 200, body: { undone: 1, kept } });
    for (const [id, status] of [
      ['I-1', 200],
      ['I-2', 200],
      ['I-9', 200],
      ['I-5', 404],
    ] as const) {
      expect((await staff.get(`/api/students/${id}`)).status, id).toBe(status);
    }
    expect(await findings(app)).toEqual([]);
  });

  test('answers 412 when a record was changed since the preview', async ({ staff }) => {
    const { import_id } = await importRows(staff, 'students', [aRow('I-1'), aRow('I-2')]);
    const { fingerprint } = await undoPreview(staff, import_id);
    await staff.put('/api/students/I-1', aStudent({ id: 'I-1', first_name: 'Hina' }));
    const answer = await staff.post(`/api/imports/${import_id}/undo`, { fingerprint });
    expect(answer).toMatchObject({ status: 412, body: { current: { undone: 1, kept_count: 1 } } });
    expect((await staff.get('/api/students/I-2')).status).toBe(200);
  });

  test('is refused before the import, a second time, and when nothing would go back', async ({ staff }) => {
    const { import_id } = await importRows(staff, 'students', [aRow('I-1')]);
    await staff.put('/api/students/I-1', aStudent({ id: 'I-1', first_name: 'Hina' }));
    const refused = 'Every record of this import has been changed since, so nothing can go back.';
    expect(await undoPreview(staff, import_id)).toMatchObject({ undone: 0, refused });
    expect(await undo(staff, import_id)).toMatchObject({ status: 409, body: { message: refused } });

    const other = await importRows(staff, 'students', [aRow('I-2')]);
    await undo(staff, other.import_id);
    const again = 'This import has been undone already.';
    expect(await undoPreview(staff, other.import_id)).toMatchObject({ refused: again });
    expect(await undo(staff, other.import_id)).toMatchObject({ status: 409, body: { message: again } });
    expect((await staff.post(`/api/imports/${other.import_id}/undo`, {})).status).toBe(422);
  });
});
