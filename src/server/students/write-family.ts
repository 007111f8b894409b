import type { Selectable } from 'kysely';
import type { z } from 'zod';
import type { Family, FamilyInput, familyUpdate } from '../../contract/students/students.ts';
import type { FamiliesTable, Tx } from '../db/schema.ts';
import { AppError, alreadyTaken, invalidField } from '../errors.ts';
import { type Author, firstVersion, recordChange, STUDENT_ENTITIES } from '../history/record-change.ts';
import { changeRecord, type RecordKind, requireCurrent } from '../http/change-record.ts';
import { latestChange, versionPart } from '../http/etags.ts';
import { reindex } from './derived/reindex.ts';
import { noSuchStudent } from './former-ids.ts';
import { findFamily, lockStudent, presentFamily } from './queries.ts';
import type { Versioned } from './write-student.ts';

const FAMILY: RecordKind<Selectable<FamiliesTable>> = {
  entity: 'family',
  versionPart: versionPart.family,
  present: presentFamily,
};

/** Enters the family details of an existing student. */
export async function createFamily(tx: Tx, author: Author, input: FamilyInput): Promise<Versioned<Family>> {
  const student = await lockStudent(tx, input.student_id);
  if (student === undefined) {
    throw invalidField('student_id', 'The student id must be that of an existing student.');
  }
  const row = await tx
    .insertInto('families')
    .values({ ...input, version: await firstVersion(tx, STUDENT_ENTITIES, input.student_id) })
    .onConflict((conflict) => conflict.column('student_id').doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) {
    const latest = await latestChange(tx, { entities: ['family'], id: input.student_id });
    throw invalidField('student_id', alreadyTaken('student_id'), latest);
  }
  await reindex(tx, new Map([[student.id, student]]));
  const family = presentFamily(row);
  await recordChange(tx, author, {
    action: 'create',
    entity: 'family',
    entityId: row.student_id,
    after: family,
  });
  return { record: family, version: row.version };
}

/** Replaces the family details of a student. */
export async function updateFamily(
  tx: Tx,
  author: Author,
  studentId: string,
  { student_id, ...input }: z.infer<typeof familyUpdate>,
  ifMatch: string | undefined,
): Promise<Versioned<Family>> {
  if (student_id !== undefined && student_id !== studentId) {
    throw invalidField('student_id', 'The student id must be that of the address.');
  }
  const student = await lockStudent(tx, studentId);
  if (student === undefined) throw noSuchStudent();
  const before = await findFamily(tx, studentId);
  if (before === undefined)
    throw new AppError('not-found', 'The family of this student has not been entered yet.');
  await requireCurrent(tx, FAMILY, { id: studentId, row: before }, ifMatch);
  const store = async (version: number) => {
    const row = await tx
      .updateTable('families')
      .set({ ...input, version })
      .where('student_id', '=', studentId)
      .returningAll()
      .executeTakeFirstOrThrow();
    await reindex(tx, new Map([[student.id, student]]));
    return row;
  };
  const row = await changeRecord(tx, author, FAMILY, { id: studentId, row: before, columns: input, store });
  return { record: presentFamily(row), version: row.version };
}
