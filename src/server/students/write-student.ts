import type { z } from 'zod';
import type { StatusInput, Student, StudentInput, studentUpdate } from '../../contract/students/students.ts';
import { calendarDate } from '../../domain/age.ts';
import type { Tx } from '../db/schema.ts';
import { AppError, alreadyTaken, invalidField } from '../errors.ts';
import { type Author, firstVersion, recordChange, STUDENT_ENTITIES } from '../history/record-change.ts';
import { changeRecord, type RecordKind, requireCurrent } from '../http/change-record.ts';
import { versionPart } from '../http/etags.ts';
import type { AuthorWithRole } from '../http/transact-as.ts';
import { findMissingPictures, type ReadyPicture, storePicture } from '../pictures/store-picture.ts';
import type { StudentRow } from './derived/derived-columns.ts';
import { reindex, removeFromIndex, storeAndReindexTexts } from './derived/reindex.ts';
import { countResults, readCounted } from './derived/result-counts.ts';
import { storeColumns } from './derived/store-columns.ts';
import { findSearchFields, type SearchFields } from './derived/student-facts.ts';
import { findFormerOwner, noSuchStudent } from './former-ids.ts';
import { loadPolicies } from './grading/policies.ts';
import { isStudentId, lockStudent, presentStudent, studentColumns } from './queries.ts';
import { findBatchFaults } from './semesters/batch-moves.ts';
import { findWithSheets, RESERVED_ID, requireDeletingRight } from './semesters/protected-slots.ts';
import { forgetSheetsOfDeleted } from './sheets-of-deleted.ts';
import { readWholeRecords } from './whole-record.ts';

export interface Versioned<Stored> {
  record: Stored;
  version: number;
}

const STUDENT: RecordKind<StudentRow> = {
  entity: 'student',
  versionPart: versionPart.student,
  present: presentStudent,
};

