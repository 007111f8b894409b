import { describe, expect } from 'vitest';
import { listRows, previewRows, uploadFile } from '../../../tests/support/app/import-file.ts';
import {
  getFieldErrors,
  type Person,
  sharedApps,
  type TestApp,
} from '../../../tests/support/app/test-app.ts';
import { aCourse } from '../../../tests/support/records.ts';

async function upload(by: Person, text: string, fields: Readonly<Record<string, string>> = {}) {
  const course = aCourse();
  expect((await by.post('/api/courses', course)).status).toBe(201);
  const { course_id } = course;
  const file = await uploadFile(by, 'marks', text, { fields: { course_id: String(course_id), ...fields } });
  return { course_id, file };
}

const preview = (by: Person, importId: number, choices: object = {}) =>
  by.post(`/api/imports/${importId}/preview`, choices);

/** Imports a file as recognised, or as chosen, and answers the marks that are stored. */
async function importMarks(app: TestApp, by: Person, text: string, choices: object = {}) {
  const { course_id, file } = await upload(by, text);
  const { fingerprint } = await previewRows(by, file, choices);
  const applied = await by.post(`/api/imports/${file.import_id}/apply`, { fingerprint });
  expect(applied.status, applied.text).toBe(200);
  const pieces = app.db.read.selectFrom('course_marks').select('marks').where('course_id', '=', course_id);
  return (await pieces.orderBy('piece').execute()).flatMap(({ marks }) => JSON.parse(marks) as number[]);
}

