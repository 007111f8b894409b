import { describe, expect } from 'vitest';
import { fillClass } from '../../../tests/support/app/fill-class.ts';
import {
  aClass,
  confirmSheet,
  createSheet,
  fillSheet,
  submitSheet,
} from '../../../tests/support/app/mark-sheets.ts';
import { freshApps, getFieldErrors, type Person, sharedApps } from '../../../tests/support/app/test-app.ts';
import { parseCsv } from '../../../tests/support/csv.ts';
import { aCourse, aFamily, aSemester, aStudent } from '../../../tests/support/records.ts';
import {
  deansListReply,
  degreeChecksReply,
  rankingReply,
  resultSummaryReply,
} from '../../contract/grading/reports.ts';
import { historyReply } from '../../contract/history.ts';
import type { StudentInput } from '../../contract/students/students.ts';
import type { GradeLetter } from '../../domain/grading/gpa.ts';

/** Subjects such as `A 6, B+ 2`: letters with credit hours. */
const subjects = (text: string) =>
  text.split(', ').map((one, i) => {
    const [grade, credits] = one.split(' ');
    return { title: `Subject ${i + 1}`, grade: grade as GradeLetter, credits: Number(credits) };
  });

/** Enters a student of the class CE 44 with these semesters. */
async function enter(
  by: Person,
  id: string,
  semesters: readonly (string | object)[],
  changes: Partial<StudentInput> = {},
) {
  await by.post('/api/students', aStudent({ id, current_sem: 3, ...changes }));
  await by.post('/api/students/family', aFamily(id));
  for (const [i, semester] of semesters.entries()) {
    const { status } = await by.post(
      '/api/students/academics',
      typeof semester === 'string'
        ? aSemester(id, i + 1, subjects(semester))
        : { ...aSemester(id, i + 1, []), ...semester },
    );
    expect(status).toBe(201);
  }
}

const CLASS = 'department=CE&degree=44';
const ranking = async (by: Person, query = CLASS) =>
  rankingReply.parse((await by.get(`/api/reports/ranking?${query}`)).body);
const summary = async (by: Person, query = CLASS) =>
  resultSummaryReply.parse((await by.get(`/api/reports/result-summary?${query}`)).body);

/** Subjects with these averages. */
const AVERAGES = {
  '3.91': 'A 6, A 3, B+ 2',
  '3.78': 'A 5, B+ 4',
  '3.65': 'A 3, B+ 6, B+ 1',
  '3.52': 'A 1, B+ 6, B+ 6, B+ 6, B+ 6',
  '3.10': 'B+ 1, B 4',
};

