import { describe, expect } from 'vitest';
import { findings } from '../../../tests/support/app/findings.ts';
import {
  importRows,
  listRows,
  prepareImport,
  previewRows,
  toCsv,
  uploadFile,
} from '../../../tests/support/app/import-file.ts';
import { freshApps, type Person } from '../../../tests/support/app/test-app.ts';
import { aCourse, aFamily, aSemester, aStudent } from '../../../tests/support/records.ts';
import { policyPreview } from '../../contract/grading/policies.ts';
import { historyReply } from '../../contract/history.ts';
import { importUndoneReply, importUndoPreview } from '../../contract/imports.ts';
import { recordReply } from '../../contract/students/students.ts';

async function enter(by: Person, id: string, current_sem = 3): Promise<void> {
  expect((await by.post('/api/students', aStudent({ id, current_sem }))).status).toBe(201);
  expect((await by.post('/api/students/family', aFamily(id))).status).toBe(201);
}

/** A course of the catalogue. */
async function offer(by: Person, course_id: number, course_code: string, course_name = 'Thermodynamics') {
  const course = { ...aCourse(), course_id, course_code, course_name };
  expect((await by.post('/api/courses', course)).status).toBe(201);
}

const aRow = (changes: Record<string, unknown> = {}) => ({
  ...{
    student_id: 'R-1',
    semester: 1,
    course_code: '',
    course_id: '',
    title: 'Physics',
    credits: 3,
    grade: 'B+',
  },
  ...changes,
});

const readAcademics = async (by: Person, id = 'R-1') =>
  recordReply.parse((await by.get(`/api/students/${id}`)).body)?.academics ?? [];

const readAverages = async (by: Person, id = 'R-1') =>
  (await readAcademics(by, id)).map(({ sgpa, cgpa }) => [sgpa, cgpa]);

/** The errors of each row, null where it is not refused. */
const findErrors = async (by: Person, rows: readonly object[], choices: object = {}) => {
  const { id } = await prepareImport(by, 'results', rows, choices);
  return (await listRows(by, id)).map(({ state, errors }) => (state === 'refused' ? errors : null));
};

async function undo(by: Person, id: number) {
  const preview = importUndoPreview.parse((await by.get(`/api/imports/${id}/undo`)).body);
  const answer = await by.post(`/api/imports/${id}/undo`, { fingerprint: preview.fingerprint });
  expect(answer.status, answer.text).toBe(200);
  return { preview, done: importUndoneReply.parse(answer.body) };
}

