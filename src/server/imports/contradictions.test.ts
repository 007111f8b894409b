import { describe, expect } from 'vitest';
import { findings } from '../../../tests/support/app/findings.ts';
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
import { aCourse, aFamily, aStudent } from '../../../tests/support/records.ts';
import { importReply, importUndoPreview, OTHER_PERSON } from '../../contract/imports.ts';
import { recordReply } from '../../contract/students/students.ts';

const AMINA = { id: 'OP-1', first_name: 'Amina', last_name: 'Example', dob: '2003-04-05', gender: 'F' };
const BLANK = { first_name: '', last_name: '', dob: '' };
const USMAN = { id: 'OP-1', first_name: 'Usman', last_name: 'Sample', dob: '2004-11-30', gender: 'M' };

const readName = async (by: Person, id: string) => {
  const record = recordReply.parse((await by.get(`/api/students/${id}`)).body);
  return record && `${record.student.first_name} ${record.student.last_name}`;
};

const apply = (by: Person, id: number, body: object) => by.post(`/api/imports/${id}/apply`, body);

/** A student in the third semester, whose results can be entered. */
async function enter(by: Person, id: string, first_name: string, last_name: string): Promise<void> {
  const student = aStudent({ id, first_name, last_name, current_sem: 3 });
  expect((await by.post('/api/students', student)).status).toBe(201);
  expect((await by.post('/api/students/family', aFamily(id))).status).toBe(201);
}

const readGrades = async (by: Person, id: string) =>
  recordReply
    .parse((await by.get(`/api/students/${id}`)).body)
    ?.academics.map(({ subj_grade_1 }) => subj_grade_1);

const aResult = (changes: object = {}) => ({
  ...{ student_id: 'OP-1', Name: 'Amina Example', semester: '1', title: 'Physics', credits: '3', grade: 'B' },
  ...changes,
});

