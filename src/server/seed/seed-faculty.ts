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
import { buildCourse, buildFamily, buildMarks, buildSemester, buildStudent } from './builders.ts';
import { CATALOGUE } from './catalogue.ts';
import { seededRandom } from './random.ts';

export interface SeedOptions {
  students: number;
  seed: number;
  /** Called after each student. */
  onProgress?: (done: number) => void;
}

const SEEDER: Author = { id: null, name: 'Seed' };

/** True when the database holds no students and no courses. */
export async function isEmpty(db: Db): Promise<boolean> {
  const student = await db.selectFrom('students').select('id').limit(1).executeTakeFirst();
  const course = await db.selectFrom('courses').select('course_id').limit(1).executeTakeFirst();
  return student === undefined && course === undefined;
}

/**
 * Fills the database with a believable small faculty, through the functions that staff's own calls go through. One
 * student in forty is left half-entered, as in life.
 */
export async function seedFaculty(db: Db, { students, seed, onProgress }: SeedOptions): Promise<void> {
  const random = seededRandom(seed);
  const inTransaction = <T>(act: (tx: Tx) => Promise<T>) => transact(db, act);
  for (const course of CATALOGUE) {
    if ((await findCourse(db, course.id)) !== undefined) continue;
    await inTransaction((tx) => createCourse(tx, SEEDER, buildCourse(course)));
    if (course.mean === null) continue;
    const count = random.whole(60, 240);
    const upload = readMarks(buildMarks(random, count, course.mean).join('\n'));
    if (upload.kind !== 'marks') throw new Error(`The sample marks ${upload.text}`);
    await inTransaction((tx) => storeMarks(tx, SEEDER, course.id, { ...upload, append: false }));
  }
  let id = 400_000;
  for (let done = 1; done <= students; done += 1) {
    id += random.whole(1, 60);
    while ((await findStudent(db, String(id))) !== undefined) id += 1;
    const student = buildStudent(random, String(id));
    await inTransaction((tx) => createStudent(tx, SEEDER, student));
    const isHalfEntered = random.chance(1 / 40);
    if (!isHalfEntered) {
      await inTransaction((tx) => createFamily(tx, SEEDER, buildFamily(random, student)));
      const ability = random.normal(0, 0.7);
      // Results of the current semester are mostly still to come.
      const recorded = student.current_sem - (random.chance(0.8) ? 1 : 0);
      for (let semester = 1; semester <= recorded; semester += 1) {
        await inTransaction((tx) =>
          recordSemester(tx, SEEDER, buildSemester(random, student, semester, ability)),
        );
      }
    }
    onProgress?.(done);
  }
}
