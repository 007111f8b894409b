import { sql } from 'kysely';
import type { IdChangePreview } from '../../../contract/students/former-ids.ts';
import type { Student } from '../../../contract/students/students.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { alreadyTaken, invalidField } from '../../errors.ts';
import {
  type Author,
  firstVersion,
  recordChange,
  recordChanges,
  recordNumberedChange,
  STUDENT_ENTITIES,
} from '../../history/record-change.ts';
import { requireVersion, versionPart } from '../../http/etags.ts';
import type { StudentRow } from '../derived/derived-columns.ts';
import { reindex, removeFromIndex } from '../derived/reindex.ts';
import { findFormerIds, findFormerOwner, studentNotFound, sumOfFirstVersions } from '../former-ids.ts';
import { findEntryState, findStudent, lockStudent, presentStudent } from '../queries.ts';
import { readWholeRecords } from '../whole-record.ts';

/** Finds all that a change of a student's ID would take along. Throws what the change would refuse. */
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
  await refuseSharedSheet(db, id, newId);
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

/** The row of a deleted student with the new ID would be in the way. */
async function refuseSharedSheet(db: Db, id: string, newId: string): Promise<void> {
  const shared = await db
    .selectFrom('sheet_rows as own')
    .innerJoin('sheet_rows as other', 'other.sheet_id', 'own.sheet_id')
    .innerJoin('sheets', 'sheets.sheet_id', 'own.sheet_id')
    .select('sheets.title')
    .where('own.student_id', '=', id)
    .where('other.student_id', '=', newId)
    .orderBy('sheets.sheet_id')
    .limit(1)
    .executeTakeFirst();
  if (shared === undefined) return;
  throw invalidField('id', `The id is also on the mark sheet ${shared.title}, with a row of its own.`);
}

/**
 * Gives a student another ID. Family, results, rows of mark sheets and picture follow. The entries of the history stay as they are, under the old
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
  await refuseSharedSheet(tx, id, newId);
  const before = (await readWholeRecords(tx, [student])).get(id);
  await removeFromIndex(tx, [student]);
  const row = await moveRecord(tx, student, newId);
  const left = await recordNumberedChange(tx, author, {
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
  await moveSheetRows(tx, author, id, newId);
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
  const subjects = await tx
    .selectFrom('semester_subjects')
    .selectAll()
    .where('student_id', '=', id)
    .execute();
  await tx.deleteFrom('semester_subjects').where('student_id', '=', id).execute();
  await tx
    .updateTable('semesters')
    .set({ student_id: newId, version: sql`semester + ${await sumOfVersions(tx, id, newId)}` })
    .where('student_id', '=', id)
    .execute();
  if (subjects.length > 0) {
    await tx
      .insertInto('semester_subjects')
      .values(subjects.map((subject) => ({ ...subject, student_id: newId })))
      .execute();
  }
  await tx.updateTable('families').set({ student_id: newId, version }).where('student_id', '=', id).execute();
  // Documents with the old ID on them are superseded, and still this student's.
  await tx.updateTable('documents').set({ student_id: newId }).where('student_id', '=', id).execute();
  for (const table of ['scheme_exceptions', 'outside_credits', 'holds'] as const)
    await tx.updateTable(table).set({ student_id: newId }).where('student_id', '=', id).execute();
  await tx
    .updateTable('student_former_ids')
    .set({ student_id: newId })
    .where('student_id', '=', id)
    .execute();
  return row;
}

/** Rows and results of mark sheets. The sheets get a new version, so that whoever has one open reads it again. */
async function moveSheetRows(tx: Tx, author: Author, id: string, newId: string): Promise<void> {
  // Of a deleted student, who is another person.
  for (const table of ['sheet_results', 'sheet_removed_rows'] as const) {
    await tx.deleteFrom(table).where('student_id', '=', newId).execute();
    await tx.updateTable(table).set({ student_id: newId }).where('student_id', '=', id).execute();
  }
  const sheets = await tx
    .updateTable('sheets')
    .set((eb) => ({ version: eb('version', '+', 1), setup_version: eb('version', '+', 1) }))
    .where('sheet_id', 'in', (eb) =>
      eb.selectFrom('sheet_rows').select('sheet_id').where('student_id', '=', id),
    )
    .returning('sheet_id')
    .execute();
  if (sheets.length === 0) return;
  await tx
    .updateTable('sheet_rows')
    .set((eb) => ({
      student_id: newId,
      version: eb
        .selectFrom('sheets')
        .select('sheets.version')
        .whereRef('sheets.sheet_id', '=', 'sheet_rows.sheet_id')
        .$asScalar(),
    }))
    .where('student_id', '=', id)
    .execute();
  await recordChanges(
    tx,
    author,
    sheets.map(({ sheet_id }) => ({
      action: 'update',
      entity: 'sheet',
      entityId: sheet_id,
      before: { student_id: id },
      after: { student_id: newId },
    })),
    null,
  );
}

/** Added to the semester for its version, which must be higher than before: its address does not have the student's ID. */
async function sumOfVersions(tx: Tx, id: string, newId: string): Promise<number> {
  const formerIds = (await findFormerIds(tx, [id])).get(id)?.map((former) => former.id) ?? [];
  return sumOfFirstVersions(tx, [id, newId, ...formerIds]);
}