describe.each(freshApps())('a row that names another person than the record, on $name', ({ test }) => {
  test('of students is refused until somebody accepts it with the call that applies', async ({
    app,
    staff,
  }) => {
    await importRows(staff, 'students', [aStudentRow(AMINA)]);
    const rows = [aStudentRow({ id: 'OP-2' }), aStudentRow(USMAN)];
    const { id, preview } = await prepareImport(staff, 'students', rows);
    const { fingerprint, counts } = preview;
    expect(counts).toEqual({ create: 1, update: 0, unchanged: 0, refused: 1 });
    const [other] = await listRows(staff, id, '?state=refused');
    expect(other).toMatchObject({ line: 3, key: 'OP-1', name: 'Amina Example', errors: {} });
    expect(other?.warnings).toEqual({
      [OTHER_PERSON]: [
        'OP-1 is the ID of Amina Example, born 2003-04-05. The row names Usman Sample, born 2004-11-30.',
      ],
    });
    expect(other?.changes).toContainEqual({ field: 'first_name', before: 'Amina', after: 'Usman' });
    const csv = (await staff.get(`/api/imports/${id}/refused.csv`)).text;
    expect(csv).toContain('The row names Usman Sample');

    expect((await apply(staff, id, { fingerprint })).status).toBe(409);
    expect(getFieldErrors(await apply(staff, id, { fingerprint, accept: [3, 9] }))).toEqual({
      accept: ['The file has no row in line 9.'],
    });
    expect(await readName(staff, 'OP-1')).toBe('Amina Example');
    const applied = await apply(staff, id, { fingerprint, accept: [3] });
    expect(applied).toMatchObject({
      status: 200,
      body: {
        message: 'The import is done: 1 new, 1 changed.',
        import: { counts: { update: 1, refused: 0 } },
      },
    });
    expect(await readName(staff, 'OP-1')).toBe('Usman Sample');
    expect((await listRows(staff, id)).map(({ state }) => state)).toEqual(['create', 'update']);
    const stored = app.db.read.selectFrom('imports').where('id', '=', id);
    expect(await stored.select(['preview']).executeTakeFirst()).toEqual({ preview: 1 });
    const { choices } = importReply.parse((await staff.get(`/api/imports/${id}`)).body);
    expect(choices?.accept).toEqual([3]);
    expect(await findings(app)).toEqual([]);
  });

  test('is accepted together with the rows that say the same, and nothing is stored beside refused ones', async ({
    app,
    staff,
  }) => {
    await importRows(staff, 'students', [aStudentRow(AMINA)]);
    const rows = [aStudentRow(USMAN), aStudentRow(USMAN), aStudentRow({ id: 'OP-3', gender: 'X' })];
    const { id, preview } = await prepareImport(staff, 'students', rows);
    const { fingerprint } = preview;
    const refused = await apply(staff, id, { fingerprint, accept: [2] });
    expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining('1 row is') } });
    expect(await readName(staff, 'OP-1')).toBe('Amina Example');
    expect(await apply(staff, id, { fingerprint, accept: [2], partial: true })).toMatchObject({
      body: { import: { counts: { update: 1, unchanged: 1, refused: 1 } } },
    });
    expect((await listRows(staff, id)).map(({ state }) => state)).toEqual(['update', 'unchanged', 'refused']);
    expect(await findings(app)).toEqual([]);
  });

  test('is left out with the other refused rows, and counts as refused', async ({ staff }) => {
    await importRows(staff, 'students', [aStudentRow(AMINA)]);
    const { id, preview } = await prepareImport(staff, 'students', [aStudentRow(USMAN), aStudentRow()]);
    const { fingerprint } = preview;
    expect(await apply(staff, id, { fingerprint, partial: true })).toMatchObject({
      body: { message: 'The import is done: 1 new, 1 left out.', import: { partial: true } },
    });
    expect(await readName(staff, 'OP-1')).toBe('Amina Example');
  });

  test('is accepted in the preview, and not any more in the next one', async ({ staff }) => {
    await importRows(staff, 'students', [aStudentRow(AMINA)]);
    const { id, preview } = await prepareImport(staff, 'students', [aStudentRow(USMAN)]);
    const accepted = await previewRows(staff, { import_id: id }, { accept: [2] });
    expect(accepted).toMatchObject({ fingerprint: preview.fingerprint, counts: { update: 1, refused: 0 } });
    const { choices } = importReply.parse((await staff.get(`/api/imports/${id}`)).body);
    expect(choices?.accept).toEqual([2]);
    expect((await previewRows(staff, { import_id: id })).counts.refused).toBe(1);
    await previewRows(staff, { import_id: id }, { accept: [2] });
    expect((await apply(staff, id, { fingerprint: accepted.fingerprint })).status).toBe(200);
    expect(await readName(staff, 'OP-1')).toBe('Usman Sample');
  });

  test('is an update once its ID is corrected', async ({ staff }) => {
    await importRows(staff, 'students', [aStudentRow(AMINA)]);
    const { id } = await prepareImport(staff, 'students', [aStudentRow(USMAN)]);
    const fixes = [{ line: 2, field: 'id', value: 'OP-7' }];
    expect((await previewRows(staff, { import_id: id }, { fixes })).counts).toMatchObject({ create: 1 });
  });

  test.for([
    ['a corrected spelling', { first_name: 'Ameena' }],
    ['another last name', { last_name: 'Sample' }],
    ['another date of birth', { dob: '2004-11-30' }],
    ['the names the other way round', { first_name: 'Example', last_name: 'AMINA', dob: '2004-11-30' }],
  ] as const)('is not one with %s', async ([, changes], { staff }) => {
    await importRows(staff, 'students', [aStudentRow(AMINA)]);
    const { preview } = await prepareImport(staff, 'students', [aStudentRow({ ...AMINA, ...changes })]);
    expect(preview.counts).toMatchObject({ update: 1, refused: 0 });
  });

  test.for([
    ['another name', { first_name: 'Usman', last_name: 'Sample' }, 'Usman Sample'],
    ['another first name alone', { first_name: 'Usman' }, 'Usman'],
    [
      'another name after a frequent word',
      { first_name: 'Muhammad', last_name: 'Sample' },
      'Muhammad Sample',
    ],
  ] as const)('is one with %s and no date of birth', async ([, changes, named], { staff }) => {
    await importRows(staff, 'students', [aStudentRow({ ...AMINA, first_name: 'Muhammad Amin' })]);
    const { id, preview } = await prepareImport(staff, 'students', [
      aStudentRow({ ...AMINA, ...BLANK, ...changes }),
    ]);
    expect(preview.counts).toMatchObject({ update: 0, refused: 1 });
    expect((await listRows(staff, id))[0]?.warnings[OTHER_PERSON]).toEqual([
      `OP-1 is the ID of Muhammad Amin Example, born 2003-04-05. The row names ${named}.`,
    ]);
  });

  test('answers 412 where the record has changed since the preview', async ({ staff }) => {
    await importRows(staff, 'students', [aStudentRow(AMINA)]);
    const { id, preview } = await prepareImport(staff, 'students', [aStudentRow(USMAN)]);
    await importRows(staff, 'students', [aStudentRow({ ...AMINA, phone_number: '0300 1' })]);
    const answer = await apply(staff, id, { fingerprint: preview.fingerprint, accept: [2] });
    expect(answer.status).toBe(412);
    expect(await readName(staff, 'OP-1')).toBe('Amina Example');
  });

  test('of results is found by its name, in one column or two, and holds up what builds on it', async ({
    app,
    staff,
  }) => {
    await enter(staff, 'OP-1', 'Amina', 'Example');
    await enter(staff, 'OP-2', 'Muhammad', 'Ali Khan');
    const rows = [
      aResult({ Name: 'Usman Sample', grade: 'A' }),
      aResult({ semester: '2', grade: 'C' }),
      aResult({ student_id: 'OP-2', Name: 'KHAN, M. Ali' }),
    ];
    const { id, preview } = await prepareImport(staff, 'results', rows);
    const { fingerprint, counts } = preview;
    expect(counts).toEqual({ create: 1, update: 0, unchanged: 0, refused: 2 });
    const [first, second, third] = await listRows(staff, id);
    expect(first).toMatchObject({ state: 'refused', key: 'OP-1/1/1', name: 'Amina Example', errors: {} });
    expect(first?.warnings[OTHER_PERSON]).toEqual([
      'OP-1 is the ID of Amina Example. The row names Usman Sample.',
    ]);
    expect(second?.errors).toEqual({ semester: ['The semester must be 1, the next one to record.'] });
    expect(third).toMatchObject({ state: 'create', name: 'Muhammad Ali Khan', warnings: {} });
    expect((await apply(staff, id, { fingerprint, accept: [2] })).status).toBe(200);
    expect(await readGrades(staff, 'OP-1')).toEqual([4, 2]);

    const parts = aResult({ Name: '', 'First name': 'Usman', 'Last name': 'Sample', grade: 'F' });
    const split = await prepareImport(staff, 'results', [parts]);
    expect(split.preview.counts.refused).toBe(1);
    const wide = await uploadFile(
      staff,
      'results',
      toCsv([{ ID: 'OP-1', Name: 'Usman Sample', Physics: 'F' }]),
    );
    await staff.post('/api/courses', { ...aCourse(), course_name: 'Physics' });
    const choices = { layout: 'column-per-course', values: { semester: '1' } };
    expect((await previewRows(staff, wide, choices)).counts.refused).toBe(1);
    expect(await findings(app)).toEqual([]);
  });

  test('of marks with IDs is left out of the marks until it is accepted', async ({ staff }) => {
    await enter(staff, 'OP-1', 'Amina', 'Example');
    const course = aCourse();
    expect((await staff.post('/api/courses', course)).status).toBe(201);
    const rows = [
      { ID: 'OP-1', Name: 'Usman Sample', Marks: '90' },
      { ID: 'OP-1', Name: 'Amina Example', Marks: '60' },
      { ID: 'none', Name: 'Nobody', Marks: '70' },
    ];
    const uploaded = await uploadFile(staff, 'marks', toCsv(rows), {
      fields: { course_id: String(course.course_id) },
    });
    const { fingerprint, counts } = await previewRows(staff, uploaded);
    expect(counts).toMatchObject({ create: 2, refused: 1 });
    expect((await listRows(staff, uploaded.import_id)).map(({ name, warnings }) => [name, warnings])).toEqual(
      [
        [
          'Amina Example',
          { [OTHER_PERSON]: ['OP-1 is the ID of Amina Example. The row names Usman Sample.'] },
        ],
        ['Amina Example', {}],
        [null, {}],
      ],
    );
    expect((await apply(staff, uploaded.import_id, { fingerprint, accept: [2] })).status).toBe(200);
    expect((await staff.get(`/api/courses/${course.course_id}`)).body).toMatchObject({
      course: { marks_count: 3, average: 73.33 },
    });
  });

  test('has the name beside the key also in the preview of an undo', async ({ staff }) => {
    await enter(staff, 'OP-1', 'Amina', 'Example');
    const { import_id } = await importRows(staff, 'results', [aResult()]);
    await importRows(staff, 'results', [aResult({ grade: 'A' })]);
    const { kept } = importUndoPreview.parse((await staff.get(`/api/imports/${import_id}/undo`)).body);
    expect(kept).toEqual([{ key: 'OP-1/1/1', name: 'Amina Example', reason: 'Changed since.' }]);
  });
});