/** Enters the base record of a new student. An uploaded portrait takes precedence over `img`. */
export async function createStudent(
  tx: Tx,
  author: AuthorWithRole,
  sent: StudentInput,
  portrait?: ReadyPicture,
): Promise<Versioned<Student>> {
  refuseImpossibleDates(sent);
  const input = { ...sent, img: await requirePortrait(tx, sent, portrait) };
  const row = await tx
    .insertInto('students')
    .values({ ...studentColumns(input), version: await firstVersion(tx, STUDENT_ENTITIES, input.id) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) throw invalidField('id', alreadyTaken('id'));
  const former = await findFormerOwner(tx, row.id);
  if (former !== undefined) throw invalidField('id', former.text);
  const [deleted] = await findWithSheets(tx, [row.id]);
  if (deleted !== undefined && author.role !== 'admin') throw invalidField('id', RESERVED_ID);
  await forgetSheetsOfDeleted(tx, [row.id]);
  await reindex(tx, new Map([[row.id, undefined]]));
  const student = presentStudent(row);
  await recordChange(tx, author, { action: 'create', entity: 'student', entityId: row.id, after: student });
  return { record: student, version: row.version };
}

async function requireBatchRight(tx: Tx, before: StudentRow, after: { degree: string }): Promise<void> {
  const { id } = before;
  const fault = (await findBatchFaults(tx, await loadPolicies(tx), [{ id, before, after }])).get(id);
  if (fault !== undefined) throw new AppError('forbidden', fault);
}

/** Columns that a change of the status sets. */
export type StatusColumns = Pick<Student, 'status' | 'status_date' | 'status_reason'>;

/**
 * Replaces a base record. The status stays, unless a state of the history with another one is restored.
 *
 * @throws AppError forbidden when an administrator has to move the student to the other batch
 */
export async function updateStudent(
  tx: Tx,
  author: AuthorWithRole,
  id: string,
  {
    id: sentId,
    portrait,
    ...sent
  }: z.infer<typeof studentUpdate> & Partial<StatusColumns> & { portrait?: ReadyPicture | undefined },
  ifMatch: string | undefined,
): Promise<Versioned<Student>> {
  if (sentId !== undefined && sentId !== id) throw invalidField('id', 'The id must stay as it is.');
  refuseImpossibleDates(sent);
  if (!isStudentId(id)) throw noSuchStudent();
  const [before, searched] = await Promise.all([lockStudent(tx, id), findSearchFields(tx, id)]);
  if (before === undefined) throw noSuchStudent();
  await requireCurrent(tx, STUDENT, { id, row: before }, ifMatch);
  refuseJoiningAfterStatus(before, sent);
  const input = { ...sent, img: await requirePortrait(tx, sent, portrait) };
  if (author.role !== 'admin' && input.degree !== before.degree) await requireBatchRight(tx, before, input);
  return storeStudent(tx, author, before, studentColumns(input), searched);
}

/**
 * A change of the status, as it is stored.
 *
 * @throws ValidationError on `date` when it is in the future
 */
export function toStatusColumns({
  status,
  date,
  reason,
}: Pick<StatusInput, 'status'> & { [Name in 'date' | 'reason']?: string | null | undefined }): StatusColumns {
  const today = calendarDate(new Date());
  const status_date = date ?? today;
  if (status_date > today) throw invalidField('date', 'The date must not be in the future.');
  return { status, status_date, status_reason: reason ?? null };
}

/** Whether a status would have begun before the student joined. */
export const isBeforeJoining = (
  { status_date }: Pick<Student, 'status_date'>,
  { joining_date }: Pick<Student, 'joining_date'>,
): boolean => status_date !== null && status_date < joining_date;

function refuseJoiningAfterStatus(
  before: StudentRow,
  sent: Pick<Student, 'joining_date'> & Partial<StatusColumns>,
): void {
  const fault = joiningFault(before, sent);
  if (fault !== undefined) throw invalidField('joining_date', fault);
}

/**
 * Why a student can't have joined on a date; undefined if they can. Only a changed date is refused: other fields of records that
 * were stored without this check can still be corrected.
 */
export function joiningFault(
  before: Pick<StudentRow, 'joining_date' | 'status_date'>,
  { joining_date, status_date = before.status_date }: Pick<Student, 'joining_date'> & Partial<StatusColumns>,
): string | undefined {
  if (joining_date === before.joining_date || !isBeforeJoining({ status_date }, { joining_date })) return;
  return `The joining date must not be after the date of the status, ${status_date}.`;
}

/** Changes whether a student is studying, on leave or gone. */
export async function changeStatus(
  tx: Tx,
  author: Author,
  id: string,
  columns: StatusColumns,
  ifMatch: string | undefined,
): Promise<Versioned<Student>> {
  const before = await lockStudent(tx, id);
  if (before === undefined) throw noSuchStudent();
  await requireCurrent(tx, STUDENT, { id, row: before }, ifMatch);
  if (isBeforeJoining(columns, before))
    throw invalidField('date', `The date must not be before the joining date, ${before.joining_date}.`);
  return storeStudent(tx, author, before, columns, await findSearchFields(tx, id));
}

/** Columns on which more than the search of the list depends. */
const INDEXED = ['dob', 'gender', 'current_sem', 'department', 'degree', 'syn', 'status'] as const;

async function storeStudent(
  tx: Tx,
  author: Author,
  before: StudentRow,
  columns: Partial<StudentRow>,
  searched: SearchFields,
): Promise<Versioned<Student>> {
  const { id } = before;
  const store = async (version: number) => {
    const row = { ...before, ...columns, version };
    if (INDEXED.some((name) => row[name] !== before[name])) {
      await storeColumns(tx, [{ before, after: row }]);
      await reindex(tx, new Map([[id, before]]));
    } else {
      await storeAndReindexTexts(tx, before, row, searched);
    }
    return row;
  };
  const row = await changeRecord(tx, author, STUDENT, { id, row: before, columns, store });
  return { record: presentStudent(row), version: row.version };
}

/** Deletes a student with family and results. The history keeps the whole record. */
export async function deleteStudent(
  tx: Tx,
  author: AuthorWithRole,
  id: string,
  ifMatch: string | undefined,
): Promise<void> {
  const student = await lockStudent(tx, id);
  if (student === undefined) throw noSuchStudent();
  await requireCurrent(tx, STUDENT, { id, row: student }, ifMatch);
  await requireDeletingRight(tx, author, [id]);
  const before = (await readWholeRecords(tx, [student])).get(id);
  await countResults(tx, { removed: await readCounted(tx, [id]) });
  await removeFromIndex(tx, [student]);
  await tx.deleteFrom('students').where('id', '=', id).execute();
  await recordChange(tx, author, {
    action: 'delete',
    entity: 'student',
    entityId: id,
    before,
  });
}

/**
 * The value of `img`: the URL of the uploaded picture, which is stored, or else the text as sent. Pictures are never
 * removed, so a URL that is valid now stays valid.
 *
 * @throws ValidationError if the text is the URL of a stored picture that does not exist
 */
async function requirePortrait(
  tx: Tx,
  { img }: Pick<StudentInput, 'img'>,
  portrait: ReadyPicture | undefined,
): Promise<string | null> {
  if (portrait !== undefined) return storePicture(tx, portrait);
  if ((await findMissingPictures(tx, [img])).size > 0)
    throw invalidField('img', 'The img must be a picture that is stored.');
  return img;
}

function refuseImpossibleDates(sent: Pick<StudentInput, 'dob' | 'joining_date'>): void {
  const fault = birthFault(sent);
  if (fault !== undefined) throw invalidField('dob', fault);
}

/** Why a student can't have been born on a day; undefined if they can. */
export function birthFault({
  dob,
  joining_date,
}: Pick<StudentInput, 'dob' | 'joining_date'>): string | undefined {
  if (dob > calendarDate(new Date())) return 'The dob must not be in the future.';
  return dob >= joining_date ? 'The dob must be before the joining date.' : undefined;
}
