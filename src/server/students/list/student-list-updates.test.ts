import { describe, expect } from 'vitest';
import { fetchPage, ids, type ListRequest, listUrl } from '../../../../tests/support/app/student-list.ts';
import { getFieldErrors, sharedApps } from '../../../../tests/support/app/test-app.ts';
import { aCourse, aFamily, aStudent } from '../../../../tests/support/records.ts';
import type { Db } from '../../db/schema.ts';
import { transact } from '../../history/transaction.ts';
import { reindexAll } from '../derived/reindex.ts';

describe.each(sharedApps())('the list of students and its index, on $name', ({ test }) => {
  test('refuses invalid parameters, and is empty for filters without matches', async ({ admin }) => {
    for (const last_name of ['Ali', 'Akbar']) await admin.post('/api/students', aStudent({ last_name }));
    const refused = async (query: Record<string, unknown>) =>
      Object.keys(getFieldErrors(await admin.get(listUrl(query))));
    for (const limit of [0, -1, 1e9, 501, 1.5, 'many', ''])
      expect(await refused({ limit })).toEqual(['limit']);
    expect(await refused({ q: 'x'.repeat(5000) })).toEqual(['q']);
    expect(await refused({ q: 'a\0b' })).toEqual(['q']);
    expect(await refused({ departement: 'EE' })).toEqual(['departement']);
    expect(await refused({ department: 'XX' })).toEqual(['department']);
    expect(await refused({ current_sem: 9, gender: 'x', cgpa_from: 1.005 })).toEqual([
      'current_sem',
      'gender',
      'cgpa_from',
    ]);
    expect(await refused({ sort: 'password_hash' })).toEqual(['sort']);
    const { next_cursor: byName } = await fetchPage(admin, { sort: 'name', limit: 1 });
    const { next_cursor: found } = await fetchPage(admin, { q: 'a', limit: 1 });
    const wrong = [
      { cursor: 'x' },
      { cursor: '%' },
      { cursor: Buffer.from('{"by":"order"}').toString('base64url') },
      {
        cursor: Buffer.from(
          '{"by":"order","sort":"cgpa","direction":"ascending","key":"x","id":"1"}',
        ).toString('base64url'),
        sort: 'cgpa',
      },
      {
        cursor: Buffer.from(
          '{"by":"order","sort":"id","direction":"descending","key":"\\u0000","id":"1"}',
        ).toString('base64url'),
      },
      { cursor: byName },
      { cursor: byName, sort: 'name', direction: 'descending' },
      { cursor: found, sort: 'name' },
      { cursor: byName, q: 'a' },
    ];
    for (const query of wrong) expect(await refused(query)).toEqual(['cursor']);
    for (const q of ['%', '_', '*', "'", '"', '\\', '؟', '\u0301', '😀']) {
      expect(await fetchPage(admin, { q })).toEqual({
        students: [],
        total: 0,
        total_is: 'exact',
        next_cursor: null,
      });
    }
    for (const q of [
      "ali' or 1=1 --",
      'a%',
      '\u202eali',
      'ali\u0301',
      'a b c d e f g h i j',
      'ﷺ'.repeat(50),
    ]) {
      expect((await fetchPage(admin, { q })).total).toBeLessThanOrEqual(100);
    }
    expect((await fetchPage(admin, { cgpa_from: 3, cgpa_below: 2 })).students).toEqual([]);
  });

  test('is updated by every change of a record', async ({ app, admin, staff }) => {
    const name = `Q${Date.now().toString(36)}`;
    const student = aStudent({ first_name: name, current_sem: 3 });
    const { id } = student;
    const course = aCourse();
    await staff.post('/api/courses', course);
    const found = async (query: ListRequest) => ids((await fetchPage(staff, query)).students);
    await staff.post('/api/students', student);
    expect(await found({ q: name })).toEqual([id]);
    expect(await found({ q: name, incomplete: 'true' })).toEqual([id]);
    await staff.post('/api/students/family', aFamily(id, { father_name: 'Old Father' }));
    expect(await found({ q: `father ${name}` })).toEqual([id]);
    const results = (semester: number, grade: string) => ({
      student_id: id,
      semester,
      subject_1: course.course_name,
      subject_1_id: course.course_id,
      subj_credit_1: 3,
      subj_grade_1: grade,
    });
    await staff.post('/api/students/academics', results(1, 'A'));
    await staff.post('/api/students/academics', results(2, 'F'));
    const after = { q: name, fell_by: 4, failed: course.course_id, cgpa_from: 2, cgpa_below: 2.01 };
    expect(await found(after)).toEqual([id]);
    expect(await found({ q: name, incomplete: 'true' })).toEqual([]);

    await staff.put(`/api/students/${id}`, { ...student, first_name: `${name}x`, current_sem: 8 });
    await staff.put(`/api/students/${id}/family`, aFamily(id, { father_name: 'New Father' }));
    expect(await found({ q: `${name}x new` })).toEqual([id]);
    expect(await found({ q: 'old', current_sem: 8 })).toEqual([]);
    expect(await found({ q: name, incomplete: 'true', current_sem: 8 })).toEqual([id]);

    await staff.delete(`/api/students/${id}`);
    expect(await found({ q: name })).toEqual([]);
    await admin.post(`/api/students/${id}/restore`);
    expect(await found({ ...after, q: `${name}x` })).toEqual([id]);

    // The index equals a rebuilt one.
    const stored = await readIndex(app.db.read);
    await transact(app.db.write, reindexAll);
    expect(await readIndex(app.db.read)).toEqual(stored);
  });

  test('is open to every signed-in user', async ({ app, viewer }) => {
    expect((await viewer.get('/api/students')).status).toBe(200);
    expect((await app.call('GET', '/api/students')).status).toBe(401);
  });
});

/** The index of the list, without counts of zero. */
async function readIndex(db: Db) {
  return {
    students: await db
      .selectFrom('students')
      .select(['id', 'id_key', 'name_key', 'degree_key', 'search_text', 'word_bits'])
      .select(['cgpa', 'cgpa_semester', 'final_cgpa', 'fall', 'is_complete', 'is_active'])
      .orderBy('id')
      .execute(),
    terms: await db.selectFrom('student_terms').selectAll().orderBy('term').orderBy('student_id').execute(),
    cohorts: sorted(await db.selectFrom('cohorts').selectAll().where('students', '<>', 0).execute()),
    batches: sorted(await db.selectFrom('batch_counts').selectAll().where('students', '<>', 0).execute()),
    cgpas: sorted(await db.selectFrom('cohort_cgpas').selectAll().where('students', '<>', 0).execute()),
    results: sorted(await db.selectFrom('course_results').selectAll().where('results', '<>', 0).execute()),
  };
}

const sorted = (rows: readonly object[]) =>
  rows.map((row) => JSON.stringify(row, Object.keys(row).toSorted())).toSorted();
