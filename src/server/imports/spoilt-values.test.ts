import { type WriteSheet, writeXlsx } from 'hucre';
import { describe, expect } from 'vitest';
import {
  aStudentRow,
  importRows,
  listRows,
  prepareImport,
  previewRows,
  toCsv,
  uploadFile,
} from '../../../tests/support/app/import-file.ts';
import { freshApps, getFieldErrors, type Person } from '../../../tests/support/app/test-app.ts';
import { importCreatedReply } from '../../contract/imports.ts';

const workbook = async (...sheets: WriteSheet[]) => Uint8Array.from(await writeXlsx({ sheets }));

/** Rows of objects as a sheet, of which these fields are number cells. */
const toSheet = (rows: readonly Record<string, string>[], ...numbers: string[]): WriteSheet => ({
  name: 'Intake',
  rows: [
    Object.keys(rows[0] ?? {}),
    ...rows.map((row) =>
      Object.entries(row).map(([field, text]) => (numbers.includes(field) ? Number(text) : text)),
    ),
  ],
});

const idsInList = async (by: Person) => {
  const { body } = await by.get('/api/students?sort=id&direction=ascending');
  return (body as { students: { id: string; degree: string }[] }).students.map(({ id, degree }) => [
    id,
    degree,
  ]);
};

const rounded = (field: string, text: string) =>
  `The ${field} is rounded in the file (${text}). Format the column as text there, and enter all digits.`;