describe.each(freshApps())('an import of results, on $name', ({ test }) => {
  test('reads any number of rows of one student, each with another subject', async ({ staff }) => {
    await enter(staff, 'R-1');
    await offer(staff, 301, 'ME-301');
    const named = [
      aRow({ course_code: 'me-301', title: 'Thermodynamics' }),
      aRow({ course_id: 301, title: '' }),
    ];
    const others = Array.from({ length: 34_000 }, (_, i) => aRow({ title: `Subject ${i}` }));
    const { preview } = await prepareImport(staff, 'results', [...named, ...others]);
    expect(preview.counts).toEqual({ create: 10, update: 0, unchanged: 0, refused: 33_992 });
  });

  test('groups rows to semesters in order, with exact averages', async ({ app, staff }) => {
    await enter(staff, 'R-1');
    await enter(staff, 'R-2');
    const rows = [
      aRow({ semester: 2, title: 'Dynamics', credits: 4, grade: 'C' }),
      aRow({ grade: 'A' }),
      aRow({ student_id: 'R-2', grade: '2.5' }),
      aRow({ title: 'Calculus', credits: 2, grade: 'b+' }),
      aRow({ title: 'Drawing', credits: 1, grade: '' }),
    ];
    const { id, preview } = await prepareImport(staff, 'results', rows);
    expect(preview.counts).toEqual({ create: 5, update: 0, unchanged: 0, refused: 0 });
    expect((await listRows(staff, id)).map(({ key }) => key)).toEqual([
      ...['R-1/2/1', 'R-1/1/1', 'R-2/1/1', 'R-1/1/2', 'R-1/1/3'],
    ]);
    expect(await readAcademics(staff)).toEqual([]);
    await importRows(staff, 'results', rows);
    // (3 × 4 + 2 × 3.5) ÷ 5 = 3.8; with 4 × 2: 27 ÷ 9.
    expect(await readAverages(staff)).toEqual([
      [3.8, 3.8],
      [2, 3],
    ]);
    expect(await readAverages(staff, 'R-2')).toEqual([[2.5, 2.5]]);
    expect((await readAcademics(staff))[0]).toMatchObject({
      ...{ subject_1: 'Physics', subj_grade_1: 4, subject_2: 'Calculus', subj_grade_2: 3.5 },
      ...{ subject_3: 'Drawing', subj_credit_3: 1, subj_grade_3: null, subject_4: null },
    });
    expect(await findings(app)).toEqual([]);
  });

  test('are counted in insights and the history as those of the form', async ({ staff, app }) => {
    await enter(staff, 'R-1');
    await offer(staff, 41, 'ME-41');
    await importRows(staff, 'results', [aRow({ title: '', credits: '', course_id: 41 })]);
    const { entries } = historyReply.parse((await staff.get('/api/students/R-1/history')).body);
    expect(entries[0]).toMatchObject({ action: 'create', entity: 'semester', semester: 1 });
    const [academic] = await readAcademics(staff);
    expect(academic).toMatchObject({ subject_1: 'Thermodynamics', subject_1_id: 41, subj_credit_1: 3 });
    const counts = await app.db.read.selectFrom('course_results').selectAll().execute();
    expect(counts).toEqual([{ course_id: 41, half_points: 7, results: 1 }]);
  });

  test('changes recorded semesters, with the CGPA of later ones', async ({ app, staff }) => {
    await enter(staff, 'R-1');
    for (const semester of [1, 2]) {
      const results = aSemester('R-1', semester, [{ title: 'Physics', credits: 3, grade: 'C' }]);
      expect((await staff.post('/api/students/academics', results)).status).toBe(201);
    }
    const rows = [
      aRow({ title: ' physics', credits: '', grade: 'A' }),
      aRow({ title: 'Calculus', credits: 3, grade: 'B' }),
      aRow({ semester: 2, credits: 3, grade: 'C' }),
    ];
    const { id, preview } = await prepareImport(staff, 'results', rows);
    expect(preview.counts).toEqual({ create: 1, update: 1, unchanged: 1, refused: 0 });
    expect((await listRows(staff, id))[0]).toMatchObject({
      ...{ state: 'update', key: 'R-1/1/1' },
      changes: [
        { field: 'title', before: 'Physics', after: 'physics' },
        { field: 'grade', before: 'C', after: 'A' },
      ],
    });
    await importRows(staff, 'results', rows);
    expect(await readAverages(staff)).toEqual([
      [3.5, 3.5],
      [2, 3],
    ]);
    expect(await findings(app)).toEqual([]);
  });

  test('counts repeated courses as the policy of the batch says', async ({ app, admin, staff }) => {
    const policy = { degrees: null, rules: { repeat_policy: 'best' } };
    const { fingerprint } = policyPreview.parse((await admin.post('/api/policies/preview', policy)).body);
    const made = await admin.post('/api/policies', { name: 'Repeats', ...policy, fingerprint });
    expect(made.status).toBe(201);
    await enter(staff, 'R-1');
    await offer(staff, 81, 'CS-81');
    await importRows(staff, 'results', [
      aRow({ course_id: 81, grade: 'F' }),
      aRow({ semester: 2, course_id: 81, grade: 'B' }),
    ]);
    expect(await readAverages(staff)).toEqual([
      [0, 0],
      [3, 3],
    ]);
    expect(await findings(app)).toEqual([]);
  });

  test('keeps what is blank and empties what says so', async ({ staff }) => {
    await enter(staff, 'R-1');
    await importRows(staff, 'results', [aRow()]);
    await importRows(staff, 'results', [aRow({ credits: '[clear]', grade: '' })]);
    expect((await readAcademics(staff))[0]).toMatchObject({
      subj_credit_1: null,
      subj_grade_1: 3.5,
      sgpa: 0,
    });
  });

  test('takes courses by code and by number, also for subjects that had none', async ({ staff }) => {
    await enter(staff, 'R-1');
    await offer(staff, 51, 'CS-51', 'Physics');
    await offer(staff, 52, 'CS-52', 'Calculus');
    await importRows(staff, 'results', [aRow(), aRow({ title: '', course_code: 'cs-52' })]);
    await importRows(staff, 'results', [aRow({ course_code: 'CS-51', course_id: 51, grade: 'A' })]);
    expect((await readAcademics(staff))[0]).toMatchObject({
      ...{ subject_1: 'Physics', subject_1_id: 51, subj_grade_1: 4 },
      ...{ subject_2: 'Calculus', subject_2_id: 52, subject_3: null },
    });
  });

  test('refuses what the form refuses, with its texts', async ({ staff }) => {
    await enter(staff, 'R-1', 2);
    expect((await staff.post('/api/students', aStudent({ id: 'R-9' }))).status).toBe(201);
    await offer(staff, 61, 'CS-61');
    await offer(staff, 62, 'CS-61');
    const grades = 'must be one of A, B+, B, C+, C, D+, D, F.';
    const rows: [Record<string, unknown>, Record<string, string[]>][] = [
      [{ student_id: 'R-0' }, { student_id: ['The student id must be that of an existing student.'] }],
      [{ student_id: 'R-9' }, { student_id: ['Enter the family details of the student first.'] }],
      [{ student_id: '' }, { student_id: ['The student id field is required.'] }],
      [
        { student_id: '2.02E+14' },
        {
          student_id: [
            'The student id is rounded in the file (2.02E+14). Format the column as text there, and enter all digits.',
          ],
        },
      ],
      [{ semester: 9 }, { semester: ['The semester must be a whole number from 1 to 8.'] }],
      [{ semester: 2 }, { semester: ['The semester must be 1, the next one to record.'] }],
      [{ title: '' }, { title: ['The title field is required.'] }],
      [{ title: 'A', credits: 7 }, { credits: ['The credits must be a whole number from 1 to 6.'] }],
      [{ title: 'B', grade: 'E' }, { grade: [`The grade ${grades}`] }],
      [{ title: 'C', grade: '3.7' }, { grade: [`The grade ${grades}`] }],
      [{ course_id: 999 }, { course_id: ['The course id must be that of an existing course.'] }],
      [{ course_code: 'CS-99' }, { course_code: ['The course code must be that of an existing course.'] }],
      [
        { course_code: 'CS-61' },
        { course_code: ['Several courses have the code CS-61. Give the course id.'] },
      ],
      [
        { course_code: 'CS-61', course_id: 60 },
        { course_code: ['The course code must be that of course 60.'] },
      ],
    ];
    expect(
      await findErrors(
        staff,
        rows.map(([changes]) => aRow(changes)),
      ),
    ).toEqual(rows.map(([, errors]) => errors));
  });

  test('refuses more semesters than the student has begun, and more than ten subjects', async ({ staff }) => {
    await enter(staff, 'R-1', 1);
    const subjects = Array.from({ length: 11 }, (_, i) => aRow({ title: `Subject ${i}` }));
    const errors = await findErrors(staff, [...subjects, aRow({ semester: 2 })]);
    expect(errors.slice(9)).toEqual([
      null,
      { title: ['10 is the maximum number of subjects per semester'] },
      { semester: ['The semester must not be past the current one: all up to it have been recorded.'] },
    ]);
  });

  test('passes by rows without a result, as the export has them', async ({ staff }) => {
    await enter(staff, 'R-1');
    const nothing = aRow({ semester: '', title: '', credits: '', grade: '' });
    const { id, preview } = await prepareImport(staff, 'results', [nothing, aRow({ semester: '' })]);
    expect(preview.counts).toMatchObject({ unchanged: 1, refused: 1 });
    expect((await listRows(staff, id))[0]?.warnings).toEqual({ student_id: ['The row has no result.'] });
  });

  test('refuses a semester after one of which no row is good', async ({ staff }) => {
    await enter(staff, 'R-1');
    const rows = [aRow({ grade: 'E' }), aRow({ semester: 2 })];
    expect((await findErrors(staff, rows))[1]).toEqual({
      semester: ['The semester must be 1, the next one to record.'],
    });
  });

  test('refuses rows that give one subject different grades, and takes equal ones once', async ({
    staff,
  }) => {
    await enter(staff, 'R-1');
    const twice = { title: ['The subject is in lines 2, 3, with different values. Keep one of them.'] };
    expect(await findErrors(staff, [aRow(), aRow({ grade: 'F' })])).toEqual([twice, twice]);
    const { preview } = await prepareImport(staff, 'results', [aRow(), aRow()]);
    expect(preview.counts).toMatchObject({ create: 1, unchanged: 1, refused: 0 });
  });

  test('creates only or changes only, as chosen', async ({ staff }) => {
    await enter(staff, 'R-1');
    await importRows(staff, 'results', [aRow()]);
    const rows = [aRow({ grade: 'A' }), aRow({ title: 'Calculus' })];
    expect(await findErrors(staff, rows, { mode: 'create' })).toEqual([
      { title: ['The subject has already been taken.'] },
      null,
    ]);
    expect(await findErrors(staff, rows, { mode: 'update' })).toEqual([
      null,
      { title: ['The semester has no such subject.'] },
    ]);
  });

  test('reads a column per course', async ({ app, staff }) => {
    await enter(staff, 'R-1');
    await enter(staff, 'R-2');
    await offer(staff, 71, 'CS-71', 'Programming');
    await offer(staff, 72, 'CS-72', 'Physics');
    const text = 'CMS ID,Name,CS-71,72,Remarks\nR-1,Ayesha,A,B+,good\nR-2,Siddiqui,,F,\n';
    const uploaded = await uploadFile(staff, 'results', text);
    const choices = { layout: 'column-per-course', values: { semester: '1' } };
    const preview = await previewRows(staff, uploaded, choices);
    expect(preview.counts).toEqual({ create: 2, update: 0, unchanged: 0, refused: 0 });
    expect((await listRows(staff, uploaded.import_id))[0]).toMatchObject({
      key: 'R-1/1',
      changes: [
        { field: 'grade CS-71', before: null, after: 'A' },
        { field: 'grade 72', before: null, after: 'B+' },
      ],
    });
    const { fingerprint } = preview;
    const applied = await staff.post(`/api/imports/${uploaded.import_id}/apply`, { fingerprint });
    expect(applied.status, applied.text).toBe(200);
    expect((await readAcademics(staff))[0]).toMatchObject({
      ...{ subject_1_id: 71, subject_1: 'Programming', subj_grade_1: 4, subj_credit_1: 3 },
      ...{ subject_2_id: 72, subj_grade_2: 3.5, sgpa: 3.75 },
    });
    expect((await readAcademics(staff, 'R-2'))[0]).toMatchObject({ subject_1_id: 72, subj_grade_1: 0 });
    expect(await findings(app)).toEqual([]);
  });

  test('finds the course of a column by its title, after its ID and code', async ({ staff }) => {
    await enter(staff, 'R-1');
    await offer(staff, 71, 'CS-71', 'Digital Logic');
    await offer(staff, 72, 'CS-72', 'Élan Vital');
    // The code of one is the title of another.
    await offer(staff, 73, 'CS-73', 'CS-74');
    await offer(staff, 74, 'CS-74', 'Optics');
    const rows = [{ student_id: 'R-1', semester: 1, 'digital logic': 'A', 'Élan vital': 'B', 'CS-74': 'A' }];
    const uploaded = await uploadFile(staff, 'results', toCsv(rows));
    await previewRows(staff, uploaded, { layout: 'column-per-course' });
    expect(await listRows(staff, uploaded.import_id)).toMatchObject([
      { state: 'create', changes: [{ after: 'A' }, { after: 'B' }, { after: 'A' }] },
    ]);
  });

  test('finds the course of a column by a code without its hyphen, or as the one that was chosen', async ({
    staff,
  }) => {
    await enter(staff, 'R-1');
    await offer(staff, 71, 'CS-71', 'Programming');
    await offer(staff, 72, 'CS-72', 'Physics');
    const text = 'CMS ID,Semester,cs 71,Elective\nR-1,1,A,B+\n';
    const uploaded = await uploadFile(staff, 'results', text);
    const mapping = { student_id: 0, semester: 1, 'grade cs 71': 2, 'grade 72': 3 };
    const { fingerprint } = await previewRows(staff, uploaded, { layout: 'column-per-course', mapping });
    expect(await listRows(staff, uploaded.import_id)).toMatchObject([
      {
        state: 'create',
        changes: [
          { field: 'grade cs 71', after: 'A' },
          { field: 'grade 72', after: 'B+' },
        ],
      },
    ]);
    const applied = await staff.post(`/api/imports/${uploaded.import_id}/apply`, { fingerprint });
    expect(applied.status, applied.text).toBe(200);
    expect((await readAcademics(staff))[0]).toMatchObject({ subject_1_id: 71, subject_2_id: 72 });
  });

  test('refuses a column whose heading is the title of several courses', async ({ staff }) => {
    await enter(staff, 'R-1');
    await offer(staff, 71, 'CS-71', 'Physics');
    await offer(staff, 72, 'CS-72', 'Physics');
    const rows = [{ student_id: 'R-1', semester: 1, Physics: 'A' }];
    expect(await findErrors(staff, rows, { layout: 'column-per-course' })).toEqual([
      {
        'grade Physics': [
          'Several courses have the code or title “Physics”. Put the course ID in its place in the headings.',
        ],
      },
    ]);
  });

  test('refuses a row with a grade of an unknown course, at its column', async ({ staff }) => {
    await enter(staff, 'R-1');
    const rows = [{ student_id: 'R-1', semester: 1, 'CS-99': 'A' }];
    expect(await findErrors(staff, rows, { layout: 'column-per-course' })).toEqual([
      { 'grade CS-99': ['There is no course with the ID, code or title “CS-99”.'] },
    ]);
  });

  test('is undone as a whole, with the results as they were', async ({ app, staff }) => {
    await enter(staff, 'R-1');
    await importRows(staff, 'results', [aRow({ grade: 'C' })]);
    const before = await readAcademics(staff);
    const imported = await importRows(staff, 'results', [
      aRow({ grade: 'A' }),
      aRow({ title: 'Calculus' }),
      aRow({ semester: 2 }),
    ]);
    const { preview, done } = await undo(staff, imported.import_id);
    expect(preview).toMatchObject({ undone: 3, kept: [], refused: null });
    expect(done).toMatchObject({ undone: 3, kept: [] });
    expect(await readAcademics(staff)).toEqual(before);
    expect(await findings(app)).toEqual([]);
  });

  test('keeps semesters on undo that were changed since, and those below a later one', async ({
    app,
    staff,
  }) => {
    await enter(staff, 'R-1');
    await enter(staff, 'R-2');
    const imported = await importRows(staff, 'results', [
      ...[1, 2].map((semester) => aRow({ semester })),
      aRow({ student_id: 'R-2' }),
    ]);
    await importRows(staff, 'results', [aRow({ semester: 2, grade: 'F' })]);
    const { done } = await undo(staff, imported.import_id);
    expect(done).toMatchObject({
      undone: 1,
      kept: [
        { key: 'R-1/2/1', reason: 'Changed since.' },
        { key: 'R-1/1/1', reason: 'A later semester is recorded.' },
      ],
    });
    expect(await readAcademics(staff, 'R-2')).toEqual([]);
    expect(await readAverages(staff)).toHaveLength(2);
    expect(await findings(app)).toEqual([]);
  });

  test('is refused when results changed after the preview', async ({ staff }) => {
    await enter(staff, 'R-1');
    const { id, preview } = await prepareImport(staff, 'results', [aRow()]);
    const results = aSemester('R-1', 1, [{ title: 'Dynamics', credits: 3, grade: 'C' }]);
    expect((await staff.post('/api/students/academics', results)).status).toBe(201);
    const answer = await staff.post(`/api/imports/${id}/apply`, { fingerprint: preview.fingerprint });
    expect(answer.status).toBe(412);
  });
});
