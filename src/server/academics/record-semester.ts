import type { z } from 'zod';
import { type Academic, type SemesterInput, SLOTS, type semesterUpdate } from '../../contract/academics.ts';
import { gpaStanding } from '../../domain/gpa.ts';
import type { Db, Tx } from '../db/schema.ts';
import { AppError, InvalidFields, invalid } from '../errors.ts';
import { firstVersion, OF_STUDENT } from '../history/first-version.ts';
import { type Author, changesNothing, recordChange } from '../history/record-change.ts';
import { requireVersion, versionPart } from '../http/versions.ts';
import { relist } from '../students/listing.ts';
import { findEntryState, lockStudent } from '../students/queries.ts';
import { countResults } from './course-results.ts';
import type { SemesterRow, Subject } from './semester-json.ts';
import { graded, presentSemester, subjectsOf } from './subjects.ts';

export interface RecordedSemester {
  academic: Academic;
  version: number;
}

/** Records the next semester of a student, the only one that can be recorded, with its averages. */
export async function recordSemester(
  tx: Tx,
  author: Author,
  input: SemesterInput,
): Promise<RecordedSemester> {
  const { student_id, semester } = input;
  const student = await lockStudent(tx, student_id);
  if (student === undefined) {
    throw invalid('student_id', 'The student id must be that of an existing student.');
  }
  await requireNext(tx, student_id, semester);
  const subjects = subjectsOf(input);
  await requireCourses(tx, subjects, []);
  const row = await tx
    .insertInto('semesters')
    .values({
      student_id,
      semester,
      sgpa: 0,
      cgpa: 0,
      version: await firstVersion(tx, OF_STUDENT, student_id),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await insertSubjects(tx, student_id, semester, subjects);
  await countResults(tx, { added: subjects });
  await recomputeStanding(tx, student_id, semester);
  await relist(tx, new Map([[student_id, student]]));
  const academic = await findSemester(tx, row.academic_id);
  await recordChange(tx, author, {
    action: 'create',
    entity: 'semester',
    entityId: student_id,
    after: academic.reply,
  });
  return { academic: academic.reply, version: row.version };
}

/** Replaces the results of a recorded semester; the CGPA of every later one follows in the same transaction. */
export async function updateSemester(
  tx: Tx,
  author: Author,
  academicId: number,
  input: z.infer<typeof semesterUpdate>,
  ifMatch: string | undefined,
): Promise<RecordedSemester> {
  const { student_id, semester } = (await findSemester(tx, academicId)).row;
  const student = await lockStudent(tx, student_id);
  const before = await findSemester(tx, academicId);
  if (input.student_id !== undefined && input.student_id !== student_id) {
    throw invalid('student_id', 'The student id must be that of the record.');
  }
  if (input.semester !== undefined && input.semester !== semester) {
    throw invalid('semester', `The semester must be ${semester}, that of the record.`);
  }
  requireVersion(ifMatch, versionPart.semester(semester, before.row.version), before.reply);
  const subjects = subjectsOf(input);
  await requireCourses(tx, subjects, before.subjects);
  if (changesNothing(author, before.reply, presentSemester(before.row, subjects))) {
    return { academic: before.reply, version: before.row.version };
  }

  await tx
    .deleteFrom('semester_subjects')
    .where('student_id', '=', student_id)
    .where('semester', '=', semester)
    .execute();
  await insertSubjects(tx, student_id, semester, subjects);
  const version = before.row.version + 1;
  await tx.updateTable('semesters').set({ version }).where('academic_id', '=', academicId).execute();
  await countResults(tx, { removed: before.subjects, added: subjects });
  await recomputeStanding(tx, student_id, semester);
  await relist(tx, new Map([[student_id, student]]));
  const after = await findSemester(tx, academicId);
  await recordChange(tx, author, {
    action: 'update',
    entity: 'semester',
    entityId: student_id,
    before: before.reply,
    after: after.reply,
  });
  return { academic: after.reply, version };
}

async function requireNext(tx: Tx, studentId: string, semester: number): Promise<void> {
  const state = await findEntryState(tx, studentId);
  if (state === undefined || !state.has_family) {
    throw new AppError('conflict', 'Enter the family details of the student first.');
  }
  const next = state.recorded_semesters + 1;
  if (next > state.current_sem) {
    throw invalid(
      'semester',
      'The semester must not be past the current one: all up to it have been recorded.',
    );
  }
  if (semester !== next) throw invalid('semester', `The semester must be ${next}, the next one to record.`);
}

/** Subject ids must be courses of the catalogue, or what the slot held before (the course may be gone since). */
async function requireCourses(
  tx: Tx,
  subjects: readonly Subject[],
  before: readonly Subject[],
): Promise<void> {
  const held = (slot: number) => before.find((subject) => subject.slot === slot)?.course_id ?? null;
  const asked = subjects.filter(({ slot, course_id }) => course_id !== null && course_id !== held(slot));
  if (asked.length === 0) return;
  const ids = asked.flatMap(({ course_id }) => course_id ?? []);
  const known = await tx.selectFrom('courses').select('course_id').where('course_id', 'in', ids).execute();
  const found = new Set(known.map(({ course_id }) => course_id));
  const missing = asked.filter(({ course_id }) => course_id !== null && !found.has(course_id));
  if (missing.length === 0) return;
  throw new InvalidFields(
    Object.fromEntries(
      missing.map(({ slot }) => [
        `subject_${slot}_id`,
        [`The subject ${slot} id must be that of an existing course.`],
      ]),
    ),
  );
}

async function insertSubjects(tx: Tx, student_id: string, semester: number, subjects: readonly Subject[]) {
  if (subjects.length === 0) return;
  await tx
    .insertInto('semester_subjects')
    .values(subjects.map((subject) => ({ student_id, semester, ...subject })))
    .execute();
}

/** Every filled slot of all semesters of a student. */
export function subjectsOfStudent(tx: Tx, studentId: string) {
  return tx
    .selectFrom('semester_subjects')
    .select(['semester', 'slot', 'title', 'course_id', 'credits', 'half_points'])
    .where('student_id', '=', studentId)
    .execute();
}

/** Averages of this semester and of every later one, from exact sums over all semesters. */
async function recomputeStanding(tx: Tx, studentId: string, fromSemester: number): Promise<void> {
  const rows = await subjectsOfStudent(tx, studentId);
  const semesters = await tx
    .selectFrom('semesters')
    .select('semester')
    .where('student_id', '=', studentId)
    .orderBy('semester')
    .execute();
  const standing = gpaStanding(
    semesters.map(({ semester }) => rows.filter((row) => row.semester === semester).map(graded)),
  );
  for (const [i, { sgpa, cgpa }] of standing.entries()) {
    const semester = semesters[i]?.semester ?? 0;
    if (semester < fromSemester) continue;
    await tx
      .updateTable('semesters')
      .set({ sgpa: Math.round(sgpa * 100), cgpa: Math.round(cgpa * 100) })
      .where('student_id', '=', studentId)
      .where('semester', '=', semester)
      .execute();
  }
}

/** A semester as it is stored and as it is answered. */
export async function findSemester(
  db: Db,
  academicId: number,
): Promise<{ row: SemesterRow & { version: number }; subjects: Subject[]; reply: Academic }> {
  const row = await db
    .selectFrom('semesters')
    .selectAll()
    .where('academic_id', '=', academicId)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('not-found', 'There is no such semester record.');
  const subjects = await db
    .selectFrom('semester_subjects')
    .select(['slot', 'title', 'course_id', 'credits', 'half_points'])
    .where('student_id', '=', row.student_id)
    .where('semester', '=', row.semester)
    .orderBy('slot')
    .limit(SLOTS.length)
    .execute();
  return { row, subjects, reply: presentSemester(row, subjects) };
}
