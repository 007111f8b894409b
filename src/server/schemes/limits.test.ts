import { describe, expect } from 'vitest';
import { insertStudents } from '../../../tests/support/app/fill-class.ts';
import { findings } from '../../../tests/support/app/findings.ts';
import { makePolicy } from '../../../tests/support/app/grading-policies.ts';
import {
  addCourses,
  addDraft,
  addScheme,
  addStudent,
  aRow,
  auditOf,
  previewOf,
  refusedFields,
  statesOf,
} from '../../../tests/support/app/schemes.ts';
import { freshApps, type Person } from '../../../tests/support/app/test-app.ts';
import { aStudent } from '../../../tests/support/records.ts';
import { equivalentPreview, MOST_CHANGED_STUDENTS } from '../../contract/schemes/equivalents.ts';
import { SCHEME_LIMITS } from '../../domain/schemes/scheme.ts';
import { chunks } from '../chunks.ts';
import type { Db } from '../db/schema.ts';

const REASON = 'Decided by the faculty board.';
const CREDIT = { title: 'Physics', credits: 3, institution: 'UET Lahore', grade: null, row: null };
const COURSES = { 'X-1': 1, 'X-2': 2, 'X-3': 3 };
const PAIR = { course_id: 1, other_id: 2 };

const preview = async (admin: Person, pair: object) =>
  equivalentPreview.parse((await admin.post('/api/equivalents/preview', pair)).body);

/** Students with an F in course 1, and a B in course 2 a semester later; directly into the database, because they are many. */
async function insertRepeaters(db: Db, degrees: readonly string[]): Promise<void> {
  const students = degrees.map((degree, i) =>
    aStudent({ id: `R${i}`, degree, department: 'CE', current_sem: 2 }),
  );
  await insertStudents(db, students);
  for (const some of chunks(students, 200)) {
    const results = some.flatMap(({ id: student_id }) => [
      { student_id, semester: 1, sgpa: 0, cgpa: 0, course_id: 1, half_points: 0 },
      { student_id, semester: 2, sgpa: 300, cgpa: 150, course_id: 2, half_points: 6 },
    ]);
    const semesters = results.map(({ course_id: _, half_points: _points, ...row }) => ({
      ...row,
      version: 1,
    }));
    await db.insertInto('semesters').values(semesters).execute();
    const subjects = results.map(({ sgpa: _, cgpa: _cgpa, ...row }) => ({
      ...row,
      ...{ slot: 1 as const, title: `Course ${row.course_id}`, credits: 3 },
    }));
    await db.insertInto('semester_subjects').values(subjects).execute();
  }
}

