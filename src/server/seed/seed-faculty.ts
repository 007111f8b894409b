import { setImmediate } from 'node:timers/promises';
import { findCourse } from '../courses/queries.ts';
import { readMarks } from '../courses/read-marks.ts';
import { storeMarks } from '../courses/store-marks.ts';
import { createCourse } from '../courses/write-course.ts';
import { withoutTimeouts } from '../db/dialect/locks.ts';
import type { Db, Tx } from '../db/schema.ts';
import { AppError } from '../errors.ts';
import type { Author } from '../history/record-change.ts';
import { transact } from '../history/transaction.ts';
import type { AuthorWithRole } from '../http/transact-as.ts';
import { getInstitution } from '../institution/institution.ts';
import { getSite, type OwnAddress } from '../institution/site.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { lockBulkChanges } from '../students/bulk/apply.ts';
import { findStudent } from '../students/queries.ts';
import { createSemester } from '../students/semesters/write-semester.ts';
import { createFamily } from '../students/write-family.ts';
import { changeStatus, createStudent } from '../students/write-student.ts';
import { seedExaminations } from './examinations/seed-examinations.ts';
import { type GeneratedStudent, generateStudent, inventCatalogue } from './invent-faculty.ts';
import { type Random, seededRandom } from './random.ts';
import { CURRENT_INTAKES, register } from './registration.ts';
import { seedDocuments, seedInstitution } from './seed-documents.ts';
import { seedHolds } from './seed-holds.ts';
import { seedExceptions, seedSchemes } from './seed-schemes.ts';

export interface SeedOptions {
  students: number;
  seed: number;
  /** Number of intakes, one a year, up to the latest; by default those still studying and the one before them. */
  intakes?: number;
  /** Called after each student with the number so far. */
  onProgress?: (done: number) => void;
}

/** Students of one transaction: each waits for the disk. */
const BATCH_SIZE = 20;

/** The intakes of current students, and one of graduates. */
const SAMPLE_INTAKES = CURRENT_INTAKES + 1;

export const SEEDER: AuthorWithRole = { id: null, name: 'Seed', role: 'admin' };

/** True when the database holds no students and no courses. */
export async function isEmpty(db: Db): Promise<boolean> {
  const student = await db.selectFrom('students').select('id').limit(1).executeTakeFirst();
  const course = await db.selectFrom('courses').select('course_id').limit(1).executeTakeFirst();
  return student === undefined && course === undefined;
}

/**
 * Enters the courses of the catalogue that are missing, with their marks, and the schemes of departments without one: before the
 * students, whose rows it would have to compare.
 *
 * @returns their number
 */
export async function seedCatalogue(tx: Tx, random: Random, author: Author = SEEDER): Promise<number> {
  let entered = 0;
  for (const { course, marks } of inventCatalogue(random)) {
    if ((await findCourse(tx, course.course_id)) !== undefined) continue;
    await createCourse(tx, author, course);
    entered += 1;
    if (marks === null) continue;
    const upload = readMarks({ content: marks.join('\n') });
    if (upload.kind !== 'marks') throw new Error(`The sample marks ${upload.text}`);
    await storeMarks(tx, author, course.course_id, { ...upload, append: false });
  }
  await seedSchemes(tx, author);
  return entered;
}

async function enterStudent(
  tx: Tx,
  author: AuthorWithRole,
  { student, status, family, semesters }: GeneratedStudent,
): Promise<void> {
  await createStudent(tx, author, student);
  if (family !== null) await createFamily(tx, author, family);
  for (const semester of semesters)
    await createSemester(tx, author, semester, { role: author.role, reason: null });
  if (status.status !== 'active') await changeStatus(tx, author, student.id, status, undefined);
}

/**
 * Adds an institution, the examinations of two years, exceptions to schemes, issued documents and holds to a faculty that has been entered.
 *
 * @param address where the codes of its documents lead unless the institution names another
 * @returns the number of all mark sheets in the database
 */
export async function seedInstitutionAndExaminations(
  tx: Tx,
  author: AuthorWithRole,
  { seed, address, secrets }: { seed: number; address: OwnAddress; secrets: Secrets },
): Promise<number> {
  // The documents are drawn within it.
  await withoutTimeouts(tx);
  await seedInstitution(tx, author);
  const sheets = await seedExaminations(tx, author, seed);
  await seedExceptions(tx, author);
  await seedDocuments(tx, secrets, author, getSite(address, await getInstitution(tx)));
  await seedHolds(tx, author);
  return sheets;
}

/**
 * Enters a small sample faculty in one transaction.
 *
 * @returns what was entered; some students enter late, so there are more than were asked for
 * @throws AppError conflict when there are students or courses
 */
export async function fillEmptyDatabase(
  tx: Tx,
  author: AuthorWithRole,
  {
    students,
    seed,
    address,
    secrets,
  }: Pick<SeedOptions, 'students' | 'seed'> & { address: OwnAddress; secrets: Secrets },
): Promise<{ students: number; courses: number }> {
  await withoutTimeouts(tx);
  // Of two such transactions the second one waits, and finds the records of the first.
  await lockBulkChanges(tx);
  if (!(await isEmpty(tx))) {
    throw new AppError('conflict', 'There are students or courses already, so invented ones are not added.');
  }
  const random = seededRandom(seed);
  const courses = await seedCatalogue(tx, random, author);
  for (const registration of register(random, { students, intakes: SAMPLE_INTAKES })) {
    await enterStudent(tx, author, generateStudent(random, registration));
    await setImmediate();
  }
  await seedInstitutionAndExaminations(tx, author, { seed, address, secrets });
  const entered = await tx
    .selectFrom('students')
    .select((eb) => eb.fn.countAll().as('students'))
    .executeTakeFirstOrThrow();
  return { students: Number(entered.students), courses };
}

/** Adds a small sample faculty to the database, through the same functions as the calls of the staff. */
export async function seedFaculty(
  db: Db,
  { students, seed, intakes = SAMPLE_INTAKES, onProgress }: SeedOptions,
): Promise<void> {
  const random = seededRandom(seed);
  await transact(db, (tx) => seedCatalogue(tx, random));
  let done = 0;
  let batch: GeneratedStudent[] = [];
  const store = async () => {
    const entered = batch;
    batch = [];
    await transact(db, async (tx) => {
      for (const generated of entered) await enterStudent(tx, SEEDER, generated);
    });
    for (const _ of entered) {
      done += 1;
      onProgress?.(done);
    }
  };
  for (const registration of register(random, { students, intakes })) {
    let { id } = registration;
    while ((await findStudent(db, id)) !== undefined) id = String(Number(id) + 1);
    batch.push(generateStudent(random, { ...registration, id }));
    if (batch.length === BATCH_SIZE) await store();
  }
  await store();
}
