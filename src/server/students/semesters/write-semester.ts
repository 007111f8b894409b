import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { Academic, SemesterInput, semesterUpdate } from '../../../contract/students/academics.ts';
import type { RepeatPolicy } from '../../../domain/grading/policy.ts';
import type { Db, FamiliesTable, Tx } from '../../db/schema.ts';
import { AppError, invalidField, ValidationError } from '../../errors.ts';
import {
  type Author,
  firstVersion,
  isNoOp,
  recordChange,
  STUDENT_ENTITIES,
} from '../../history/record-change.ts';
import { latestChange, requireVersion, versionPart } from '../../http/etags.ts';
import { findFormerIds } from '../former-ids/former-ids.ts';
import { loadPolicies, type Policies } from '../grading/policies.ts';
import type { StudentRow } from '../index/derived-columns.ts';
import { reindexStudent } from '../index/reindex.ts';
import { countResults } from '../index/result-counts.ts';
import { findFamily, lockStudent } from '../queries.ts';
import { requireUnprotected } from './protected-slots.ts';
import {
  computeAverages,
  isFail,
  isGraded,
  presentSemester,
  type SemesterRow,
  type Subject,
  toSubjects,
} from './semester-slots.ts';

export interface RecordedSemester {
  academic: Academic;
  version: number;
}

/** A semester with its subjects in the order of their slots. */
interface Semester {
  row: SemesterRow & { version: number; is_provisional: number };
  subjects: Subject[];
}

/** Records the next semester of a student, the only one that can be recorded, with its averages. */
export async function createSemester(
  tx: Tx,
  author: Author,
  input: SemesterInput,
): Promise<RecordedSemester> {
  const { student_id, semester } = input;
  const student = await lockStudent(tx, student_id);
  if (student === undefined) {
    throw invalidField('student_id', NO_SUCH_STUDENT);
  }
  const family = await findFamily(tx, student_id);
  const earlier = await loadSemesters(tx, student_id);
  await requireNext(tx, student, family, earlier, semester);
  const subjects = toSubjects(input);
  await requireCourses(tx, subjects, []);
  return storeNewSemester(tx, author, { student, family, earlier }, { semester, subjects });
}

interface ResultsSoFar {
  student: StudentRow;
  family: FamiliesTable | undefined;
  earlier: readonly Semester[];
}

/**
 * Stores the results of the semester after `earlier`, with averages, index and history entry.
 *
 * @param added `academic_id` only of a restored semester; others get a new one
 */
