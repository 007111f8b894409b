import { recordSemester } from '../academics/record-semester.ts';
import { findCourse } from '../courses/queries.ts';
import { readMarks } from '../courses/read-marks.ts';
import { storeMarks } from '../courses/store-marks.ts';
import { createCourse } from '../courses/write-course.ts';
import type { Db, Tx } from '../db/schema.ts';
import { transact } from '../db/transact.ts';
import type { Author } from '../history/record-change.ts';
import { findStudent } from '../students/queries.ts';
import { createFamily } from '../students/write-family.ts';
import { createStudent } from '../students/write-student.ts';
import { buildCourse, buildMarks, CURRENT_INTAKES } from './builders.ts';
import { CATALOGUE } from './catalogue.ts';
import { inventStudent, registrationNumbers } from './invent-student.ts';
import { type Random, seededRandom } from './random.ts';

export interface SeedOptions {
  students: number;
  seed: number;
  /** How many there were, one a year, up to the latest; those still in their degree where it is not given. */
  intakes?: number;
  /** Called after each student with how many there are. */
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
  for (const course of CATALOGUE) {
    if ((await findCourse(tx, course.id)) !== undefined) continue;
    await createCourse(tx, SEEDER, buildCourse(course));
    if (course.mean === null) continue;
    const count = random.whole(60, 240);
    const upload = readMarks(buildMarks(random, count, course.mean).join('\n'));
    if (upload.kind !== 'marks') throw new Error(`The sample marks ${upload.text}`);
    await storeMarks(tx, SEEDER, course.id, { ...upload, append: false });
  }
}

/**
 * Fills the database with a believable small faculty, through the functions that staff's own calls go through, beside
 * what is there.
 */
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
    const { student, family, semesters } = inventStudent(random, free, joined);
    await transact(db, async (tx) => {
      await createStudent(tx, SEEDER, student);
      if (family !== null) await createFamily(tx, SEEDER, family);
      for (const semester of semesters) await recordSemester(tx, SEEDER, semester);
    });
    done += 1;
    onProgress?.(done);
  }
}
