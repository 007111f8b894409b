import { sql } from 'kysely';
import { describe, expect, test as plain } from 'vitest';
import { findings } from '../../../tests/support/app/findings.ts';
import { auditOf, statesOf } from '../../../tests/support/app/schemes.ts';
import { freshApps } from '../../../tests/support/app/test-app.ts';
import { courseListReply } from '../../contract/courses.ts';
import { registerReply } from '../../contract/documents/documents.ts';
import { institutionReply } from '../../contract/installation/institution.ts';
import { SAMPLE_STUDENTS } from '../../contract/installation/sample-data.ts';
import { sheetListReply } from '../../contract/marksheets/sheets.ts';
import { schemeListReply, schemeReply } from '../../contract/schemes/schemes.ts';
import { recordReply, studentInput, studentListReply } from '../../contract/students/students.ts';
import { DOCUMENT_STATES } from '../../domain/documents/kinds.ts';
import { checkDegree } from '../../domain/grading/degree.ts';
import { DEFAULT_RULES } from '../../domain/grading/policy.ts';
import { gpaStanding } from '../../domain/grading/repeat-policy.ts';
import { latestStanding, standingAfterEach } from '../../domain/grading/standing.ts';
import { ROW_STATUSES } from '../../domain/marksheets/class-statistics.ts';
import { DEPARTMENT_CODES, SEMESTER_COUNT } from '../../domain/student.ts';
import { isPostgres } from '../db/dialect/sql.ts';
import { groupBy } from '../group-by.ts';
import { transact } from '../history/transaction.ts';
import { Secrets } from '../secrets/secrets.ts';
import { toRecordedSubject, toSubjects } from '../students/semester-slots.ts';
import { buildFamily, buildSemester, buildStudent } from './builders.ts';
import { CATALOGUE } from './catalogue.ts';
import { TERMS } from './examinations/plan.ts';
import { inventFaculty } from './invent-faculty.ts';
import { seededRandom } from './random.ts';
import {
  isEmpty,
  SEEDER,
  seedCatalogue,
  seedFaculty,
  seedInstitutionAndExaminations,
} from './seed-faculty.ts';