describe.each(freshApps())('limits of schemes and equivalents, on $name', ({ test }) => {
  test('two thousand students get other figures by one pair, and no more', async ({ app, admin }) => {
    await addCourses(admin, COURSES);
    await makePolicy(admin, { degrees: null, rules: { repeat_policy: 'latest' } });
    const most = Array.from({ length: MOST_CHANGED_STUDENTS }, () => '46');
    await insertRepeaters(app.db.write, [...most, '47']);
    const all = { ...PAIR, degrees: null };
    const tooMany = await preview(admin, all);
    expect(tooMany).toMatchObject({ students: 2_001, changed_students: 2_001 });
    expect(tooMany.sample).toHaveLength(20);
    const refused = await admin.post('/api/equivalents', { ...all, fingerprint: tooMany.fingerprint });
    expect(refusedFields(refused)).toEqual({ degrees: 'Name batches.' });
    expect((await admin.get('/api/equivalents')).body).toEqual([]);

    const named = { ...PAIR, degrees: ['46'] };
    const { fingerprint, changed_students } = await preview(admin, named);
    expect(changed_students).toBe(MOST_CHANGED_STUDENTS);
    expect((await admin.post('/api/equivalents', { ...named, fingerprint })).status).toBe(201);
    const averages = await app.db.read
      .selectFrom('semesters')
      .select((eb) => ['cgpa', eb.fn.countAll().as('students')])
      .where('semester', '=', 2)
      .groupBy('cgpa')
      .orderBy('cgpa')
      .execute();
    expect(averages.map(({ cgpa, students }) => [cgpa, Number(students)])).toEqual([
      [150, 1],
      [300, MOST_CHANGED_STUDENTS],
    ]);
  });

  test('there are at most 1,000 pairs, which are one group quickly', async ({ app, admin, staff }) => {
    await addCourses(admin, COURSES);
    const id = await addStudent(staff, '46', [[[1, 'F']], [[2, 'B']]]);
    const pairs = Array.from({ length: SCHEME_LIMITS.equivalents }, (_, i) => ({
      ...{ course_id: 10_000 + i, other_id: 10_001 + i, degrees: null },
      ...{ created_at: new Date().toISOString(), created_by: null, created_name: 'Test' },
    }));
    for (const some of chunks(pairs, 100))
      await app.db.write.insertInto('equivalents').values(some).execute();
    expect(refusedFields(await admin.post('/api/equivalents/preview', { ...PAIR, degrees: null }))).toEqual({
      equivalents: 'The equivalents must be at most 1,000.',
    });
    expect(await statesOf(staff, id)).toEqual({});
    await app.db.write.deleteFrom('equivalents').where('course_id', '=', 10_000).execute();
    const { fingerprint } = await preview(admin, { ...PAIR, degrees: null });
    const made = await admin.post('/api/equivalents', { ...PAIR, degrees: null, fingerprint });
    expect(made.status, made.text).toBe(201);
  });

  test('a student has at most 40 exceptions and 40 credits from elsewhere', async ({ app, admin, staff }) => {
    await addCourses(admin, COURSES);
    const id = await addStudent(staff, '46');
    const keys = Array.from({ length: 41 }, (_, i) => `R-${i}`);
    await addScheme(
      admin,
      ['46'],
      keys.map((key) => aRow([1], { key })),
    );
    const waive = (row?: string) =>
      admin.post(`/api/students/${id}/exceptions`, { row, course_id: null, reason: REASON });
    const bring = () => staff.post(`/api/students/${id}/outside-credits`, CREDIT);
    for (const key of keys.slice(0, 40)) {
      expect((await waive(key)).status).toBe(201);
      expect((await bring()).status).toBe(201);
    }
    expect(refusedFields(await waive(keys[40]))).toEqual({
      exceptions: 'The exceptions must be at most 40.',
    });
    expect(refusedFields(await bring())).toEqual({
      outside_credits: 'The outside credits must be at most 40.',
    });
    const audited = await auditOf(staff, id);
    expect([audited.exceptions.length, audited.outside_credits.length]).toEqual([40, 40]);
    expect(audited.credits).toMatchObject({ outside: 120 });
    expect(await findings(app)).toEqual([]);
  });

  test('a scheme has 120 rows of 40 options and 10 needs', async ({ admin, staff }) => {
    const ids = Array.from({ length: 50 }, (_, i) => 100 + i);
    await addCourses(admin, Object.fromEntries(ids.map((id) => [`X-${id}`, id])));
    await addStudent(staff, '46');
    const needs = ids.slice(40).map((course_id) => ({ course_id, kind: 'beside' }));
    const rows = Array.from({ length: SCHEME_LIMITS.rows }, (_, i) =>
      aRow(ids.slice(0, 40), { semester: (i % 8) + 1, title: `${i} `.padEnd(255, 'x'), needs }),
    );
    const draft = await addDraft(admin, ['46'], rows);
    expect(draft.rows).toHaveLength(120);
    expect(new Set(draft.rows.map(({ key }) => key)).size).toBe(120);
    expect(await previewOf(admin, draft)).toMatchObject({ students: 1 });
    const head = { name: 'BE', department: 'CE', degrees: ['46'] };
    const save = async (row: object) =>
      refusedFields(await admin.put(`/api/schemes/${draft.scheme_id}`, { ...head, rows: [row] }));
    expect(await save(aRow(ids.slice(0, 41)))).toEqual({
      'rows.0.options': 'The options must be at most 40.',
    });
    const eleven = ids.slice(0, 11).map((course_id) => ({ course_id, kind: 'before' }));
    expect(await save(aRow([140], { needs: eleven }))).toEqual({
      'rows.0.needs': 'The needs must be at most 10.',
    });
    expect(await save(aRow([100], { title: 'x'.repeat(256) }))).toHaveProperty(['rows.0.title']);
  });
});