describe.each(freshApps())('the ranking of a class, on $name', ({ test }) => {
  test('gives equal averages the same rank and skips the next one', async ({ staff, viewer }) => {
    const order = ['3.10', '3.52', '3.78', '3.52', '3.91', '3.65', '3.52', '3.78'] as const;
    for (const [i, value] of order.entries()) await enter(staff, `R-${i}`, [AVERAGES[value]]);
    await enter(staff, 'Other', ['A 3'], { degree: '45' });
    const { semester, by, of, ranked, unranked } = await ranking(viewer);
    expect({ semester, by, of, unranked }).toEqual({ semester: 1, by: 'cgpa', of: 8, unranked: [] });
    expect(ranked.map(({ rank, id, value, percentile }) => [rank, id, value, percentile])).toEqual([
      [1, 'R-4', 3.91, 93.75],
      [2, 'R-2', 3.78, 75],
      [2, 'R-7', 3.78, 75],
      [4, 'R-5', 3.65, 56.25],
      [5, 'R-1', 3.52, 31.25],
      [5, 'R-3', 3.52, 31.25],
      [5, 'R-6', 3.52, 31.25],
      [8, 'R-0', 3.1, 6.25],
    ]);
    expect(ranked[0]).toMatchObject({ first_name: 'Ayesha', last_name: 'Siddiqui', syn: 'B' });
  });

  test('is of a syndicate, semester and average', async ({ staff }) => {
    await enter(staff, 'S-1', ['C 3', 'A 3'], { syn: 'A' });
    await enter(staff, 'S-2', ['B 3', 'B 3']);
    await enter(staff, 'S-3', ['A 3', 'F 3']);
    const values = async (query: string) =>
      (await ranking(staff, `${CLASS}&${query}`)).ranked.map(({ id, value }) => [id, value]);
    expect(await values('by=sgpa')).toEqual([
      ['S-1', 4],
      ['S-2', 3],
      ['S-3', 0],
    ]);
    expect(await values('by=cgpa')).toEqual([
      ['S-1', 3],
      ['S-2', 3],
      ['S-3', 2],
    ]);
    expect(await values('by=sgpa&semester=1&syn=B')).toEqual([
      ['S-3', 4],
      ['S-2', 3],
    ]);
    expect((await ranking(staff, `${CLASS}&semester=2`)).semester).toBe(2);
  });

  test('leaves out students without complete results or who have left, with the reason', async ({
    staff,
  }) => {
    const graded = { subject_1: 'Statics', subj_credit_1: 3, subj_grade_1: 'A' };
    const ungraded = { ...graded, subject_2: 'Drawing', subj_credit_2: 2 };
    const uncredited = { ...graded, subject_2: 'Drawing', subj_grade_2: 'A' };
    await enter(staff, 'I-1', ['A 3', 'A 3']);
    await enter(staff, 'I-2', ['A 3', ungraded]);
    await enter(staff, 'I-3', ['A 3', uncredited]);
    await enter(staff, 'I-4', ['A 3']);
    await enter(staff, 'I-5', []);
    await enter(staff, 'I-6', [ungraded, 'A 3']);
    await enter(staff, 'I-7', ['A 3', 'A 3']);
    await enter(staff, 'I-8', ['A 3', 'A 3']);
    await staff.put('/api/students/I-7/status', { status: 'withdrawn', reason: 'Moved away' });
    await staff.put('/api/students/I-8/status', { status: 'graduated', reason: null });
    const byCgpa = await ranking(staff);
    expect(byCgpa).toMatchObject({ semester: 2, of: 2, ranked: [{ id: 'I-1' }, { id: 'I-8' }] });
    expect(byCgpa.unranked.map(({ id, reason }) => [id, reason])).toEqual([
      ['I-2', '1 subject without a grade'],
      ['I-3', '1 subject without credit hours'],
      ['I-4', 'Semester 2 is not recorded'],
      ['I-5', 'Semester 2 is not recorded'],
      ['I-6', '1 subject without a grade'],
      ['I-7', 'Withdrawn'],
    ]);
    const bySgpa = await ranking(staff, `${CLASS}&by=sgpa`);
    expect(bySgpa.ranked.map(({ id }) => id)).toEqual(['I-1', 'I-6', 'I-8']);
    const empty = await ranking(staff, 'department=ME&degree=44');
    expect(empty).toEqual({ semester: null, by: 'cgpa', of: 0, ranked: [], unranked: [] });
  });

  test('by CGPA leaves out students with a provisional semester up to the reported one', async ({
    app,
    staff,
  }) => {
    for (const id of ['V-1', 'V-2', 'V-3']) await enter(staff, id, ['A 3', 'B 3', 'C 3']);
    for (const [id, semester] of [['V-1', 1] as const, ['V-2', 3] as const]) {
      await app.db.write
        .updateTable('semesters')
        .set({ is_provisional: 1 })
        .where('student_id', '=', id)
        .where('semester', '=', semester)
        .execute();
    }
    const read = async (query: string) => {
      const { ranked, unranked } = await ranking(staff, `${CLASS}&${query}`);
      return [ranked.map(({ id }) => id), unranked.map(({ id, reason }) => `${id}: ${reason}`)];
    };
    expect(await read('by=cgpa&semester=2')).toEqual([['V-2', 'V-3'], ['V-1: Semester 1 is provisional']]);
    expect(await read('by=sgpa&semester=2')).toEqual([['V-1', 'V-2', 'V-3'], []]);
    expect(await read('by=sgpa&semester=3')).toEqual([['V-1', 'V-3'], ['V-2: Semester 3 is provisional']]);
  });
});

