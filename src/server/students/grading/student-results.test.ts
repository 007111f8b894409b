import { describe, expect } from 'vitest';
import {
  aClass,
  confirmSheet,
  createSheet,
  fillSheet,
  submitSheet,
} from '../../../../tests/support/app/mark-sheets.ts';
import { freshApps, type Person } from '../../../../tests/support/app/test-app.ts';
import { aFamily, aSemester, aStudent, type Subject } from '../../../../tests/support/records.ts';
import { cgpaReply, degreeCheckReply, planReply, standingReply } from '../../../contract/grading/grading.ts';
import { degreeChecksReply } from '../../../contract/grading/reports.ts';
import type { GradeLetter } from '../../../domain/grading/gpa.ts';

const COURSES = ['MATH101', 'CS101', 'PHY101', 'HU101', 'EE111', 'MATH102', 'EE232'];

/** A subject such as `MATH101 3 C`; without a course ID when the course starts with a dash. */
function subject(text: string): Subject {
  const [title = '', credits, grade] = text.split(' ');
  const known = COURSES.indexOf(title);
  return {
    title,
    credits: Number(credits),
    grade: grade as GradeLetter,
    ...(known >= 0 && { courseId: 101 + known }),
  };
}

/** Enters a student with these semesters of subjects. */
async function enter(by: Person, id: string, semesters: readonly (readonly string[])[], current_sem = 8) {
  for (const [i, course_code] of COURSES.entries()) {
    await by.post('/api/courses', { course_id: 101 + i, course_code, course_name: course_code });
  }
  await by.post('/api/students', aStudent({ id, current_sem, degree: '44' }));
  await by.post('/api/students/family', aFamily(id));
  for (const [i, subjects] of semesters.entries()) {
    const { status } = await by.post('/api/students/academics', aSemester(id, i + 1, subjects.map(subject)));
    expect(status).toBe(201);
  }
}

/** The record of which the registrar's handbook works out every CGPA. */
const REPEATS = [
  ['MATH101 3 C', 'CS101 4 B+', 'PHY101 3 F', 'HU101 2 A'],
  ['PHY101 3 C+', 'EE111 4 B', 'MATH102 3 D+'],
  ['MATH101 3 D+', 'EE232 3 B+'],
];

const cgpa = async (by: Person, id: string, query = '') =>
  cgpaReply.parse((await by.get(`/api/students/${id}/cgpa${query}`)).body);