describe.each(freshApps())('the demonstration faculty, on $name', ({ test }) => {
  test('has a catalogue with marks, and students with families and results', async ({ app, admin }) => {
    expect(await isEmpty(app.db.read)).toBe(true);
    const done: number[] = [];
    await seedFaculty(app.db.write, { students: 30, seed: 7, onProgress: (n) => done.push(n) });
    expect(done).toEqual(Array.from({ length: 30 }, (_, i) => i + 1));
    expect(await isEmpty(app.db.read)).toBe(false);

    const courses = courseListReply.parse((await admin.get('/api/courses')).body);
    expect(courses).toHaveLength(CATALOGUE.length);
    expect(courses.every(({ credits }) => credits !== null)).toBe(true);
    expect(courses.some(({ marks_count }) => marks_count === 0)).toBe(true);
    expect(courses.filter(({ average }) => average !== null).length).toBeGreaterThan(30);

    const students = studentListReply.parse((await admin.get('/api')).body);
    expect(students).toHaveLength(30);
    const records = [];
    for (const { id } of students) {
      records.push(recordReply.parse((await admin.get(`/api/students/${id}`)).body));
    }
    const entered = records.flatMap((record) => record ?? []);
    const upToDate = entered.filter(({ student, academics }) => academics.length >= student.current_sem - 1);
    expect(upToDate.length).toBeGreaterThanOrEqual(18);
    expect(entered.some(({ academics }) => academics.some(({ sgpa }) => sgpa > 0))).toBe(true);
  });

  test('gets its examinations in a transaction that may take minutes between two statements', async ({
    app,
  }) => {
    const address = {
      publicUrl: new URL('https://sims.example.edu'),
      listening: { address: '127.0.0.1', port: 3000 },
    };
    const limits = await transact(app.db.write, async (tx) => {
      await seedInstitutionAndExaminations(tx, SEEDER, { seed: 7, address, secrets: new Secrets([]) });
      if (!isPostgres(tx)) return [];
      const { rows } = await sql<Record<'statement' | 'idle', string>>`
        select current_setting('statement_timeout') as statement,
          current_setting('idle_in_transaction_session_timeout') as idle`.execute(tx);
      return rows;
    });
    for (const one of limits) expect(one).toEqual({ statement: '0', idle: '0' });
  });

  test('is entered by an administrator in an empty database, all at once and only once', async ({
    app,
    admin,
    staff,
  }) => {
    // One of them enters late.
    const students = SAMPLE_STUDENTS + 1;
    expect((await staff.post('/api/sample-data')).status).toBe(403);
    const answers = await Promise.all([admin.post('/api/sample-data'), admin.post('/api/sample-data')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(answers.find(({ status }) => status === 201)?.body).toEqual({
      message: `${students} invented students and ${CATALOGUE.length} courses have been entered.`,
      students,
      courses: CATALOGUE.length,
    });
    expect((await admin.get('/api')).body).toHaveLength(students);
    const sheets = sheetListReply.parse((await admin.get('/api/sheets')).body);
    const inTerms = groupBy(sheets, ({ term_name }) => term_name);
    expect([...inTerms.keys()].toSorted()).toEqual(TERMS.map(({ name }) => name).toSorted());
    for (const [term, own] of inTerms) {
      const states = own.map(({ state, notification }) => (notification === null ? state : 'notified'));
      expect(new Set(states), term).toEqual(new Set(['draft', 'submitted', 'confirmed', 'notified']));
      expect(own.filter(({ rectifies }) => rectifies !== null).length, term).toBeGreaterThan(0);
    }
    const rows = await app.db.read.selectFrom('sheet_rows').select(['status', 'semester', 'cells']).execute();
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(ROW_STATUSES));
    expect(rows.some(({ semester }) => semester !== null)).toBe(true);
    expect(rows.some(({ cells }) => cells.includes('"A"'))).toBe(true);
    const documents = registerReply.parse((await admin.get('/api/documents')).body);
    expect(new Set(documents.map(({ state }) => state))).toEqual(new Set(DOCUMENT_STATES));
    const schemes = schemeListReply.parse((await admin.get('/api/schemes')).body);
    expect(schemes.map(({ department }) => department).toSorted()).toEqual(DEPARTMENT_CODES.toSorted());
    expect(schemes.every(({ in_force }) => in_force)).toBe(true);
    const [transfer] = await app.db.read.selectFrom('outside_credits').selectAll().execute();
    const brought = await auditOf(admin, transfer?.student_id ?? '');
    expect(brought.credits.outside).toBeGreaterThan(0);
    expect(brought.rows.find(({ key }) => key === transfer?.row_key)).toMatchObject({
      state: 'passed',
      filled_by: { kind: 'outside', outside_id: transfer?.outside_id },
    });
    const exceptions = await app.db.read.selectFrom('scheme_exceptions').selectAll().execute();
    const states = [];
    for (const { student_id, row_key } of exceptions)
      states.push((await statesOf(admin, student_id))[row_key]);
    expect(states.toSorted()).toEqual(['substituted', 'waived']);
    const institution = institutionReply.parse((await admin.get('/api/institution')).body);
    expect(institution.programmes).toHaveLength(DEPARTMENT_CODES.length);
    const { body } = await admin.get('/api/history?entity=student&action=create&limit=1');
    expect(body).toMatchObject({ entries: [{ user: { id: admin.user.id } }] });
    expect(await findings(app)).toEqual([]);
  });

  test('has a scheme for each department that does not contradict itself, with a choice and an elective', async ({
    app,
    admin,
  }) => {
    await transact(app.db.write, (tx) => seedCatalogue(tx, seededRandom(1)));
    const schemes = schemeListReply.parse((await admin.get('/api/schemes')).body);
    expect(schemes).toHaveLength(DEPARTMENT_CODES.length);
    for (const { scheme_id, department } of schemes) {
      const { rows } = schemeReply.parse((await admin.get(`/api/schemes/${scheme_id}`)).body);
      const counts = rows.map(({ options }) => options.length);
      expect(counts, department).toContain(2);
      expect(Math.max(...counts), department).toBeGreaterThan(2);
      expect(rows.some(({ needs }) => needs.length > 0)).toBe(true);
    }
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
  const people = [...inventFaculty({ students: 400, seed: 1, intakes: 5 })].map(({ semesters }) =>
    semesters.map((semester) =>
      toSubjects(semester).map((subject) => toRecordedSubject(subject, semester.semester)),
    ),
  );

  plain(
    'are in classes of about forty in three syndicates, with long names, names in Urdu and IDs of different lengths',
    () => {
      const students = [...inventFaculty({ students: 400, seed: 1, intakes: 5 })].map(
        ({ student }) => student,
      );
      const classes = groupBy(students, ({ department, degree }) => `${department}-${degree}`);
      for (const [name, own] of classes) {
        expect(own.length, name).toBe(40);
        expect(new Set(own.map(({ syn }) => syn)).size, name).toBe(3);
        expect(new Set(own.map(({ id }) => id.length)).size, name).toBeGreaterThan(1);
      }
      const names = students.map(({ first_name, last_name }) => `${first_name} ${last_name}`);
      expect(names.some((name) => name.length > 40)).toBe(true);
      expect(names.some((name) => /\p{Script=Arabic}/u.test(name))).toBe(true);
    },
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
