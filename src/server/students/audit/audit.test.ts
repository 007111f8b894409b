import { describe, expect } from 'vitest';
import { findings } from '../../../../tests/support/app/findings.ts';
import { aClass, createSheet } from '../../../../tests/support/app/mark-sheets.ts';
import {
  addCourses,
  addScheme,
  addStudent,
  aRow,
  auditOf,
  refusedFields,
  statesOf,
} from '../../../../tests/support/app/schemes.ts';
import { freshApps, type Person } from '../../../../tests/support/app/test-app.ts';
import { aFamily, aSemester, aStudent, unique } from '../../../../tests/support/records.ts';
import { cgpaReply, degreeCheckReply } from '../../../contract/grading/grading.ts';
import { auditReportReply } from '../../../contract/grading/reports.ts';
import { historyReply } from '../../../contract/history.ts';
import { schemeSubjectsReply } from '../../../contract/schemes/audit.ts';

const COURSES = { 'EE-451': 451, 'EE-452': 452, 'EE-453': 453, 'EE-100': 100 };
const REASON = 'Decided by the faculty board.';

/** Two electives that share a course. */
async function addElectives(admin: Person, staff: Person) {
  await addCourses(admin, COURSES);
  await addStudent(staff, '46');
  return addScheme(
    admin,
    ['46'],
    [
      aRow([451, 452], { key: 'A', title: 'Elective I' }),
      aRow([452, 453], {
        key: 'B',
        title: 'Elective II',
        needs: [{ course_id: 100, kind: 'beside' }],
        semester: 2,
      }),
      aRow([100], { key: 'C' }),
    ],
  );
}