describe.each(freshApps())('a course and a title in one row of results, on $name', ({ test }) => {
  const offer = async (by: Person, course_id: number, course_code: string, course_name: string) => {
    const course = { ...aCourse(), course_id, course_code, course_name };
    expect((await by.post('/api/courses', course)).status).toBe(201);
  };

  test('are refused where code and title contradict each other, and warned of with a number', async ({
    staff,
  }) => {
    await enter(staff, 'OP-1', 'Amina', 'Example');
    await offer(staff, 211, 'ME-211', 'Calculus');
    await offer(staff, 212, 'ME-212', 'Calculus II');
    const check = async (changes: object) => {
      const { id } = await prepareImport(staff, 'results', [aResult(changes)]);
      const [row] = await listRows(staff, id);
      return [row?.errors, row?.warnings];
    };
    const text = (title: string) =>
      `Course 211 (ME-211) is “Calculus”, not “${title}”. Correct the course or the title.`;
    for (const title of ['Fluid Mechanics', 'calculus ii']) {
      const texts = { course_code: [text(title)], title: [text(title)] };
      expect(await check({ course_code: 'me-211', title })).toEqual([texts, {}]);
    }
    expect(await check({ course_id: '211', title: 'Robotics' })).toEqual([{}, { title: [text('Robotics')] }]);
    expect(await check({ course_code: 'ME-211', title: 'Calculus and Geometry' })).toEqual([{}, {}]);
    expect(await check({ course_code: 'ME-212', title: '' })).toEqual([{}, {}]);
  });

  test('may be what the record has already', async ({ staff }) => {
    await enter(staff, 'OP-1', 'Amina', 'Example');
    await offer(staff, 211, 'ME-211', 'Physics');
    await importRows(staff, 'results', [aResult({ course_code: 'ME-211' })]);
    await staff.put('/api/courses/211', { course_code: 'ME-211', course_name: 'Optics' });
    const { preview } = await prepareImport(staff, 'results', [aResult({ course_code: 'ME-211' })]);
    expect(preview.counts).toMatchObject({ unchanged: 1, refused: 0 });
  });
});