describe.each(freshApps())('the figures of a student, on $name', ({ test }) => {
  test('explain the CGPA line by line', async ({ staff, viewer }) => {
    await enter(staff, 'R-1', REPEATS);
    const explained = await cgpa(viewer, 'R-1');
    expect(explained).toMatchObject({
      policy_id: 1,
      repeat_policy: 'all',
      semester: 3,
      credits_attempted: 28,
      credits_earned: 22,
      credits_counted: 28,
      quality_points: 67,
      quotient: '2.3929',
      cgpa: 2.39,
      not_linked: [],
    });
    expect(explained.lines).toHaveLength(9);
    expect(explained.lines[7]).toEqual({
      semester: 3,
      slot: 1,
      course_id: 101,
      title: 'MATH101',
      credits: 3,
      letter: 'D+',
      points: 1.5,
      points_counted: 1.5,
      quality_points: 4.5,
      counted: true,
      reason: null,
      counted_in: null,
    });
    expect(await cgpa(viewer, 'R-1', '?semester=2')).toMatchObject({
      semester: 2,
      quotient: '2.3636',
      cgpa: 2.36,
    });
  });

  test('name subjects that do not count and those without a course ID', async ({ staff }) => {
    await enter(staff, 'R-2', [['MATH101 3 C', 'Seminar 1 A']]);
    await staff.post('/api/students/academics', {
      ...aSemester('R-2', 2, [subject('EE111 4 B')]),
      subject_2: 'Workshop',
      subj_credit_2: 2,
      subject_3: 'Calculus',
      subj_grade_3: 'B',
    });
    const { lines, not_linked } = await cgpa(staff, 'R-2');
    expect(lines.map(({ title, counted, reason }) => [title, counted, reason])).toEqual([
      ['MATH101', true, null],
      ['Seminar', true, null],
      ['EE111', true, null],
      ['Workshop', false, 'no-grade'],
      ['Calculus', false, 'no-credits'],
    ]);
    expect(not_linked).toEqual([
      { semester: 1, slot: 2 },
      { semester: 2, slot: 3 },
    ]);
  });

  test('are empty without a recorded semester', async ({ staff }) => {
    await enter(staff, 'R-3', []);
    expect(await cgpa(staff, 'R-3')).toEqual({
      policy_id: 1,
      repeat_policy: 'all',
      semester: null,
      lines: [],
      credits_attempted: 0,
      credits_earned: 0,
      credits_outside: 0,
      credits_counted: 0,
      quality_points: 0,
      quotient: null,
      cgpa: null,
      not_linked: [],
    });
    expect((await staff.get('/api/students/R-3/standing')).body).toEqual({
      policy_id: 1,
      standing: null,
      clause: null,
      semesters: [],
    });
    expect((await staff.get('/api/students/R-3/plan')).body).toEqual({
      credits_done: 0,
      quality_points: 0,
      cgpa: null,
      target: 2,
      credits_left: 136,
      needed: 2,
      best_possible: 4,
      possible: true,
    });
  });

  test('have the standing of each semester, which the list is filtered by', async ({ staff }) => {
    await enter(staff, 'R-4', [
      ['MATH101 6 C', 'CS101 5 C', 'PHY101 6 D+', 'HU101 1 D'],
      ['EE111 6 C', 'MATH102 6 D+', 'EE232 6 D+'],
      ['Physics 6 C+', 'Chemistry 6 C+', 'Biology 6 C+'],
    ]);
    const { standing, semesters } = standingReply.parse((await staff.get('/api/students/R-4/standing')).body);
    expect(semesters.map((one) => [one.sgpa, one.cgpa, one.standing, one.clause, one.credits])).toEqual([
      [1.78, 1.78, 'warning', 'SGPA 1.78 is below 2.00.', 18],
      [1.67, 1.72, 'probation', 'CGPA 1.72 is below 2.00.', 18],
      [2.5, 1.98, 'probation', 'CGPA 1.98 is below 2.00, 2 semesters in a row.', 18],
    ]);
    expect(standing).toBe('probation');
    await enter(staff, 'R-5', [['MATH101 3 B']]);
    await enter(staff, 'R-6', [['MATH101 3 B', 'HU101 2 F']]);
    await enter(staff, 'R-7', []);
    const listed = async (query: string) => {
      const { body } = await staff.get(`/api/students?sort=id&direction=ascending&${query}`);
      return (body as { students: { id: string; standing: string | null }[] }).students.map(
        (one) => `${one.id} ${one.standing}`,
      );
    };
    expect(await listed('standing=probation')).toEqual(['R-4 probation']);
    expect(await listed('standing=warning,good')).toEqual(['R-5 good', 'R-6 warning']);
    expect(await listed('q=R-7')).toEqual(['R-7 null']);
  });

  test('plan a target from the exact points', async ({ staff }) => {
    await enter(staff, 'R-8', [
      ['MATH101 6 B', 'CS101 6 B', 'PHY101 5 B+'],
      ['HU101 3 D', 'EE111 2 C+'],
    ]);
    const plan = planReply.parse((await staff.get('/api/students/R-8/plan?target=3.00&credits=18')).body);
    // 36 + 17.5 + 3 + 5 = 61.5 points in 22 hours; 3.00 × 40 − 61.5 = 58.5 in 18 hours.
    expect(plan).toEqual({
      credits_done: 22,
      quality_points: 61.5,
      cgpa: 2.8,
      target: 3,
      credits_left: 18,
      needed: 3.25,
      best_possible: 3.34,
      possible: true,
    });
  });

  test('check the degree', async ({ staff }) => {
    await enter(staff, 'R-9', [['MATH101 3 B', 'HU101 2 F', 'Seminar 1 A']]);
    const { passed, lines } = degreeCheckReply.parse(
      (await staff.get('/api/students/R-9/degree-check')).body,
    );
    expect(passed).toBe(false);
    expect(lines.map(({ rule, state }) => `${rule} ${state}`)).toEqual([
      'semesters fail',
      'credits fail',
      'cgpa pass',
      'no-fails fail',
      'no-incomplete pass',
      'linked unknown',
    ]);
  });

  test('need a grade of an incomplete course, none of one that was withdrawn', async ({
    app,
    admin,
    staff,
  }) => {
    const ofClass = await aClass({ app, admin }, 3);
    const sheet = await fillSheet(staff, await createSheet(staff, ofClass), [88, 71, 45]);
    for (const [i, status] of [[1, 'withdrawn'] as const, [2, 'incomplete'] as const]) {
      const row = { status, reason: 'Ill', semester: 1 };
      const saved = await staff.put(`/api/sheets/${sheet.sheet_id}/rows/${ofClass.ids[i]}`, row);
      expect(saved.status, saved.text).toBe(200);
    }
    await submitSheet(staff, sheet);
    await confirmSheet(admin, sheet);
    const grades = [];
    for (const id of ofClass.ids) {
      const { lines } = degreeCheckReply.parse((await staff.get(`/api/students/${id}/degree-check`)).body);
      grades.push(lines.find(({ rule }) => rule === 'no-incomplete')?.text);
    }
    expect(grades).toEqual([
      'Every subject has a grade.',
      'No grade is missing: 1 subject was withdrawn, excused or graded later (semester 1 slot 1).',
      '1 subject without a grade: semester 1 slot 1.',
    ]);
    await app.db.write
      .updateTable('students')
      .set({ current_sem: 8 })
      .where('degree', '=', ofClass.degree)
      .execute();
    const report = `/api/reports/degree-check?department=CE&degree=${ofClass.degree}`;
    const { students } = degreeChecksReply.parse((await staff.get(report)).body);
    expect(students.map(({ lines }) => lines[4]?.text)).toEqual(grades);
  });

  test('refuse a semester that is not recorded, a target over 4 and an unknown student', async ({
    staff,
  }) => {
    await enter(staff, 'R-10', [['MATH101 3 B']]);
    const refusal = async (path: string) => {
      const { status, body } = await staff.get(`/api/students/${path}`);
      return [status, (body as { errors?: object }).errors];
    };
    expect(await refusal('R-10/cgpa?semester=2')).toEqual([
      422,
      { semester: ['Semester 2 has not been recorded.'] },
    ]);
    expect(await refusal('R-10/cgpa?semester=9')).toEqual([
      422,
      { semester: ['The semester must be a whole number from 1 to 8.'] },
    ]);
    expect(await refusal('R-10/plan?target=4.01')).toEqual([
      422,
      { target: ['The target must be 0 to 4 with at most two decimals.'] },
    ]);
    for (const call of ['cgpa', 'standing', 'plan', 'degree-check']) {
      expect(await refusal(`nobody/${call}`)).toEqual([404, undefined]);
    }
  });
});
