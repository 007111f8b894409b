import { describe, expect, test as plain } from 'vitest';
import { findings } from '../../../tests/support/app/findings.ts';
import { freshApps } from '../../../tests/support/app/test-app.ts';
import { courseListReply } from '../../contract/courses.ts';
import { sheetListReply } from '../../contract/marksheets/sheets.ts';
import { SAMPLE_STUDENTS } from '../../contract/sample-data.ts';
import { recordReply, studentInput, studentListReply } from '../../contract/students/students.ts';
import { checkDegree } from '../../domain/grading/degree.ts';
import { DEFAULT_RULES } from '../../domain/grading/policy.ts';
import { gpaStanding } from '../../domain/grading/repeat-policy.ts';
import { latestStanding, standingAfterEach } from '../../domain/grading/standing.ts';
import { SEMESTER_COUNT } from '../../domain/student.ts';
import { toRecordedSubject, toSubjects } from '../students/semester-slots.ts';
import { buildFamily, buildSemester, buildStudent } from './builders.ts';
import { CATALOGUE } from './catalogue.ts';
import { inventFaculty } from './invent-faculty.ts';
import { seededRandom } from './random.ts';
import { isEmpty, seedFaculty } from './seed-faculty.ts';

describe.each(freshApps())('the demonstration faculty, on $name', ({ test }) => {
  test('has a catalogue with marks, and students with families and results', async ({ app, admin }) => {
    expect(await isEmpty(app.db.read)).toBe(true);
    const done: number[] = [];
    await seedFaculty(app.db.write, { students: 12, seed: 7, onProgress: (n) => done.push(n) });
    expect(done).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(await isEmpty(app.db.read)).toBe(false);

    const courses = courseListReply.parse((await admin.get('/api/courses')).body);
    expect(courses).toHaveLength(CATALOGUE.length);
    expect(courses.every(({ credits }) => credits !== null)).toBe(true);
    expect(courses.some(({ marks_count }) => marks_count === 0)).toBe(true);
    expect(courses.filter(({ average }) => average !== null).length).toBeGreaterThan(30);

    const students = studentListReply.parse((await admin.get('/api')).body);
    expect(students).toHaveLength(12);
    const records = [];
    for (const { id } of students) {
      records.push(recordReply.parse((await admin.get(`/api/students/${id}`)).body));
    }
    const entered = records.flatMap((record) => record ?? []);
    const upToDate = entered.filter(({ student, academics }) => academics.length >= student.current_sem - 1);
    expect(upToDate.length).toBeGreaterThanOrEqual(9);
    expect(entered.some(({ academics }) => academics.some(({ sgpa }) => sgpa > 0))).toBe(true);
  });

  test('is entered by an administrator in an empty database, all at once and only once', async ({
    app,
    admin,
    staff,
  }) => {
    expect((await staff.post('/api/sample-data')).status).toBe(403);
    const answers = await Promise.all([admin.post('/api/sample-data'), admin.post('/api/sample-data')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(answers.find(({ status }) => status === 201)?.body).toEqual({
      message: `${SAMPLE_STUDENTS} invented students and ${CATALOGUE.length} courses have been entered.`,
      students: SAMPLE_STUDENTS,
      courses: CATALOGUE.length,
    });
    expect((await admin.get('/api')).body).toHaveLength(SAMPLE_STUDENTS);
    const sheets = sheetListReply.parse((await admin.get('/api/sheets')).body);
    expect(new Set(sheets.map(({ state }) => state))).toEqual(new Set(['draft', 'submitted', 'confirmed']));
    const confirmed = sheets.filter(({ state }) => state === 'confirmed');
    expect(confirmed.some(({ notification }) => notification !== null)).toBe(true);
    expect(confirmed.some(({ notification }) => notification === null)).toBe(true);
    expect(sheets.some(({ rectifies, state }) => rectifies !== null && state === 'draft')).toBe(true);
    const { body } = await admin.get('/api/history?entity=student&limit=1');
    expect(body).toMatchObject({ entries: [{ user: { id: admin.user.id } }] });
    expect(await findings(app)).toEqual([]);
  });

  test('is added without changing existing records', async ({ app, admin }) => {
    await seedFaculty(app.db.write, { students: 3, seed: 1 });
    const first = (await admin.get('/api')).body;
    await seedFaculty(app.db.write, { students: 3, seed: 1 });
    const both = (await admin.get('/api')).body;
    expect(both).toHaveLength(6);
    expect(both).toEqual(expect.arrayContaining(first as unknown[]));
    expect((await admin.get('/api/courses')).body).toHaveLength(CATALOGUE.length);
  });

  test('is valid by the rules of the entry forms', () => {
    const random = seededRandom(3);
    for (let i = 0; i < 300; i += 1) {
      const student = buildStudent(random, `S${i}`);
      expect(studentInput.parse(student)).toEqual(student);
      expect(student.dob < student.joining_date).toBe(true);
      expect(buildFamily(random, student).student_id).toBe(student.id);
      expect(buildSemester(random, student, 1, 0).subject_1).toEqual(expect.any(String));
    }
  });
});

describe('the students of the demonstration faculty', () => {
  const people = [...inventFaculty({ students: 300, seed: 1, intakes: 4 })].map(({ semesters }) =>
    semesters.map((semester) =>
      toSubjects(semester).map((subject) => toRecordedSubject(subject, semester.semester)),
    ),
  );

  plain('have every standing among them', () => {
    const standings = people.map((semesters) => {
      const averages = gpaStanding(semesters, 'all');
      const figures = semesters.map((subjects, i) => ({
        ...{ semester: i + 1, sgpa: 0, cgpa: 0, ...averages[i] },
        fails: subjects.filter(({ points }) => points === 0).length,
        isGraded: subjects.some(({ points }) => points !== null),
        isProvisional: false,
      }));
      return latestStanding(standingAfterEach(figures, DEFAULT_RULES)).standing;
    });
    expect(new Set(standings)).toEqual(new Set(['good', 'warning', 'probation', 'review', null]));
  });

  plain('repeat courses a year later, failed ones among them', () => {
    const repeated = people.flatMap((semesters) => {
      const subjects = semesters.flat();
      return subjects.filter((first) =>
        subjects.some(
          ({ course_id, semester }) =>
            course_id !== null && course_id === first.course_id && semester === first.semester + 2,
        ),
      );
    });
    expect(repeated.length).toBeGreaterThan(30);
    expect(repeated.some(({ points }) => points === 0)).toBe(true);
    expect(repeated.every(({ points }) => points !== null && points < 2)).toBe(true);
  });

  plain('have completed the degree in some cases and not in others', () => {
    const checks = people
      .filter(({ length }) => length === SEMESTER_COUNT)
      .map((semesters) => {
        const subjects = semesters.flat().map((subject) => ({ ...subject, ungraded: null }));
        return checkDegree(semesters.length, subjects, DEFAULT_RULES).passed;
      });
    expect(checks).toContain(true);
    expect(checks).toContain(false);
  });
});
