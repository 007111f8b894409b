import type { IdChangePreview } from '../../../contract/students/former-ids.ts';
import type { Student } from '../../../contract/students/students.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { alreadyTaken, invalidField } from '../../errors.ts';
import { type Author, firstVersion, recordChange, STUDENT_ENTITIES } from '../../history/record-change.ts';
import { requireVersion, versionPart } from '../../http/etags.ts';
import type { StudentRow } from '../index/derived-columns.ts';
import { reindex, removeFromIndex } from '../index/reindex.ts';
import { findEntryState, findStudent, lockStudent, presentStudent } from '../queries.ts';
import { loadSubjects } from '../semesters/write-semester.ts';
import { readWholeRecords } from '../whole-record.ts';
import { findFormerIds, findFormerOwner, studentNotFound, sumOfFirstVersions } from './former-ids.ts';

/** What a change of a student's ID would take along. Throws what the change would refuse. */
export async function previewIdChange(
  db: Db,
  id: string,
  newId: string,
): Promise<{ preview: IdChangePreview; version: number }> {
  const student = await findStudent(db, id);
  const state = await findEntryState(db, id);
  if (student === undefined || state === undefined) throw await studentNotFound(db, id);
  refuseSame(id, newId);
  if ((await findStudent(db, newId)) !== undefined) throw invalidField('id', alreadyTaken('id'));
  await refuseFormer(db, id, newId);
  const { entries } = await db
    .selectFrom('history')
    .select((eb) => eb.fn.countAll().as('entries'))
    .where('entity', 'in', STUDENT_ENTITIES)
    .where('entity_id', '=', id)
    .executeTakeFirstOrThrow();
  return {
    preview: {
      semesters: state.recorded_semesters,
      has_family: state.has_family,
      has_picture: student.img !== null,
      entries: Number(entries),
      former_ids: (await findFormerIds(db, [id])).get(id)?.map((former) => former.id) ?? [],
    },
    version: student.version,
  };
}

function refuseSame(id: string, newId: string): void {
  if (newId === id) throw invalidField('id', 'The id must differ from the present one.');
}

/** A former ID of another student would lead to the wrong record. The student's own may be used again. */
async function refuseFormer(db: Db, id: string, newId: string): Promise<void> {
  const former = await findFormerOwner(db, newId);
  if (former !== undefined && former.owner !== id) throw invalidField('id', former.text);
}

/**
 * Gives a student another ID. Family, results and picture follow. The entries of the history stay as they are, under the old
 * ID, which is remembered; an entry under each of the two IDs records the change.
 */
export async function changeId(
  tx: Tx,
  author: Author,
  { id, newId }: { id: string; newId: string },
  ifMatch: string | undefined,
): Promise<{ student: Student; version: number }> {
  const student = await lockStudent(tx, id);
  if (student === undefined) throw await studentNotFound(tx, id);
  await requireVersion(tx, ifMatch, {
    part: versionPart.student(student.version),
    current: presentStudent(student),
    entities: ['student'],
    id: id,
  });
  refuseSame(id, newId);
  const before = (await readWholeRecords(tx, [student])).get(id);
  await removeFromIndex(tx, [student]);
  const row = await moveRecord(tx, student, newId);
  const left = await recordChange(tx, author, {
    action: 'update',
    entity: 'student',
    entityId: id,
    before: presentStudent(student),
    after: presentStudent(row),
  });
  await tx
    .insertInto('student_former_ids')
    .values({ student_id: newId, history_id: left, former_id: id })
    .execute();
  await tx.deleteFrom('students').where('id', '=', id).execute();
  // Checked last: another transaction may have changed the other student's ID while this one waited.
  await refuseFormer(tx, newId, newId);
  await reindex(tx, new Map([[newId, undefined]]));
  await recordChange(tx, author, {
    action: 'update',
    entity: 'student',
    entityId: newId,
    before,
    after: (await readWholeRecords(tx, [row])).get(newId),
  });
  return { student: presentStudent(row), version: row.version };
}

/** Moves all rows but the old one of `students`. The references between the tables hold after every statement. */
async function moveRecord(tx: Tx, student: StudentRow, newId: string): Promise<StudentRow> {
  const { id } = student;
  const version = await firstVersion(tx, STUDENT_ENTITIES, newId);
  const row = await tx
    .insertInto('students')
    .values({ ...student, id: newId, version })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) throw invalidField('id', alreadyTaken('id'));
  const subjects = await loadSubjects(tx, id);
  await tx.deleteFrom('semester_subjects').where('student_id', '=', id).execute();
  await tx
    .updateTable('semesters')
    .set({ student_id: newId, version: await versionOfSemesters(tx, id, newId) })
    .where('student_id', '=', id)
    .execute();
  if (subjects.length > 0) {
    await tx
      .insertInto('semester_subjects')
      .values(subjects.map((subject) => ({ student_id: newId, ...subject })))
      .execute();
  }
  await tx.updateTable('families').set({ student_id: newId, version }).where('student_id', '=', id).execute();
  await tx
    .updateTable('student_former_ids')
    .set({ student_id: newId })
    .where('student_id', '=', id)
    .execute();
  return row;
}

/** The address of a semester does not have the student's ID, so its version must be higher than before. */
async function versionOfSemesters(tx: Tx, id: string, newId: string): Promise<number> {
  const formerIds = (await findFormerIds(tx, [id])).get(id)?.map((former) => former.id) ?? [];
  return sumOfFirstVersions(tx, [id, newId, ...formerIds]);
}
