import { findCourse } from '../courses/queries.ts';
import { readMarks } from '../courses/read-marks.ts';
import { storeMarks } from '../courses/store-marks.ts';
import { createCourse } from '../courses/write-course.ts';
import type { Db, Tx } from '../db/schema.ts';
import type { Author } from '../history/record-change.ts';
import { transact } from '../history/transaction.ts';
import { findStudent } from '../students/queries.ts';
import { createSemester } from '../students/semesters/write-semester.ts';
import { createFamily } from '../students/write-family.ts';
import { changeStatus, createStudent } from '../students/write-student.ts';
import { CURRENT_INTAKES } from './builders.ts';
import { generateStudent, inventCatalogue, registrationNumbers } from './invent-faculty.ts';
import { type Random, seededRandom } from './random.ts';

export interface SeedOptions {
  students: number;
  seed: number;
  /** Number of intakes, one a year, up to the latest; by default those still studying. */
  intakes?: number;
  /** Called after each student with the number so far. */
  onProgress?: (done: number) => void;
}

export const SEEDER: Author = { id: null, name: 'Seed' };

/** True when the database holds no students and no courses. */
export async function isEmpty(db: Db): Promise<boolean> {
  const student = await db.selectFrom('students').select('id').limit(1).executeTakeFirst();
  const course = await db.selectFrom('courses').select('course_id').limit(1).executeTakeFirst();
  return student === undefined && course === undefined;
}

/** Enters the courses of the catalogue that are missing, with their marks. */
export async function seedCatalogue(tx: Tx, random: Random): Promise<void> {
  for (const { course, marks } of inventCatalogue(random)) {
    if ((await findCourse(tx, course.course_id)) !== undefined) continue;
    await createCourse(tx, SEEDER, course);
    if (marks === null) continue;
    const upload = readMarks({ content: marks.join('\n') });
    if (upload.kind !== 'marks') throw new Error(`The sample marks ${upload.text}`);
    await storeMarks(tx, SEEDER, course.course_id, { ...upload, append: false });
  }
}

/** Adds a small sample faculty to the database, through the same functions as the calls of the staff. */
export async function seedFaculty(
  db: Db,
  { students, seed, intakes = CURRENT_INTAKES, onProgress }: SeedOptions,
): Promise<void> {
  const random = seededRandom(seed);
  await transact(db, (tx) => seedCatalogue(tx, random));
  let done = 0;
  for (const { id, joined } of registrationNumbers(random, { students, intakes })) {
    let free = id;
    while ((await findStudent(db, free)) !== undefined) free = String(Number(free) + 1);
    const { student, status, family, semesters } = generateStudent(random, free, joined);
    await transact(db, async (tx) => {
      await createStudent(tx, SEEDER, student);
      if (family !== null) await createFamily(tx, SEEDER, family);
      for (const semester of semesters) await createSemester(tx, SEEDER, semester);
      if (status.status !== 'active') await changeStatus(tx, SEEDER, free, status, undefined);
    });
    done += 1;
    onProgress?.(done);
  }
}
