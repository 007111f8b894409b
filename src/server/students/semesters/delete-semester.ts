import { type Academic, academicReply } from '../../../contract/students/academics.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { AppError } from '../../errors.ts';
import type { Entry } from '../../history/chain.ts';
import { firstEntryId, lastEntryId } from '../../history/list-history.ts';
import type { Author } from '../../history/record-change.ts';
import type { VerifiedActor } from '../../http/transact-as.ts';
import { anotherStudents } from '../former-ids.ts';
import { findEntryState, lockStudent } from '../queries.ts';
import { toSubjects } from '../semester-slots.ts';
import { lockResults } from './load-results.ts';
import { requireDeletable } from './protected-slots.ts';
import type { ResultRight } from './result-rights.ts';
import { storeStudentResults } from './store-results.ts';
import {
  getProtectedSlots,
  getSubjects,
  lockSemester,
  noSuchSemester,
  requireSemesterVersion,
  type SavedSemester,
  saveResults,
} from './write-semester.ts';

/**
 * Deletes the results of the last recorded semester; semesters are recorded without gaps. The history keeps them.
 *
 * @returns the number of the history entry, from which the semester can be restored
 * @throws AppError conflict when a later semester is recorded
 */
export async function deleteSemester(
  tx: Tx,
  author: Author,
  academicId: number,
  { right, ifMatch }: { right: ResultRight; ifMatch: string | undefined },
): Promise<{ semester: number; entry: number }> {
  const { results, recorded } = await lockSemester(tx, academicId);
  const { semester } = recorded.row;
  await requireSemesterVersion(tx, ifMatch, recorded);
  const last = results.recorded.length;
  if (semester < last) {
    throw new AppError(
      'conflict',
      `Only the last recorded semester can be deleted, which is semester ${last}.`,
    );
  }
  requireDeletable(getProtectedSlots(results, semester));
  const plan = { ...results, semesters: getSubjects(results).slice(0, -1) };
  await storeStudentResults(tx, author, plan, right);
  return { semester, entry: await lastEntryId(tx, 'semester', results.student.id) };
}

/**
 * The results that a history entry of a deleted semester has, if they can be restored.
 *
 * @param studentId the student's present ID
 * @throws AppError conflict, with the reason, if they can't
 */
export async function requireRestorable(db: Db, studentId: string, entry: Entry): Promise<Academic> {
  const state = academicReply.parse(JSON.parse(entry.before ?? 'null'));
  const { semester } = state;
  const recorded = (await findEntryState(db, studentId))?.recorded_semesters ?? 0;
  if (semester <= recorded) {
    throw new AppError(
      'conflict',
      `Semester ${semester} has been recorded again, so the old results can not be restored.`,
    );
  }
  if (semester > recorded + 1) {
    throw new AppError(
      'conflict',
      `Semester ${semester} can only be restored once semester ${recorded + 1} is recorded.`,
    );
  }
  return state;
}

/** Restores a deleted semester exactly as it was, even if a rule of entering results has changed since. */
export async function restoreSemester(
  tx: Tx,
  author: Author,
  studentId: string,
  entry: Entry,
  right: ResultRight,
): Promise<SavedSemester> {
  const results = await lockResults(tx, studentId);
  if (results === undefined) throw noSuchSemester();
  const { academic_id, semester, elsewhere, ...slots } = await requireRestorable(tx, studentId, entry);
  const plan = {
    ...results,
    semesters: [...getSubjects(results), toSubjects(slots)],
    restored: { semester, academic_id },
    elsewhere: elsewhere && semester,
  };
  return saveResults(tx, { ...author, restores: entry.id }, plan, right);
}

/**
 * Undoes the deletion of a semester, for an administrator or the person who deleted it.
 *
 * @param number of the history entry of the deletion
 */
export async function undoDeletion(
  tx: Tx,
  author: VerifiedActor,
  studentId: string,
  { number, reason }: { number: number; reason: string | null },
): Promise<SavedSemester> {
  const entry = await tx
    .selectFrom('history')
    .selectAll()
    .where('id', '=', number)
    .where('entity', '=', 'semester')
    .where('entity_id', '=', studentId)
    .where('action', '=', 'delete')
    .executeTakeFirst();
  if (entry === undefined) throw noSuchSemester();
  if (author.role !== 'admin' && author.id !== entry.user_id) {
    throw new AppError('forbidden', 'Only an administrator or the person who deleted it can restore it.');
  }
  if ((await lockStudent(tx, studentId)) === undefined) throw noSuchSemester();
  if (number < (await firstEntryId(tx, 'student', studentId))) throw anotherStudents();
  return restoreSemester(tx, author, studentId, entry, { role: author.role, reason });
}
