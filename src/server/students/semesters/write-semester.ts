import { sql } from 'kysely';
import type { Academic, SemesterChange, SemesterInput } from '../../../contract/students/academics.ts';
import { jsonElements } from '../../db/dialect/sql.ts';
import { preparedQueryVariants } from '../../db/prepared-query.ts';
import type { Tx } from '../../db/schema.ts';
import { AppError, invalidField, ValidationError } from '../../errors.ts';
import type { Author } from '../../history/record-change.ts';
import { latestChange, requireVersion, versionPart } from '../../http/etags.ts';
import { isSameSubjects, presentSemester, type Subject, toSubjects } from '../semester-slots.ts';
import { lockResults, lockResultsWith, type RecordedSemester, type StudentResults } from './load-results.ts';
import { requireUnprotected } from './protected-slots.ts';
import type { ResultRight } from './result-rights.ts';
import { type ResultPlan, storeStudentResults } from './store-results.ts';

export interface SavedSemester {
  academic: Academic;
  version: number;
}

const toSaved = ({ row, subjects }: RecordedSemester): SavedSemester => ({
  academic: presentSemester(row, subjects),
  version: row.version,
});

/** Records the next semester of a student, the only one that can be recorded, with its averages. */
export async function createSemester(
  tx: Tx,
  author: Author,
  input: SemesterInput,
  right: ResultRight,
): Promise<SavedSemester> {
  const { student_id, semester } = input;
  const results = await lockResults(tx, student_id);
  if (results === undefined) throw invalidField('student_id', NO_SUCH_STUDENT);
  await requireNext(tx, results, semester);
  const subjects = toSubjects(input);
  await requireCourses(tx, subjects, []);
  return saveResults(tx, author, { ...results, semesters: [...getSubjects(results), subjects] }, right);
}

/** Replaces the results of a recorded semester and updates the CGPA of every later one. */
export async function updateSemester(
  tx: Tx,
  author: Author,
  academicId: number,
  input: SemesterChange,
  { right, ifMatch }: { right: ResultRight; ifMatch: string | undefined },
): Promise<SavedSemester> {
  const { results, recorded } = await lockSemester(tx, academicId);
  const { student_id, semester } = recorded.row;
  if (input.student_id !== undefined && input.student_id !== student_id) {
    throw invalidField('student_id', 'The student id must be that of the record.');
  }
  if (input.semester !== undefined && input.semester !== semester) {
    throw invalidField('semester', `The semester must be ${semester}, that of the record.`);
  }
  await requireSemesterVersion(tx, ifMatch, recorded);
  if (recorded.row.is_elsewhere === 1) throw new AppError('conflict', elsewhereText(semester));
  const subjects = toSubjects(input);
  await requireCourses(tx, subjects, recorded.subjects);
  requireUnprotected(getProtectedSlots(results, semester), recorded.subjects, subjects);
  const isRestore = author.restores !== undefined;
  // Nothing is stored then: a restore always gets an entry.
  if (!isRestore && isSameSubjects(recorded.subjects, subjects)) return toSaved(recorded);
  const semesters = getSubjects(results).with(semester - 1, subjects);
  const restored = isRestore && { restored: { semester } };
  return saveResults(tx, author, { ...results, semesters, ...restored }, right);
}

/** Stores results of which one semester is new or different. */
export async function saveResults(
  tx: Tx,
  author: Author,
  plan: ResultPlan,
  right: ResultRight,
): Promise<SavedSemester> {
  const { after } = await storeStudentResults(tx, author, plan, right);
  if (after === undefined) throw noSuchSemester();
  return toSaved(after);
}

/** The subjects of each recorded semester. */
export const getSubjects = ({ recorded }: StudentResults) => recorded.map(({ subjects }) => subjects);

export const getProtectedSlots = ({ protectedSlots }: StudentResults, semester: number) =>
  protectedSlots.filter((slot) => slot.semester === semester);

/** A recorded semester, and the results of its student, who is locked. */
export async function lockSemester(
  tx: Tx,
  academicId: number,
): Promise<{ results: StudentResults; recorded: RecordedSemester }> {
  const results = await lockResultsWith(tx, academicId);
  const recorded = results?.recorded.find(({ row }) => row.academic_id === academicId);
  if (results === undefined || recorded === undefined) throw noSuchSemester();
  return { results, recorded };
}

export const requireSemesterVersion = (
  tx: Tx,
  ifMatch: string | undefined,
  { row, subjects }: RecordedSemester,
): Promise<void> =>
  requireVersion(tx, ifMatch, {
    part: versionPart.semester(row.semester, row.version),
    current: async () => presentSemester(row, subjects),
    entities: ['semester'],
    id: row.student_id,
    semester: row.semester,
  });

export const noSuchSemester = () => new AppError('not-found', 'There is no such semester record.');

async function requireNext(
  tx: Tx,
  { student, hasFamily, recorded }: StudentResults,
  semester: number,
): Promise<void> {
  if (!hasFamily) throw new AppError('conflict', FAMILY_FIRST);
  const next = recorded.length + 1;
  const fault = nextSemesterFault({ next, current: student.current_sem }, semester);
  if (fault === undefined) return;
  throw invalidField(
    'semester',
    fault,
    semester < next ? await latestChange(tx, { entities: ['semester'], id: student.id, semester }) : {},
  );
}

/** Why a semester takes no results. */
export const elsewhereText = (semester: number) =>
  `Semester ${semester} is before the entry of this student, so it has no results.`;

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

const findCourses = preparedQueryVariants<{ course_id: number }, object>(
  (db, _, value) => sql`
    select c.course_id from ${jsonElements(db, value('ids'))} l cross join courses c
    where c.course_id = cast(l.value as bigint)`,
);

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
  const ids = JSON.stringify(changed.map(({ course_id }) => course_id));
  const found = new Set((await findCourses(tx, {}, { ids })).map(({ course_id }) => course_id));
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