describe.each(freshApps())('the reports of a class, on $name', ({ test }) => {
  test('sum up the results, and list the students whom they count', async ({ app, staff }) => {
    await enter(staff, 'P-1', ['A 3, A 3']);
    await enter(staff, 'P-2', ['B 3, C 3']);
    await enter(staff, 'P-3', ['F 3, A 3']);
    await enter(staff, 'P-4', ['F 3, F 3']);
    await enter(staff, 'P-5', ['F 1, F 1, F 1, F 1']);
    await enter(staff, 'P-6', [{ subject_1: 'Statics', subj_credit_1: 3 }]);
    await enter(staff, 'P-7', []);
    const { students, ...figures } = await summary(staff);
    expect(figures).toEqual({
      semester: 1,
      entered: 6,
      provisional: 0,
      complete: 5,
      passed_all: 2,
      fails: { '1': 1, '2': 1, '3+': 1 },
      pass_share: 0.4,
      mean_sgpa: 1.7,
      median_sgpa: 2,
      highest_sgpa: 4,
    });
    expect(students.map(({ id, sgpa, fails, is_complete }) => [id, sgpa, fails, is_complete])).toEqual([
      ['P-1', 4, 0, true],
      ['P-2', 2.5, 0, true],
      ['P-3', 2, 1, true],
      ['P-4', 0, 2, true],
      ['P-5', 0, 4, true],
      ['P-6', 0, 0, false],
    ]);
    await app.db.write
      .updateTable('semesters')
      .set({ is_provisional: 1 })
      .where('student_id', '=', 'P-4')
      .execute();
    const withProvisional = await summary(staff);
    expect(withProvisional).toMatchObject({ entered: 5, provisional: 1, complete: 4 });
    expect(withProvisional.students.map(({ id }) => id)).toEqual(['P-1', 'P-2', 'P-3', 'P-5', 'P-6']);
    const file = await staff.get(`/api/reports/export.csv?report=result-summary&${CLASS}`);
    expect(file.text).not.toContain('P-4');
    expect(await summary(staff, `${CLASS}&semester=2`)).toMatchObject({
      ...{ entered: 0, complete: 0, pass_share: null, mean_sgpa: null, students: [] },
    });
    expect((await staff.get('/api/reports/classes')).body).toEqual([
      { department: 'CE', degree: '44', syn: 'B', students: 7 },
    ]);
  });

  test('take a withdrawn or excused course for final, and only an I or a missing grade for incomplete', async ({
    app,
    admin,
    staff,
  }) => {
    const own = await aClass({ app, admin }, 5);
    const [failed = '', missed = '', withdrawn = '', incomplete = '', excused = ''] = own.ids;
    /** A sheet of a course with these marks or row statuses, by student. */
    const record = async (rows: Readonly<Record<string, number | string>>) => {
      const course = aCourse();
      expect((await admin.post('/api/courses', course)).status).toBe(201);
      const created = await createSheet(
        staff,
        { ...own, course_id: course.course_id },
        { ids: Object.keys(rows) },
      );
      const marks = created.rows.map(({ student_id }) => Number(rows[student_id]) || null);
      const sheet = await fillSheet(staff, created, marks);
      for (const [id, status] of Object.entries(rows)) {
        if (typeof status === 'number') continue;
        const row = { status, reason: 'Agreed with the board' };
        expect((await staff.put(`/api/sheets/${sheet.sheet_id}/rows/${id}`, row)).status).toBe(200);
      }
      await submitSheet(staff, sheet);
      await confirmSheet(admin, sheet);
    };
    await record({ [failed]: 10, [missed]: 10, [withdrawn]: 88, [incomplete]: 88, [excused]: 'withdrawn' });
    await record({
      [failed]: 20,
      [missed]: 72,
      [withdrawn]: 'withdrawn',
      [incomplete]: 'incomplete',
      [excused]: 'excused',
    });
    await record({ [failed]: 'withdrawn', [missed]: 'incomplete', [withdrawn]: 'excused', [incomplete]: 88 });
    const notified = await admin.post('/api/result-notifications', {
      ...{ term_id: own.term_id, department: 'CE', degree: own.degree, semester: 1 },
    });
    expect(notified.status, notified.text).toBe(201);
    const ofClass = `department=CE&degree=${own.degree}`;
    const { students, ...figures } = await summary(staff, ofClass);
    // Complete are the one with two F and a W, the one with an A, a W and an E, and the one who took nothing in the end.
    expect(figures).toEqual({
      ...{ semester: 1, entered: 5, provisional: 0, complete: 3, passed_all: 2 },
      ...{ fails: { '1': 1, '2': 1, '3+': 0 }, pass_share: 0.67 },
      ...{ mean_sgpa: 2, median_sgpa: 2, highest_sgpa: 4 },
    });
    expect(
      students.map(({ id, fails, is_complete, is_graded }) => [id, fails, is_complete, is_graded]),
    ).toEqual([
      [failed, 2, true, true],
      [missed, 1, false, true],
      [withdrawn, 0, true, true],
      [incomplete, 0, false, true],
      [excused, 0, true, false],
    ]);
    for (const by of ['cgpa', 'sgpa']) {
      const { ranked, unranked } = await ranking(staff, `${ofClass}&by=${by}`);
      expect(ranked.map(({ rank, id, value }) => [rank, id, value])).toEqual([
        [1, withdrawn, 4],
        [2, failed, 0],
      ]);
      expect(unranked.map(({ id, reason }) => [id, reason])).toEqual([
        [missed, '1 subject without a grade'],
        [incomplete, '1 subject without a grade'],
        [excused, 'No grade in semester 1'],
      ]);
    }
    const list = deansListReply.parse((await staff.get(`/api/reports/deans-list?${ofClass}`)).body);
    expect(list.students.filter((one) => one.is_listed).map(({ id }) => id)).toEqual([withdrawn]);
  });

  test("name each condition of the dean's list, with the limit of the policy", async ({ admin }) => {
    await enter(admin, 'D-1', ['A 3, B+ 3']);
    await enter(admin, 'D-2', ['A 6, A 6, A 6, A 6, F 3']);
    await enter(admin, 'D-3', ['B 3']);
    await enter(admin, 'D-4', [
      { ...{ subject_1: 'Statics', subj_credit_1: 3, subj_grade_1: 'A' }, subject_2: 'Drawing' },
    ]);
    const read = async () => deansListReply.parse((await admin.get(`/api/reports/deans-list?${CLASS}`)).body);
    const list = await read();
    expect(list).toMatchObject({ semester: 1, listed: 1, least_sgpa: 3.5 });
    expect(
      list.students.map(({ id, is_listed, has_sgpa, is_complete, has_no_fails }) => [
        ...[id, is_listed, has_sgpa, is_complete, has_no_fails],
      ]),
    ).toEqual([
      ['D-4', false, true, false, true],
      ['D-1', true, true, true, true],
      ['D-2', false, true, true, false],
      ['D-3', false, false, true, true],
    ]);
    const policy = { name: 'Stricter', degrees: ['44'], rules: { deans_list_sgpa: 3.8 } };
    const { fingerprint } = (await admin.post('/api/policies/preview', policy)).body as {
      fingerprint: string;
    };
    await admin.post('/api/policies', { ...policy, fingerprint });
    expect(await read()).toMatchObject({ listed: 0, least_sgpa: 3.8 });
  });

  test('check the degree of the students in the last semester as their own call does', async ({ staff }) => {
    const whole = Array.from({ length: 8 }, () => 'A 6, A 6, A 6');
    await enter(staff, 'G-1', whole, { current_sem: 8 });
    await enter(staff, 'G-2', whole.slice(0, 7), { current_sem: 8 });
    await enter(staff, 'G-3', whole.slice(0, 6), { current_sem: 7 });
    await enter(staff, 'G-4', [], { current_sem: 8 });
    await staff.put('/api/students/G-4/status', { status: 'on-leave', reason: 'Ill' });
    const checks = degreeChecksReply.parse((await staff.get(`/api/reports/degree-check?${CLASS}`)).body);
    expect(checks).toMatchObject({
      passed: 0,
      students: [
        { id: 'G-1', passed: null },
        { id: 'G-2', passed: false },
      ],
    });
    expect(checks.students).toHaveLength(2);
    for (const { id, passed, lines } of checks.students) {
      expect((await staff.get(`/api/students/${id}/degree-check`)).body).toEqual({ passed, lines });
    }
  });

  test('can be saved as files, of which the history has an entry each', async ({ admin, viewer }) => {
    await enter(admin, 'E-1', ['A 3, F 3'], { first_name: '=1+1', last_name: '@sum' });
    await enter(admin, 'E-2', ['B 3']);
    const get = (report: string, format = 'csv', more = '') =>
      viewer.get(`/api/reports/export.${format}?report=${report}&${CLASS}${more}`);
    const csv = await get('ranking');
    expect(csv.headers['content-type']).toMatch(/^text\/csv/);
    expect(csv.headers['content-disposition']).toMatch(/filename="ranking-\d{4}-\d\d-\d\d\.csv"/);
    expect(parseCsv(csv.text)).toEqual([
      ['Rank', 'CMS ID', 'First Name', 'Last Name', 'Syndicate', 'CGPA', 'Percentile', 'Why not ranked'],
      ['1', 'E-2', 'Ayesha', 'Siddiqui', 'B', '3', '75', ''],
      ['2', 'E-1', "'=1+1", "'@sum", 'B', '2', '25', ''],
    ]);
    const rows = async (...asked: Parameters<typeof get>) => parseCsv((await get(...asked)).text).slice(1);
    expect(await rows('result-summary', 'csv', '&group=1')).toEqual([
      ['E-1', "'=1+1", "'@sum", 'B', '2', '2', '1', 'Yes'],
    ]);
    expect(await rows('deans-list')).toEqual([
      ['E-2', 'Ayesha', 'Siddiqui', 'B', '3', 'No', 'Yes', 'Yes', 'No'],
      ['E-1', "'=1+1", "'@sum", 'B', '2', 'No', 'Yes', 'No', 'No'],
    ]);
    expect(await rows('degree-check')).toEqual([]);
    const workbook = await get('deans-list', 'xlsx');
    expect(workbook.headers['content-type']).toContain('spreadsheetml');
    expect(workbook.text.startsWith('PK')).toBe(true);

    const { entries } = historyReply.parse((await admin.get('/api/history?entity=export')).body);
    expect(entries).toHaveLength(5);
    expect(entries.at(-1)).toMatchObject({ action: 'create', user: { id: viewer.user.id } });
    expect(entries.at(-1)?.changes.map(({ field, after }) => [field, after])).toEqual([
      ['report', 'ranking'],
      ['format', 'csv'],
      ['view', '{"department":"CE","degree":"44","by":"cgpa"}'],
      ['rows', 2],
    ]);
  });
});

