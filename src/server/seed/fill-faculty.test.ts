import { describe, expect } from 'vitest';
import { freshApps, TestApp } from '../../../tests/support/app.ts';
import { recordReply } from '../../contract/students.ts';
import { indexesOf } from '../db/dialect.ts';
import type { Db, Schema } from '../db/schema.ts';
import { transact } from '../db/transact.ts';
import { relistAll } from '../students/listing.ts';
import { fillFaculty } from './fill-faculty.ts';
import { seedFaculty } from './seed-faculty.ts';

/** Everything that a student has part in. */
const TABLES = [
  ...(['students', 'families', 'semesters', 'semester_subjects', 'courses', 'course_marks'] as const),
  ...(['student_terms', 'cohorts', 'cohort_cgpas', 'course_results'] as const),
] satisfies (keyof Schema)[];

/** What a table holds, whatever the order of its rows. Versions say how often something was changed, and are left out. */
async function contents(db: Db): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {};
  for (const table of TABLES) {
    const rows: object[] = await db.selectFrom(table).selectAll().execute();
    all[table] = rows
      // Counts that have come to nothing may stay.
      .filter((row) => !('students' in row && row.students === 0))
      .map((row) => JSON.stringify(Object.entries({ ...row, version: 0 }).toSorted()))
      .toSorted();
  }
  return all;
}

describe.each(freshApps())('a faculty put into the tables at once, on $name', ({ test, engine }) => {
  test('is what staff’s own entries of it would have left', async ({ app }) => {
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

  test('is listed as if each record had been listed by itself', async ({ app, admin }) => {
    const students = 300;
    const done: number[] = [];
    await fillFaculty(app.db.write, { students, seed: 3, onProgress: (n) => done.push(n) });
    expect(done).toEqual(Array.from({ length: students }, (_, i) => i + 1));
    const filled = await contents(app.db.read);
    expect(filled.students).toHaveLength(students);
    expect(filled.cohorts?.length).toBeGreaterThan(0);
    await transact(app.db.write, relistAll);
    expect(await contents(app.db.read)).toEqual(filled);

    const { id } = await app.db.read
      .selectFrom('families')
      .select('student_id as id')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(recordReply.parse((await admin.get(`/api/students/${id}`)).body)?.student.id).toBe(id);
  });

  test('takes an empty database only, and leaves any other as it is', async ({ app }) => {
    await seedFaculty(app.db.write, { students: 2, seed: 1 });
    const before = await contents(app.db.read);
    await expect(fillFaculty(app.db.write, { students: 2, seed: 1 })).rejects.toThrow('empty database');
    expect(await contents(app.db.read)).toEqual(before);
  });

  test('leaves the database as empty as before when it is broken off', async ({ app }) => {
    const indexes = () => indexesOf(app.db.read, 'students');
    const before = await indexes();
    expect(before.length).toBeGreaterThan(0);
    const breakOff = () => {
      throw new Error('broken off');
    };
    const options = { students: 2, seed: 1, onProgress: breakOff };
    await expect(fillFaculty(app.db.write, options)).rejects.toThrow('broken off');
    expect(Object.values(await contents(app.db.read)).flat()).toEqual([]);
    expect(await indexes()).toEqual(before);
    await fillFaculty(app.db.write, { students: 2, seed: 1 });
    expect(await indexes()).toEqual(before);
  });
});