describe.each(freshApps())('the audit of a student, on $name', ({ test }) => {
  test('has nothing without a scheme', async ({ admin, staff, viewer }) => {
    await addCourses(admin, COURSES);
    const id = await addStudent(staff, '46', [[[451, 'A']]]);
    expect(await auditOf(viewer, id)).toEqual({
      ...{ scheme: null, complete: null, rows: [], extra: [], exceptions: [], outside_credits: [] },
      credits: { required: 136, earned: 3, outside: 0, total: 3 },
      missing_credits: 133,
    });
    const subjects = await viewer.get(`/api/students/${id}/scheme-subjects?semester=1`);
    expect(subjects.body).toEqual({ scheme_id: null, subjects: [] });
    expect((await viewer.get('/api/students/nobody/audit')).status).toBe(404);
  });

  test('fills the rows, and explains what is missing', async ({ admin, staff, viewer }) => {
    const { scheme_id, number, name } = await addElectives(admin, staff);
    const one = await addStudent(staff, '46', [[[452, 'B']]]);
    expect(await auditOf(viewer, one)).toMatchObject({
      scheme: { scheme_id, number, name },
      complete: false,
      rows: [
        {
          ...{ key: 'A', state: 'passed', credits: 3, options: [] },
          filled_by: {
            ...{ kind: 'attempt', course_id: 452, letter: 'B', credits: 3, semester: 1, slot: 1 },
            ...{ sheet_id: null, outside_id: null },
          },
        },
        {
          key: 'C',
          state: 'open',
          filled_by: null,
          options: [{ course_id: 100, course_code: 'EE-100', missing: [] }],
        },
        {
          ...{ key: 'B', state: 'open' },
          options: [
            { course_id: 452, missing: [100] },
            { course_id: 453, missing: [100] },
          ],
        },
      ],
      extra: [],
      credits: { required: 136, earned: 3, outside: 0, total: 3 },
      missing_credits: 127,
    });
    const both = await addStudent(staff, '46', [
      [[452, 'B']],
      [
        [451, 'D'],
        [100, 'F'],
      ],
    ]);
    const audited = await auditOf(viewer, both);
    expect(audited.rows.map(({ key, state, filled_by }) => [key, state, filled_by?.course_id])).toEqual([
      ['A', 'passed', 451],
      ['C', 'failed', 100],
      ['B', 'passed', 452],
    ]);
    const subjects = await viewer.get(`/api/students/${one}/scheme-subjects?semester=2`);
    expect(schemeSubjectsReply.parse(subjects.body)).toEqual({
      scheme_id,
      subjects: [{ key: 'B', title: 'Elective II', course_id: null, credits: 3, options: [452, 453] }],
    });
    const elsewhere = await auditOf(viewer, one, '?degree=47');
    expect(elsewhere).toMatchObject({ scheme: null, complete: null, rows: [] });
  });

  test('shows what is on a mark sheet as in progress', async ({ app, admin, staff }) => {
    const ofClass = await aClass({ app, admin }, 1);
    const [id = ''] = ofClass.ids;
    await addScheme(admin, [ofClass.degree], [aRow([ofClass.course_id], { key: 'A' })]);
    const { sheet_id } = await createSheet(staff, ofClass);
    expect((await auditOf(staff, id)).rows[0]).toMatchObject({
      state: 'in-progress',
      filled_by: {
        kind: 'sheet',
        course_id: ofClass.course_id,
        sheet_id,
        letter: null,
        slot: null,
        semester: 1,
      },
    });
  });

  test('takes substitutions and waivers of administrators', async ({ app, admin, staff }) => {
    await addElectives(admin, staff);
    const id = await addStudent(staff, '46', [[[453, 'A']]]);
    const path = `/api/students/${id}/exceptions`;
    const refuse = async (body: object) => refusedFields(await admin.post(path, body));
    expect(await refuse({ row: 'Z', course_id: null, reason: REASON })).toEqual({
      row: 'The row must be one of the student’s scheme.',
    });
    expect(await refuse({ row: 'A', course_id: 999, reason: REASON })).toEqual({
      course_id: 'The course id must be that of an existing course.',
    });
    expect(await refuse({ row: 'A', course_id: null, reason: 'short' })).toEqual({
      reason: 'The reason must be at least 10 characters.',
    });
    expect((await staff.post(path, { row: 'A', course_id: null, reason: REASON })).status).toBe(403);
    const made = await admin.post(path, { row: 'a', course_id: 453, reason: REASON });
    expect(made).toMatchObject({
      status: 201,
      body: { exception: { row: 'A', course_id: 453, reason: REASON, by: { name: admin.user.name } } },
    });
    expect(await statesOf(staff, id)).toEqual({ A: 'substituted', B: 'open', C: 'open' });
    expect(await refuse({ row: 'A', course_id: null, reason: REASON })).toEqual({
      row: 'The row has an exception already.',
    });
    expect((await admin.post(path, { row: 'C', course_id: null, reason: REASON })).status).toBe(201);
    const audited = await auditOf(staff, id);
    expect(audited.rows.map(({ state }) => state)).toEqual(['substituted', 'waived', 'open']);
    expect(audited.rows[2]?.options[0]?.missing).toEqual([]);
    const [first] = audited.exceptions;
    expect(first).toMatchObject({ row: 'A', unused: false });
    const one = `${path}/${first?.exception_id}`;
    expect(refusedFields(await admin.delete(one))).toEqual({ reason: 'The reason field is required.' });
    const query = `?reason=${encodeURIComponent(REASON)}`;
    expect((await admin.delete(one + query)).status).toBe(200);
    expect((await admin.delete(one + query)).status).toBe(404);
    expect(await statesOf(staff, id)).toMatchObject({ A: 'open', B: 'passed' });

    const { entries } = historyReply.parse((await staff.get(`/api/students/${id}/history`)).body);
    const [removal] = entries;
    expect(removal).toMatchObject({ entity: 'exception', action: 'delete', entity_id: id });
    expect((await admin.post(`/api/history/${removal?.id}/restore`, {})).status).toBe(201);
    expect(await statesOf(staff, id)).toMatchObject({ A: 'substituted' });
    expect(await findings(app)).toEqual([]);
  });

  test('takes credits from elsewhere, which may fill a row', async ({ app, admin, staff, viewer }) => {
    await addElectives(admin, staff);
    const id = await addStudent(staff, '46', [
      [
        [451, 'A'],
        [452, 'B'],
      ],
    ]);
    const path = `/api/students/${id}/outside-credits`;
    const credit = { title: 'Power', credits: 4, institution: 'UET Lahore', grade: 'B+', row: 'a' };
    const added = await staff.post(path, credit);
    expect(added).toMatchObject({
      status: 201,
      body: { outside_credit: { ...credit, row: 'A', version: 1 } },
    });
    expect(added.headers.etag).toBe('"o1"');
    expect(await auditOf(viewer, id)).toMatchObject({
      rows: [
        { key: 'A', state: 'passed', filled_by: { kind: 'outside', credits: 4, course_id: null } },
        {},
        {},
      ],
      extra: [{ course_id: 451, letter: 'A' }],
      outside_credits: [{ title: 'Power', unused: false }],
      credits: { earned: 6, outside: 4, total: 10 },
    });
    expect(refusedFields(await staff.post(path, credit))).toEqual({
      row: 'The row is filled from elsewhere already.',
    });
    const waiver = await admin.post(`/api/students/${id}/exceptions`, {
      row: 'A',
      course_id: null,
      reason: REASON,
    });
    expect(refusedFields(waiver)).toEqual({ row: 'The row is filled from elsewhere already.' });
    expect(refusedFields(await staff.post(path, { ...credit, credits: 41, row: 'Z' }))).toEqual({
      credits: 'The credits must be a whole number from 1 to 40.',
    });
    const { outside_id } = (added.body as { outside_credit: { outside_id: number } }).outside_credit;
    const changed = await staff.call('PUT', `${path}/${outside_id}`, {
      body: { ...credit, row: null },
      headers: { 'if-match': '"o1"' },
    });
    expect(changed).toMatchObject({ status: 200, body: { outside_credit: { row: null, version: 2 } } });
    expect(
      (await staff.call('PUT', `${path}/${outside_id}`, { body: credit, headers: { 'if-match': '"o1"' } }))
        .status,
    ).toBe(412);
    expect((await viewer.delete(`${path}/${outside_id}`)).status).toBe(403);
    expect(await statesOf(staff, id)).toEqual({ A: 'passed', C: 'open', B: 'passed' });
    expect(await findings(app)).toEqual([]);
    expect((await staff.delete(`${path}/${outside_id}`)).status).toBe(200);
    expect((await staff.delete(`${path}/${outside_id}`)).status).toBe(404);
    expect(await findings(app)).toEqual([]);
  });

  test('keeps exceptions and credits with a record that is deleted, restored and renumbered', async ({
    app,
    admin,
    staff,
  }) => {
    await addElectives(admin, staff);
    const id = await addStudent(staff, '46');
    await admin.post(`/api/students/${id}/exceptions`, { row: 'A', course_id: null, reason: REASON });
    const credit = { title: 'Power', credits: 3, institution: 'UET Lahore', grade: null, row: 'C' };
    await staff.post(`/api/students/${id}/outside-credits`, credit);
    const before = await auditOf(staff, id);
    await admin.delete(`/api/students/${id}`);
    await staff.post('/api/students', aStudent({ id, degree: '46' }));
    expect(await auditOf(staff, id)).toMatchObject({ exceptions: [], outside_credits: [] });
    await admin.delete(`/api/students/${id}`);
    expect(await findings(app)).toEqual([]);
    const deletions = historyReply.parse(
      (await admin.get(`/api/history?entity=student&entity_id=${id}&action=delete`)).body,
    );
    const first = deletions.entries.at(-1)?.id;
    const restored = await admin.post(`/api/history/${first}/restore?state=before`, {});
    expect(restored.status, restored.text).toBe(201);
    expect(await auditOf(staff, id)).toEqual(before);
    expect(await findings(app)).toEqual([]);
    const moved = await admin.put(`/api/students/${id}/id`, { id: `${id}-N` });
    expect(moved.status, moved.text).toBeLessThan(300);
    expect(await auditOf(staff, `${id}-N`)).toEqual(before);
    expect(await findings(app)).toEqual([]);
  });

  test('counts credits from elsewhere for the degree, and in no average', async ({
    app,
    admin,
    staff,
    viewer,
  }) => {
    await addCourses(admin, { 'X-1': 1, 'X-2': 2 });
    await addStudent(staff, '46');
    const keys = Array.from({ length: 5 }, (_, i) => `E-${i}`);
    await addScheme(
      admin,
      ['46'],
      [aRow([1], { key: 'A' }), ...keys.map((key) => aRow([2], { key, title: key }))],
    );
    // 121 credit hours in slots: 3 of course 1, and 118 of subjects without a course id.
    const id = `S-${unique()}`;
    await staff.post('/api/students', aStudent({ id, degree: '46', department: 'CE', current_sem: 4 }));
    await staff.post('/api/students/family', aFamily(id));
    const first = { title: 'X-1', credits: 3, grade: 'B', courseId: 1 } as const;
    const rest = Array.from({ length: 20 }, (_, i) => ({
      title: `Y-${i}`,
      credits: i < 18 ? 6 : 5,
      grade: 'B' as const,
    }));
    const semesters = [[first, ...rest.slice(0, 7)], rest.slice(7, 14), rest.slice(14)];
    for (const [i, subjects] of semesters.entries())
      expect((await staff.post('/api/students/academics', aSemester(id, i + 1, subjects))).status).toBe(201);
    const before = cgpaReply.parse((await viewer.get(`/api/students/${id}/cgpa`)).body);
    for (const row of keys) {
      const credit = { title: `Course ${row}`, credits: 3, institution: 'UET Lahore', grade: 'A', row };
      expect((await staff.post(`/api/students/${id}/outside-credits`, credit)).status).toBe(201);
    }
    expect(await auditOf(viewer, id)).toMatchObject({
      complete: true,
      credits: { required: 136, earned: 121, outside: 15, total: 136 },
      missing_credits: 0,
    });
    const check = degreeCheckReply.parse((await viewer.get(`/api/students/${id}/degree-check`)).body);
    const lineOf = (rule: string) => check.lines.find((line) => line.rule === rule);
    expect(lineOf('credits')).toEqual({
      ...{ rule: 'credits', state: 'pass' },
      text: '121 credit hours earned and 15 from elsewhere, of 136.',
    });
    expect(lineOf('scheme')).toEqual({
      rule: 'scheme',
      state: 'pass',
      text: 'No row of the scheme is lacking.',
    });
    const after = cgpaReply.parse((await viewer.get(`/api/students/${id}/cgpa`)).body);
    expect(after).toEqual({ ...before, credits_outside: 15 });
    expect(after).toMatchObject({ credits_counted: 121, cgpa: 3 });
    expect((await viewer.get(`/api/students/${id}/plan`)).body).toMatchObject({ credits_left: 0 });
    expect(await findings(app)).toEqual([]);
  });

  test('is a line of the degree check, with the keys of what is lacking', async ({
    admin,
    staff,
    viewer,
  }) => {
    await addCourses(admin, COURSES);
    const id = await addStudent(staff, '46', [[[451, 'A']]]);
    const linesOf = async () =>
      degreeCheckReply.parse((await viewer.get(`/api/students/${id}/degree-check`)).body).lines;
    expect((await linesOf()).map(({ rule }) => rule)).not.toContain('scheme');
    await addScheme(admin, ['46'], [aRow([451], { key: 'A' }), aRow([452], { key: 'B' })]);
    expect((await linesOf()).at(-1)).toEqual({
      ...{ rule: 'scheme', state: 'fail' },
      text: '1 row of the scheme is lacking: B.',
    });
  });

  test('is a report of a class, also as a file', async ({ admin, staff, viewer }) => {
    await addElectives(admin, staff);
    const one = await addStudent(staff, '46', [
      [[452, 'B']],
      [
        [451, 'A'],
        [100, 'F'],
      ],
    ]);
    const path = '/api/reports/audit?department=CE&degree=46';
    const report = auditReportReply.parse((await viewer.get(path)).body);
    expect(report).toMatchObject({ of: 2, complete: 0 });
    expect(report.students.find(({ id }) => id === one)).toMatchObject({
      ...{ complete: false, lacking: ['C'], in_progress: [], credits: 6 },
    });
    expect(
      report.rows.map(({ key, passed, in_progress, failed, open }) => [
        key,
        passed,
        in_progress,
        failed,
        open,
      ]),
    ).toEqual([
      ['A', 1, 0, 0, 1],
      ['C', 0, 0, 1, 1],
      ['B', 1, 0, 0, 1],
    ]);
    expect(report.rows[1]?.lacking).toContain(one);
    expect(report.rows.map(({ failing }) => failing)).toEqual([[], [one], []]);
    const { text } = await viewer.get('/api/reports/export.csv?report=audit&department=CE&degree=46');
    expect(text.split('\r\n')[0]).toBe(
      'CMS ID,First Name,Last Name,Syndicate,Complete,Lacking,Lacking rows,In progress,Credits',
    );
    expect(text).toContain(`${one},Ayesha,Siddiqui,B,No,1,C,,6`);
    const xlsx = await viewer.get('/api/reports/export.xlsx?report=audit&department=CE&degree=46');
    expect(xlsx.status).toBe(200);
    const none = await viewer.get('/api/reports/audit?department=CE&degree=99');
    const empty = { of: 0, complete: null, students: [], rows: [] };
    expect(none.body).toEqual({ scheme_id: null, ...empty });
    const { scheme_id } = await addScheme(admin, null, [aRow([100])]);
    const nobody = await viewer.get('/api/reports/audit?department=CE&degree=99');
    expect(nobody.body).toEqual({ scheme_id, ...empty });
  });
});