describe.each(freshApps())('the log of reads, on $name', ({ test }) => {
  test('has an entry for more than 1,000 rows of reports in a session', async ({ app, admin, staff }) => {
    const degree = await fillClass(app.db.write, 201);
    const entries = async () =>
      historyReply.parse((await admin.get('/api/history?entity=list')).body).entries;
    for (let i = 0; i < 4; i += 1) await ranking(staff, `department=CE&degree=${degree}`);
    expect(await entries()).toEqual([]);
    await ranking(staff, `department=CE&degree=${degree}&by=sgpa`);
    await expect.poll(async () => (await entries()).length).toBe(1);
    expect((await entries())[0]?.changes).toMatchObject([
      { label: 'Call', after: 'GET /api/reports' },
      { label: 'Rows', after: 'more than 1000' },
    ]);
  });
});

describe.each(sharedApps())('the routes of the reports, on $name', ({ test }) => {
  const REPORTS = ['ranking', 'result-summary', 'deans-list', 'degree-check'];

  test.for([
    '/api/reports/classes',
    ...REPORTS.map((report) => `/api/reports/${report}?${CLASS}`),
    ...REPORTS.map((report) => `/api/reports/export.csv?report=${report}&${CLASS}`),
    `/api/reports/export.xlsx?report=ranking&${CLASS}`,
  ])('%s is open to every signed-in user only', async (url, { app, viewer }) => {
    expect((await viewer.get(url)).status).toBe(200);
    expect((await app.call('GET', url)).status).toBe(401);
  });

  test.for([
    ['ranking?degree=44', { department: ['The department field is required.'] }],
    ['ranking?department=XX&degree=44', { department: [expect.any(String)] }],
    ['ranking?department=CE', { degree: ['The degree field is required.'] }],
    [`ranking?${CLASS}&by=name`, { by: ['The by must be one of cgpa, sgpa.'] }],
    [`ranking?${CLASS}&semester=9`, { semester: ['The semester must be a whole number from 1 to 8.'] }],
    [`ranking?${CLASS}&syn=D`, { syn: [expect.any(String)] }],
    [`result-summary?${CLASS}&by=cgpa`, { by: ['There is no such parameter.'] }],
    [`degree-check?${CLASS}&semester=8`, { semester: ['There is no such parameter.'] }],
    [`export.csv?${CLASS}`, { report: ['The report field is required.'] }],
    [`export.csv?report=ranking&${CLASS}&group=4`, { group: [expect.any(String)] }],
  ] as const)('refuse invalid parameters: %s', async ([call, errors], { staff }) => {
    expect(getFieldErrors(await staff.get(`/api/reports/${call}`))).toEqual(errors);
  });
});