describe.each(freshApps())('an import of values that a spreadsheet has spoilt, on $name', ({ test }) => {
  test('refuses phone numbers without their digits, also in place of right ones', async ({ staff }) => {
    const phones = {
      phone_number: '9.23001E+11',
      father_phone: '9.23E+11',
      mother_phone: '9.23E+11',
      home_phone: '5.1E+09',
    };
    const rows = Object.entries(phones).map(([field, text], i) =>
      aStudentRow({ id: `PH-${i}`, [field]: text }),
    );
    const expected = Object.entries(phones).map(([field, text]) => ({
      [field]: [rounded(field.replace('_', ' '), text)],
    }));
    const { id, preview } = await prepareImport(staff, 'students', rows);
    expect(preview.counts).toMatchObject({ create: 0, refused: 4 });
    expect((await listRows(staff, id)).map(({ errors }) => errors)).toEqual(expected);

    await importRows(
      staff,
      'students',
      rows.map((row) => ({ ...row, ...aStudentRow(), id: row.id })),
    );
    const update = await prepareImport(staff, 'students', rows, { mode: 'update' });
    expect(update.preview.counts).toMatchObject({ update: 0, refused: 4 });
    const fixes = [{ line: 2, field: 'phone_number', value: '9.23001E+11' }];
    const corrected = await previewRows(staff, { import_id: update.id }, { mode: 'update', fixes });
    expect(corrected.counts.refused).toBe(4);
  });

  test('takes whole numbers with decimals for whole numbers', async ({ staff }) => {
    await importRows(staff, 'students', [aStudentRow({ id: '2024901', degree: '48' })]);
    const rows = [
      aStudentRow({ id: '2024901.0', degree: '48', current_sem: '2.0' }),
      aStudentRow({ id: '2024902', degree: '48.0', phone_number: '923001234567.0' }),
    ];
    const { preview } = await prepareImport(staff, 'students', rows);
    expect(preview.counts).toEqual({ create: 1, update: 0, unchanged: 1, refused: 0 });
    await importRows(staff, 'students', rows);
    expect(await idsInList(staff)).toEqual([
      ['2024901', '48'],
      ['2024902', '48'],
    ]);
  });

  test('keeps all digits of number cells, and refuses more than a cell can hold', async ({ staff }) => {
    const ids = ['2019033700123456', '2019033700123459', '2019033700123461', '9007199254740993'];
    const sheet = toSheet(
      ids.map((id) => aStudentRow({ id })),
      'id',
    );
    const uploaded = await uploadFile(staff, 'students', await workbook(sheet), { name: 'ids.xlsx' });
    const preview = await previewRows(staff, uploaded);
    expect(preview.counts).toEqual({ create: 3, update: 0, unchanged: 0, refused: 1 });
    expect((await listRows(staff, uploaded.import_id)).map(({ key, errors }) => key ?? errors)).toEqual([
      ...ids.slice(0, 3),
      { id: [rounded('id', '9.007199254740992e+15')] },
    ]);
  });

  test('finds codes with other spaces than ordinary ones', async ({ staff }) => {
    await importRows(staff, 'courses', [
      { course_id: '501', course_code: 'CS\u00a0501', course_name: 'Optics' },
    ]);
    expect(
      await prepareImport(staff, 'courses', [
        { course_id: '501.0', course_code: 'CS\u2009501', course_name: 'Optics' },
      ]),
    ).toMatchObject({ preview: { counts: { unchanged: 1 } } });
    await importRows(staff, 'students', [
      aStudentRow({ id: 'SP-1', department: 'Mechanical\u00a0Engineering' }),
    ]);
    const result = { student_id: 'SP-1', semester: '1', course_code: 'cs\u3000501', grade: 'A' };
    expect(await prepareImport(staff, 'results', [result])).toMatchObject({
      preview: { counts: { create: 1, refused: 0 } },
    });
  });

  test('holds for pasted rows as for files, and names the lines of both', async ({ staff }) => {
    const row = aStudentRow({ id: 'PA-1', address: 'House 1\nStreet 2', degree: '4.8E+01' });
    const text = toCsv([row, { ...row, id: '2.02E+14' }]).replaceAll('\r\n', '\r\n\r\n');
    const sent = await staff.post('/api/imports', { kind: 'students', text });
    const uploaded = importCreatedReply.parse(sent.body).import;
    await previewRows(staff, uploaded);
    expect((await listRows(staff, uploaded.import_id)).map(({ line, errors }) => [line, errors])).toEqual([
      [3, { degree: [rounded('degree', '4.8E+01')] }],
      [6, { degree: [rounded('degree', '4.8E+01')], id: [rounded('id', '2.02E+14')] }],
    ]);
  });

  test('warns of IDs of the file that differ in upper and lower case alone', async ({ staff }) => {
    const rows = ['a8073', 'A8074', 'A8073'].map((id) => aStudentRow({ id, first_name: id }));
    const { id } = await prepareImport(staff, 'students', rows);
    expect((await listRows(staff, id)).map(({ warnings }) => warnings.id)).toEqual([
      undefined,
      undefined,
      ['The id differs from a8073 in line 2 only in upper and lower case.'],
    ]);
  });

  test('reads the first sheet that has rows, names those that are there, and the hidden rows', async ({
    staff,
  }) => {
    const rows = ['SH-1', 'SH-2', 'SH-3'].map((id) => aStudentRow({ id }));
    const sheet = { ...toSheet(rows), rowDefs: new Map([[2, { hidden: true }]]) };
    const file = await workbook({ name: 'Cover', rows: [] }, sheet);
    const uploaded = await uploadFile(staff, 'students', file, { name: 'intake.xlsx' });
    expect(uploaded).toMatchObject({
      ...{ sheets: ['Cover', 'Intake'], sheet: 'Intake', rows: 3, hidden_lines: [[3, 3]] },
    });
    const { counts } = await previewRows(staff, uploaded);
    expect(counts.create).toBe(3);
    expect((await listRows(staff, uploaded.import_id)).map(({ warnings }) => warnings.row)).toEqual([
      undefined,
      ['The row is hidden in the workbook.'],
      undefined,
    ]);
    const form = new FormData();
    form.set('kind', 'students');
    form.set('sheet', 'Intakes');
    form.set('file', new Blob([file]), 'intake.xlsx');
    expect(getFieldErrors(await staff.call('POST', '/api/imports', { form }))).toEqual({
      sheet: ['The workbook has no sheet “Intakes”. Its sheets are: “Cover”, “Intake”.'],
    });
  });
});
