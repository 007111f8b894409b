import { describe, expect } from 'vitest';
import { findings } from '../../../tests/support/app/findings.ts';
import {
  aStudentRow as aRow,
  importRows,
  listRows,
  prepareImport,
  previewRows,
  toCsv,
  uploadFile,
} from '../../../tests/support/app/import-file.ts';
import { freshApps, type Person } from '../../../tests/support/app/test-app.ts';
import { aStudent } from '../../../tests/support/records.ts';
import { recordReply } from '../../contract/students/students.ts';

/** Only these fields of a row. */
const pick = (row: Record<string, string>, ...fields: string[]) =>
  Object.fromEntries(fields.map((field) => [field, row[field] ?? '']));

const readRecord = async (by: Person, id: string) =>
  recordReply.parse((await by.get(`/api/students/${id}`)).body);

const idsInList = async (by: Person, query = '') => {
  const { body } = await by.get(`/api/students?sort=id&direction=ascending${query}`);
  return (body as { students: { id: string }[] }).students.map(({ id }) => id);
};

describe.each(freshApps())('an import of students, on $name', ({ test }) => {
  test('stores new students with their families, as the forms would', async ({ app, staff }) => {
    const rows = [
      aRow({ id: 'I-1', dob: '2005-03-14' }),
      aRow({ id: 'I-2', first_name: 'Zoë', syn: 'Syndicate C' }),
    ];
    const { id, preview } = await prepareImport(staff, 'students', rows);
    expect(preview).toMatchObject({
      counts: { create: 2, update: 0, unchanged: 0, refused: 0 },
      unmapped_required: [],
      ambiguous_columns: [],
    });
    expect(await listRows(staff, id)).toMatchObject([
      { line: 2, state: 'create', key: 'I-1', errors: {} },
      { line: 3, state: 'create', key: 'I-2' },
    ]);
    expect(await idsInList(staff)).toEqual([]);

    const applied = await staff.post(`/api/imports/${id}/apply`, { fingerprint: preview.fingerprint });
    expect(applied).toMatchObject({
      status: 200,
      body: {
        message: 'The import is done: 2 new.',
        import: { import_id: id, state: 'applied', partial: false },
      },
    });
    const { student, family } = (await readRecord(staff, 'I-2')) ?? {};
    expect(student).toMatchObject({ first_name: 'Zoë', syn: 'C', fsc_marks: 0.85, status: 'active' });
    expect(family).toMatchObject({ father_name: 'Imran Siddiqui', number_siblings: 2 });
    expect(await idsInList(staff, '&q=zoe')).toEqual(['I-2']);
    expect(await idsInList(staff)).toEqual(['I-1', 'I-2']);
    expect(await findings(app)).toEqual([]);
  });

  test('names a row of totals as such, and imports the others', async ({ staff }) => {
    const total = {
      ...Object.fromEntries(Object.keys(aRow()).map((field) => [field, ''])),
      first_name: '20',
    };
    const { id, preview } = await prepareImport(staff, 'students', [
      aRow({ id: 'I-1' }),
      { ...total, id: 'Total' },
    ]);
    expect(preview.counts).toMatchObject({ create: 1, refused: 1 });
    expect((await listRows(staff, id)).at(-1)).toMatchObject({
      line: 3,
      state: 'refused',
      errors: {
        row: ['Total: a summary, not a student. Take it out of the file, or leave out refused rows.'],
      },
    });
    const { fingerprint } = preview;
    const applied = await staff.post(`/api/imports/${id}/apply`, { fingerprint, partial: true });
    expect(applied.status, applied.text).toBe(200);
    expect(await idsInList(staff)).toEqual(['I-1']);
  });

  test('changes existing students, where a blank keeps the value and [clear] empties it', async ({
    app,
    staff,
  }) => {
    await importRows(staff, 'students', [aRow({ id: 'I-1', reason: 'Came late' }), aRow({ id: 'I-2' })]);
    const rows = [
      { id: 'I-1', phone_number: '', reason: '[clear]', father_name: 'Ali Khan' },
      { id: 'I-2', phone_number: '0300 1', reason: '', father_name: '' },
    ];
    const { id, preview } = await prepareImport(staff, 'students', rows, { mode: 'update' });
    expect(preview.counts).toEqual({ create: 0, update: 2, unchanged: 0, refused: 0 });
    const [first, second] = await listRows(staff, id);
    expect(first?.changes).toEqual([
      { field: 'reason', before: 'Came late', after: null },
      { field: 'father_name', before: 'Imran Siddiqui', after: 'Ali Khan' },
    ]);
    expect(second?.changes).toEqual([{ field: 'phone_number', before: '0300-5550123', after: '0300 1' }]);
    await staff.post(`/api/imports/${id}/apply`, { fingerprint: preview.fingerprint });
    expect(await readRecord(staff, 'I-1')).toMatchObject({
      student: { reason: null, phone_number: '0300-5550123' },
      family: { father_name: 'Ali Khan', mother_name: 'Nadia Siddiqui' },
    });
    expect(await idsInList(staff, '&q=Ali%20Khan')).toEqual(['I-1']);
    expect(await findings(app)).toEqual([]);
  });

  test('finds nothing to change in the same file again', async ({ staff }) => {
    const rows = [aRow({ id: 'I-1' }), aRow({ id: 'I-2' })];
    await importRows(staff, 'students', rows);
    const { id, preview } = await prepareImport(staff, 'students', rows);
    expect(preview.counts).toEqual({ create: 0, update: 0, unchanged: 2, refused: 0 });
    expect(await staff.post(`/api/imports/${id}/apply`, { fingerprint: preview.fingerprint })).toMatchObject({
      status: 409,
      body: { message: 'No row of this import is new or changes anything.' },
    });
  });

  test('refuses what the forms refuse, with their texts', async ({ staff }) => {
    const rows = [
      aRow({ id: 'has blank' }),
      aRow({ id: 'I-2', dob: '2031-02-01' }),
      aRow({ id: 'I-3', first_name: '' }),
      aRow({ id: 'I-4', fsc_marks: '2000', father_name: '' }),
      aRow({ id: 'I-5', current_sem: '9', department: 'XX' }),
    ];
    const { id, preview } = await prepareImport(staff, 'students', rows);
    expect(preview.counts).toEqual({ create: 0, update: 0, unchanged: 0, refused: 5 });
    expect((await listRows(staff, id, '?state=refused')).map(({ errors }) => errors)).toEqual([
      { id: ['The id must be 1 to 20 letters, digits, dashes, dots or underscores.'] },
      { dob: ['The dob must not be in the future.'] },
      { first_name: ['The first name field is required.'] },
      {
        fsc_marks: ['The fsc marks must be 100 to 1100 with at most two decimals.'],
        father_name: ['The father name field is required.'],
      },
      {
        current_sem: ['The current sem must be a whole number from 1 to 8.'],
        department: ['The department must be one of EE, CE, ME, MTS.'],
      },
    ]);
  });

  test('refuses both rows of an ID with different values, and takes equal ones once', async ({ staff }) => {
    const equal = aRow({ id: 'I-1' });
    const { id, preview } = await prepareImport(staff, 'students', [
      equal,
      aRow({ id: 'I-2', first_name: 'Ali' }),
      equal,
      aRow({ id: 'I-2', first_name: 'Omar' }),
    ]);
    expect(preview.counts).toEqual({ create: 1, update: 0, unchanged: 1, refused: 2 });
    const clash = 'The id is in lines 3, 5, with different values. Keep one of them.';
    expect(await listRows(staff, id)).toMatchObject([
      { line: 2, state: 'create' },
      { line: 3, state: 'refused', errors: { id: [clash] } },
      { line: 4, state: 'unchanged', warnings: { id: ['Line 2 says the same.'] } },
      { line: 5, state: 'refused', errors: { id: [clash] } },
    ]);
  });

  test.for([
    ['create', 'I-1', 'The id has already been taken.'],
    ['update', 'I-9', 'There is no student with this ID.'],
  ] as const)('in mode %s refuses %s', async ([mode, refused, text], { staff }) => {
    await importRows(staff, 'students', [aRow({ id: 'I-1' })]);
    const rows = [aRow({ id: 'I-1', first_name: 'Hina' }), aRow({ id: 'I-9' })];
    const { id, preview } = await prepareImport(staff, 'students', rows, { mode });
    expect(preview.counts.refused).toBe(1);
    expect(await listRows(staff, id, '?state=refused')).toMatchObject([
      { key: refused, errors: { id: [text] } },
    ]);
  });

  test('refuses a registration number that somebody had before', async ({ admin }) => {
    await importRows(admin, 'students', [aRow({ id: 'I-1' })]);
    expect((await admin.put('/api/students/I-1/id', { id: 'I-7' })).status).toBe(200);
    const { id } = await prepareImport(admin, 'students', [aRow({ id: 'I-1' })]);
    expect(await listRows(admin, id)).toMatchObject([
      { errors: { id: ['The id belonged to student I-7 before. Enter another one.'] } },
    ]);
  });

  test('warns of another student with the name and date of birth, and of an ID in another case', async ({
    staff,
  }) => {
    await importRows(staff, 'students', [aRow({ id: 'I-1', first_name: 'Zoë', dob: '2004-01-31' })]);
    const { id, preview } = await prepareImport(staff, 'students', [
      aRow({ id: 'i-1', first_name: 'ZOE', dob: '2004-01-31' }),
    ]);
    expect(preview.counts.create).toBe(1);
    expect(await listRows(staff, id)).toMatchObject([
      {
        warnings: {
          id: ['The id differs from I-1 only in upper and lower case.'],
          dob: ['I-1 has the same name and date of birth. It may be the same person.'],
        },
      },
    ]);
  });

  test('warns of the same person under several IDs of the file', async ({ staff }) => {
    const others = Array.from({ length: 60 }, (_, i) => aRow({ id: `I-${i + 10}`, last_name: `Other ${i}` }));
    const { id, preview } = await prepareImport(staff, 'students', [
      aRow({ id: 'I-1', first_name: 'Zoë', dob: '2004-01-31' }),
      aRow({ id: 'I-2', first_name: 'Zoë', dob: '2004-01-30' }),
      ...others,
      aRow({ id: 'I-3', first_name: 'ZOE', dob: '2004-01-31' }),
    ]);
    expect(preview.counts.create).toBe(63);
    const warned = (await listRows(staff, id)).filter(({ warnings }) => Object.keys(warnings).length > 0);
    expect(warned).toMatchObject([
      {
        key: 'I-3',
        warnings: {
          dob: ['I-1 in line 2 has the same name and date of birth. It may be the same person.'],
        },
      },
    ]);
  });

  test('takes a corrected cell and a value for all rows', async ({ staff }) => {
    const { syn: _, ...row } = aRow({ id: 'I-1', fsc_marks: '12' });
    const file = toCsv([row]);
    const uploaded = await uploadFile(staff, 'students', file);
    const preview = await previewRows(staff, uploaded, {
      values: { syn: 'B' },
      fixes: [{ line: 2, field: 'fsc_marks', value: '880' }],
    });
    expect(preview.counts).toMatchObject({ create: 1, refused: 0 });
    const [shown] = await listRows(staff, uploaded.import_id);
    expect(shown?.cells).toContain('880');
    await staff.post(`/api/imports/${uploaded.import_id}/apply`, { fingerprint: preview.fingerprint });
    expect(await readRecord(staff, 'I-1')).toMatchObject({ student: { syn: 'B', fsc_marks: 0.8 } });
  });

  test('needs the base record alone, and takes the family later', async ({ app, staff }) => {
    const row = aRow({ id: 'I-1' });
    const family = ['father_name', 'father_occupation', 'address'];
    const base = Object.keys(row).filter((field) => field in aStudent());
    await importRows(staff, 'students', [pick(row, ...base)]);
    expect(await readRecord(staff, 'I-1')).toBe(null);
    await importRows(staff, 'students', [pick(row, 'id', ...family)], { mode: 'update' });
    expect(await readRecord(staff, 'I-1')).toMatchObject({ family: { father_name: 'Imran Siddiqui' } });
    expect(await findings(app)).toEqual([]);
  });

  test('gives a student who was deleted before a version that no earlier one had', async ({ app, staff }) => {
    await importRows(staff, 'students', [aRow({ id: 'I-1' })]);
    const { headers } = await staff.get('/api/students/I-1/base');
    await staff.delete('/api/students/I-1');
    await importRows(staff, 'students', [aRow({ id: 'I-1' })]);
    const stale = await staff.call('PUT', '/api/students/I-1', {
      body: { ...aStudent(), id: 'I-1' },
      headers: { 'if-match': String(headers.etag) },
    });
    expect(stale.status).toBe(412);
    expect(await findings(app)).toEqual([]);
  });

  test('has an entry in the history for every record, which names the import', async ({ staff }) => {
    const { import_id } = await importRows(staff, 'students', [aRow({ id: 'I-1' })]);
    const { body } = await staff.get('/api/students/I-1/history');
    expect(body).toMatchObject({
      entries: [
        { action: 'create', entity: 'family', import_id, import_file: 'rows.csv', bulk: null },
        { action: 'create', entity: 'student', import_id, user: { id: staff.user.id } },
      ],
    });
    expect((await staff.get('/api/bulk-changes')).body).toEqual({ changes: [] });
  });
});