export async function storeNewSemester(
  tx: Tx,
  author: Author,
  { student, family, earlier }: ResultsSoFar,
  { subjects, ...added }: { academic_id?: number; semester: number; subjects: Subject[] },
): Promise<RecordedSemester> {
  const student_id = student.id;
  const policies = await loadPolicies(tx);
  const [averages] = computeAverages(
    [...earlier.map((one) => one.subjects), subjects],
    policies.of(student.degree).rules.repeat_policy,
  ).slice(-1);
  const row = await tx
    .insertInto('semesters')
    .values({
      ...added,
      student_id,
      sgpa: averages?.sgpa ?? 0,
      cgpa: averages?.cgpa ?? 0,
      version: await firstVersion(tx, STUDENT_ENTITIES, student_id),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await insertSubjects(tx, student_id, added.semester, subjects);
  await countResults(tx, { added: subjects });
  await reindexResults(tx, { student, family, policies }, [...earlier, { row, subjects }]);
  const academic = presentSemester(row, subjects);
  await recordChange(tx, author, {
    action: 'create',
    entity: 'semester',
    entityId: student_id,
    after: academic,
  });
  return { academic, version: row.version };
}

/** Replaces the results of a recorded semester and updates the CGPA of every later one. */
export async function updateSemester(
  tx: Tx,
  author: Author,
  academicId: number,
  input: z.infer<typeof semesterUpdate>,
  ifMatch: string | undefined,
): Promise<RecordedSemester> {
  const student_id = await requireOwner(tx, academicId);
  const student = await lockStudent(tx, student_id);
  // Read only now, under the lock. The student may have been deleted while this call waited for it.
  const recorded = await loadSemesters(tx, student_id);
  const before = recorded.find(({ row }) => row.academic_id === academicId);
  if (student === undefined || before === undefined) throw noSuchSemester();
  const { semester, version } = before.row;
  if (input.student_id !== undefined && input.student_id !== student_id) {
    throw invalidField('student_id', 'The student id must be that of the record.');
  }
  if (input.semester !== undefined && input.semester !== semester) {
    throw invalidField('semester', `The semester must be ${semester}, that of the record.`);
  }
  const academicBefore = presentSemester(before.row, before.subjects);
  await requireVersion(tx, ifMatch, {
    part: versionPart.semester(semester, version),
    current: academicBefore,
    entities: ['semester'],
    id: student_id,
    semester,
  });
  const subjects = toSubjects(input);
  await requireCourses(tx, subjects, before.subjects);
  await requireUnprotected(tx, { student_id, semester }, before.subjects, subjects);
  if (isNoOp(author, academicBefore, presentSemester(before.row, subjects))) {
    return { academic: academicBefore, version };
  }

  await tx
    .deleteFrom('semester_subjects')
    .where('student_id', '=', student_id)
    .where('semester', '=', semester)
    .execute();
  await insertSubjects(tx, student_id, semester, subjects);
  const replaced = { row: { ...before.row, version: version + 1 }, subjects };
  const policies = await loadPolicies(tx);
  const semesters = withAverages(
    recorded.map((one) => (one === before ? replaced : one)),
    policies.of(student.degree).rules.repeat_policy,
  );
  for (const [i, { row }] of semesters.entries()) {
    if (!isDeepStrictEqual(row, { ...recorded[i]?.row })) await storeSemester(tx, row);
  }
  await countResults(tx, { removed: before.subjects, added: subjects });
  await reindexResults(tx, { student, family: await findFamily(tx, student_id), policies }, semesters);
  const after = semesters.find(({ row }) => row.academic_id === academicId) ?? replaced;
  const academic = presentSemester(after.row, subjects);
  await recordChange(tx, author, {
    action: 'update',
    entity: 'semester',
    entityId: student_id,
    before: academicBefore,
    after: academic,
  });
  return { academic, version: version + 1 };
}

/** The student to whom a semester belongs. */
export async function requireOwner(tx: Tx, academicId: number): Promise<string> {
  const row = await tx
    .selectFrom('semesters')
    .select('student_id')
    .where('academic_id', '=', academicId)
    .executeTakeFirst();
  if (row === undefined) throw noSuchSemester();
  return row.student_id;
}

export const noSuchSemester = () => new AppError('not-found', 'There is no such semester record.');

async function requireNext(
  tx: Tx,
  student: StudentRow,
  family: FamiliesTable | undefined,
  recorded: readonly Semester[],
  semester: number,
): Promise<void> {
  if (family === undefined) throw new AppError('conflict', FAMILY_FIRST);
  const next = recorded.length + 1;
  const fault = nextSemesterFault({ next, current: student.current_sem }, semester);
  if (fault === undefined) return;
  throw invalidField(
    'semester',
    fault,
    semester < next ? await latestChange(tx, { entities: ['semester'], id: student.id, semester }) : {},
  );
}

export const NO_SUCH_STUDENT = 'The student id must be that of an existing student.';
export const FAMILY_FIRST = 'Enter the family details of the student first.';

/** Why a semester can't be recorded; undefined if it can. */
export function nextSemesterFault(
  { next, current }: { next: number; current: number },
  semester: number,
): string | undefined {
  if (next > current) {
    return 'The semester must not be past the current one: all up to it have been recorded.';
  }
  return semester === next ? undefined : `The semester must be ${next}, the next one to record.`;
}

/** Every subject id must be a course of the catalogue, or what the slot already held (that course may have been deleted since). */
async function requireCourses(
  tx: Tx,
  subjects: readonly Subject[],
  before: readonly Subject[],
): Promise<void> {
  const heldBefore = (slot: number) => before.find((subject) => subject.slot === slot)?.course_id ?? null;
  const changed = subjects.filter(
    ({ slot, course_id }) => course_id !== null && course_id !== heldBefore(slot),
  );
  if (changed.length === 0) return;
  const ids = changed.flatMap(({ course_id }) => course_id ?? []);
  const known = await tx.selectFrom('courses').select('course_id').where('course_id', 'in', ids).execute();
  const found = new Set(known.map(({ course_id }) => course_id));
  const missing = changed.filter(({ course_id }) => course_id !== null && !found.has(course_id));
  if (missing.length === 0) return;
  throw new ValidationError(
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

/** With the averages that follow from the subjects. */
function withAverages(semesters: readonly Semester[], policy: RepeatPolicy): Semester[] {
  const averages = computeAverages(
    semesters.map(({ subjects }) => subjects),
    policy,
  );
  return semesters.map(({ row, subjects }, i) => ({ row: { ...row, ...averages[i] }, subjects }));
}

async function storeSemester(tx: Tx, { academic_id, sgpa, cgpa, version }: Semester['row']): Promise<void> {
  await tx
    .updateTable('semesters')
    .set({ sgpa, cgpa, version })
    .where('academic_id', '=', academic_id)
    .execute();
}

/** Brings the list up to date with the results of a student, from what has just been read and written. */
export async function reindexResults(
  tx: Tx,
  { student, family, policies }: Pick<ResultsSoFar, 'student' | 'family'> & { policies: Policies },
  semesters: readonly Semester[],
): Promise<void> {
  const formerIds = (await findFormerIds(tx, [student.id])).get(student.id) ?? [];
  await reindexStudent(
    tx,
    student,
    {
      row: {
        ...student,
        father_name: family?.father_name ?? null,
        father_phone: family?.father_phone ?? null,
        former_ids: formerIds.map(({ id }) => id),
      },
      hasFamily: family !== undefined,
      semesters: semesters.map(({ row, subjects }) => ({
        ...row,
        graded: subjects.filter(isGraded).length,
        fails: subjects.filter(isFail).length,
      })),
    },
    policies,
  );
}

/** The recorded semesters of a student, in order. */
export async function loadSemesters(db: Db, studentId: string): Promise<Semester[]> {
  const rows = await db
    .selectFrom('semesters')
    .selectAll()
    .where('student_id', '=', studentId)
    .orderBy('semester')
    .execute();
  const subjects = await loadSubjects(db, studentId);
  return rows.map((row) => ({ row, subjects: subjects.filter(({ semester }) => semester === row.semester) }));
}

/** Every filled slot of all semesters of a student. */
export function loadSubjects(db: Db, studentId: string) {
  return db
    .selectFrom('semester_subjects')
    .select(['semester', 'slot', 'title', 'course_id', 'credits', 'half_points'])
    .where('student_id', '=', studentId)
    .orderBy('semester')
    .orderBy('slot')
    .execute();
}
