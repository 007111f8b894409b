import { type Academic, academicReply } from '../../../contract/students/academics.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { AppError } from '../../errors.ts';
import type { Entry } from '../../history/chain.ts';
import { firstEntryId } from '../../history/list-history.ts';
import { type Author, recordChange } from '../../history/record-change.ts';
import { requireVersion, versionPart } from '../../http/etags.ts';
import type { VerifiedActor } from '../../http/transact-as.ts';
import { loadPolicies } from '../grading/policies.ts';
import { countResults } from '../index/result-counts.ts';
import { findFamily, lockStudent } from '../queries.ts';
import { requireDeletable } from './protected-slots.ts';
import { presentSemester, toSubjects } from './semester-slots.ts';
import {
  loadSemesters,
  noSuchSemester,
  type RecordedSemester,
  reindexResults,
  requireOwner,
  storeNewSemester,
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
  ifMatch: string | undefined,
): Promise<{ semester: number; entry: number }> {
  const student_id = await requireOwner(tx, academicId);
  const student = await lockStudent(tx, student_id);
  const recorded = await loadSemesters(tx, student_id);
  const deleted = recorded.find(({ row }) => row.academic_id === academicId);
  if (student === undefined || deleted === undefined) throw noSuchSemester();
  const { semester, version } = deleted.row;
  const before = presentSemester(deleted.row, deleted.subjects);
  await requireVersion(tx, ifMatch, {
    part: versionPart.semester(semester, version),
    current: before,
    entities: ['semester'],
    id: student_id,
    semester,
  });
  if (semester < recorded.length) {
    throw new AppError(
      'conflict',
      `Only the last recorded semester can be deleted, which is semester ${recorded.length}.`,
    );
  }
  await requireDeletable(tx, student_id, semester);
  await tx.deleteFrom('semesters').where('academic_id', '=', academicId).execute();
  await countResults(tx, { removed: deleted.subjects });
  const [family, policies] = [await findFamily(tx, student_id), await loadPolicies(tx)];
  await reindexResults(tx, { student, family, policies }, recorded.slice(0, -1));
  const entry = await recordChange(tx, author, {
    action: 'delete',
    entity: 'semester',
    entityId: student_id,
    before,
  });
  return { semester, entry };
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
  if (entry.id < (await firstEntryId(db, 'student', entry.entity_id))) {
    throw new AppError('conflict', 'These are the results of another student, who had this ID before.');
  }
  const recorded = (await loadSemesters(db, studentId)).length;
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
): Promise<RecordedSemester> {
  const student = await lockStudent(tx, studentId);
  if (student === undefined) throw noSuchSemester();
  const { academic_id, semester, ...slots } = await requireRestorable(tx, studentId, entry);
  const earlier = await loadSemesters(tx, studentId);
  return storeNewSemester(
    tx,
    { ...author, restores: entry.id },
    { student, family: await findFamily(tx, studentId), earlier },
    { academic_id, semester, subjects: toSubjects(slots) },
  );
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
  number: number,
): Promise<RecordedSemester> {
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
  return restoreSemester(tx, author, studentId, entry);
}