describe.each(sharedApps())('the columns of an import of marks, on $name', ({ test }) => {
  test.for<[string, string, number[]]>([
    [
      'full marks on the right',
      'Roll No,Name,Obtained Marks,Total Marks\n1,One Example,67,100\n2,Two Example,71,100\n3,Three Example,48.5,100\n',
      [67, 71, 48.5],
    ],
    [
      'full marks on the left',
      'Roll No,Name,Total Marks,Obtained\n1,One Example,100,67\n2,Two Example,100,71\n3,Three Example,100,48.5\n',
      [67, 71, 48.5],
    ],
    ['an unknown heading alone', 'Sr #,Name,Physics\n1,A,67\n2,B,71\n', [67, 71]],
    ['decimal commas between semicolons', 'Roll No;Secured;Max\r\n1;67,5;100\r\n2;71;100\r\n', [67.5, 71]],
    [
      'decimal commas between tabs, below a title',
      'Quiz of May\n\nRoll No\tObt.\n1\t67,5\n2\t71\n',
      [67.5, 71],
    ],
    [
      'a title above the headings',
      'Mid Results,,,\nRoll No,Name,Obtained Marks,Total Marks\n1,One Example,67,100\n',
      [67],
    ],
    [
      'a name like a heading',
      'Roll No,Name,Obtained Marks,Total Marks\n1,Mark Anthony,67,100\n2,Two Example,71,100\n',
      [67, 71],
    ],
    ['a heading with a number', 'Roll,2024 Marks\n1,67\n', [67]],
    [
      'remarks that speak of full marks',
      'Roll No,Marks,Remarks\n1,100,Full marks\n2,71,Good\n3,72,Maximum\n',
      [100, 71, 72],
    ],
    [
      'full marks and summaries below the students',
      'Name,Marks\nAli,60\nSara,70\nMax,90\nAvg.,65\nOut of 50,50\n',
      [60, 70],
    ],
    ['a sum without ID and name', 'Roll No,Name,Marks\n1,A,60\n2,B,70\n,,65\n', [60, 70]],
  ])('are told with %s', async ([, text, expected], { app, staff }) => {
    expect(await importMarks(app, staff, text)).toEqual(expected);
  });

  test('are asked for where several may have the marks', async ({ app, staff }) => {
    const text = 'Roll No,Theory Marks,Lab Marks,Total\n1,50,20,70\n2,40,20,60\n';
    const { file } = await upload(staff, text);
    expect(file.columns.map(({ may_have_marks }) => may_have_marks)).toEqual([false, true, true, true]);
    const asked = await preview(staff, file.import_id);
    expect(getFieldErrors(asked)).toEqual({
      columns: ['Choose which column has the marks: 1, “Theory Marks”; 2, “Lab Marks”; 3, “Total”.'],
      mapping: [expect.stringContaining('Marks is required')],
    });
    expect(asked.body).toMatchObject({ unmapped_required: ['marks'] });
    expect(await importMarks(app, staff, text, { mapping: { marks: 3 } })).toEqual([70, 60]);
  });

  test('are remembered for files that leave the choice, but never make marks of full marks', async ({
    app,
    admin: _,
  }) => {
    const staff = await app.register();
    await importMarks(app, staff, 'Roll No,Theory,Total\n1,50,70\n', { mapping: { marks: 2 } });
    expect(await importMarks(app, staff, 'Roll No,Theory,Total\n1,40,60\n')).toEqual([60]);
    expect(await importMarks(app, staff, 'Roll No,Obtained,Total\n1,40,60\n')).toEqual([40]);
  });

  test('of a learning platform leave out full marks and test accounts, and say so', async ({
    app,
    staff,
  }) => {
    const text = [
      'Student,ID,SIS User ID,SIS Login ID,Section,Final Exam (4411),Final Score',
      '    Points Possible,,,,,100.00,(read only)',
      '"Example, One",1,900001,one,EE-48-A,67.50,67.50',
      '"Example, Two",2,900002,two,EE-48-A,71.00,71.00',
      '"Student, Test",3,,,EE-48-A,0.00,0.00',
    ].join('\n');
    const { file } = await upload(staff, text);
    const { counts } = await previewRows(staff, file, { mapping: { marks: 5 } });
    expect(counts).toEqual({ create: 2, update: 0, unchanged: 2, refused: 0 });
    const rows = await listRows(staff, file.import_id);
    expect(rows.map(({ line, warnings }) => [line, warnings])).toEqual([
      [2, { left_out: ['Points Possible: full marks, not a student'] }],
      [3, {}],
      [4, {}],
      [5, { left_out: ['Student, Test: a test account, not a student'] }],
    ]);
    expect(await importMarks(app, staff, text, { mapping: { marks: 5 } })).toEqual([67.5, 71]);
  });

  test('bring a row back that was left out, when it is corrected', async ({ app, staff }) => {
    const text = 'Name,Marks\nAli Khan,60\nMax,66\n';
    expect(await importMarks(app, staff, text)).toEqual([60]);
    const fixes = [{ line: 3, field: 'student_name', value: 'Max Weber' }];
    expect(await importMarks(app, staff, text, { fixes })).toEqual([60, 66]);
  });

  test('ask about commas left of blank cells, too', async ({ app, staff }) => {
    const text = 'Marks,\n67,5,\n71,25,\n';
    const { file } = await upload(staff, text);
    expect(file.decimal_sample).toBe('67,5');
    expect(await importMarks(app, staff, text, { decimal: 'comma' })).toEqual([67.5, 71.25]);
  });

  test('ask whether a comma separates two marks or is a decimal comma', async ({ app, staff }) => {
    const text = 'Marks\n67,5\n71\n48,25\n';
    const asked = { decimal: ['Is 67,5 one mark or two? Choose how decimals are written.'] };
    const { file } = await upload(staff, text);
    expect(file.decimal_sample).toBe('67,5');
    expect(getFieldErrors(await preview(staff, file.import_id))).toEqual(asked);
    expect(await importMarks(app, staff, text, { decimal: 'comma' })).toEqual([67.5, 71, 48.25]);
    const { counts } = await previewRows(staff, file, { decimal: 'point' });
    expect(counts).toMatchObject({ create: 1, refused: 2 });
    const answered = await upload(staff, text, { decimal: 'comma' });
    expect((await preview(staff, answered.file.import_id)).status).toBe(200);
  });

  test('offer to leave out students who were absent', async ({ app, staff }) => {
    const text = 'Roll No,Marks\n1,64.5\n2,Absent\n3,-\n4,AB\n';
    const { file } = await upload(staff, text);
    expect(file.columns[1]?.absent).toEqual(['Absent', '-', 'AB']);
    expect((await previewRows(staff, file)).counts).toMatchObject({ create: 1, refused: 3 });
    const [, refused] = await listRows(staff, file.import_id);
    expect(refused).toMatchObject({
      errors: { marks: ['The marks must be a number from 0 to 100.'] },
      warnings: { marks: ['“Absent” can be left out.'] },
    });
    expect(await importMarks(app, staff, text, { absent: 'leave_out' })).toEqual([64.5]);
  });
});
