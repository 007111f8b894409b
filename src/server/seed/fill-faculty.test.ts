import { describe, expect } from 'vitest';
import { freshApps, TestApp } from '../../../tests/support/app/test-app.ts';
import { recordReply } from '../../contract/students/students.ts';
import { indexStatements } from '../db/dialect/sql.ts';
import type { Db, Schema } from '../db/schema.ts';
import { transact } from '../history/transaction.ts';
import { reindexAll } from '../students/derived/reindex.ts';
import { fillFaculty } from './fill-faculty.ts';
import { seedFaculty } from './seed-faculty.ts';

/** The tables that filling writes. */
const TABLES = [
  ...(['students', 'families', 'semesters', 'semester_subjects', 'courses', 'course_marks'] as const),
  ...(['student_terms', 'cohorts', 'batch_counts', 'cohort_cgpas', 'course_results'] as const),
] satisfies (keyof Schema)[];

/** The sorted rows of each table, without `version`, which depends on the number of writes. */
async function contents(db: Db): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {};
  for (const table of TABLES) {
    const rows: object[] = await db.selectFrom(table).selectAll().execute();
    all[table] = rows
      // Rows with a count of 0 may remain.
      .filter((row) => !('students' in row && row.students === 0))
      .map((row) => JSON.stringify(Object.entries({ ...row, version: 0 }).toSorted()))
      .toSorted();
  }
  return all;
}

describe.each(freshApps())('fillFaculty, on $name', ({ test, engine }) => {
  test('writes the same rows as entering every record', async ({ app }) => {
    const people = { students: 60, seed: 11, intakes: 6 };
    await fillFaculty(app.db.write, people);
    const slow = await TestApp.open(engine);
    try {
      await seedFaculty(slow.db.write, people);
      expect(await contents(app.db.read)).toEqual(await contents(slow.db.read));
    } finally {
      await slow.close();
    }
  });

  test('writes the same list index as indexing each record', async ({ app, admin }) => {
    const students = 300;
    const done: number[] = [];
    await fillFaculty(app.db.write, { students, seed: 3, onProgress: (n) => done.push(n) });
    expect(done).toEqual(Array.from({ length: students }, (_, i) => i + 1));
    const filled = await contents(app.db.read);
    expect(filled.students).toHaveLength(students);
    expect(filled.cohorts?.length).toBeGreaterThan(0);
    await transact(app.db.write, reindexAll);
    expect(await contents(app.db.read)).toEqual(filled);

    const { id } = await app.db.read
      .selectFrom('families')
      .select('student_id as id')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(recordReply.parse((await admin.get(`/api/students/${id}`)).body)?.student.id).toBe(id);
  });

  test('refuses a database that is not empty and leaves it unchanged', async ({ app }) => {
    await seedFaculty(app.db.write, { students: 2, seed: 1 });
    const before = await contents(app.db.read);
    await expect(fillFaculty(app.db.write, { students: 2, seed: 1 })).rejects.toThrow('empty database');
    expect(await contents(app.db.read)).toEqual(before);
  });

  test('leaves the database empty when it fails', async ({ app }) => {
    const indexes = () => indexStatements(app.db.read, 'students');
    const before = await indexes();
    expect(before.length).toBeGreaterThan(0);
    const fail = () => {
      throw new Error('failed on purpose');
    };
    const options = { students: 2, seed: 1, onProgress: fail };
    await expect(fillFaculty(app.db.write, options)).rejects.toThrow('failed on purpose');
    expect(Object.values(await contents(app.db.read)).flat()).toEqual([]);
    expect(await indexes()).toEqual(before);
    await fillFaculty(app.db.write, { students: 2, seed: 1 });
    expect(await indexes()).toEqual(before);
  });
});
