import type { z } from 'zod';
import type { Student, StudentInput, studentUpdate } from '../../contract/students.ts';
import { calendarDate } from '../../domain/age.ts';
import { countResults } from '../academics/course-results.ts';
import { subjectsOfStudent } from '../academics/record-semester.ts';
import type { Tx } from '../db/schema.ts';
import { AppError, InvalidFields, invalid, TAKEN } from '../errors.ts';
import { firstVersion, OF_STUDENT } from '../history/first-version.ts';
import { type Author, changesNothing, recordChange } from '../history/record-change.ts';
import { requireVersion, versionPart } from '../http/versions.ts';
import { type ReadyPicture, storePicture } from '../pictures/store-picture.ts';
import { relist, unlist } from './listing.ts';
import { presentStudent, studentColumns } from './present.ts';
import { lockStudent } from './queries.ts';
import { readRecord } from './record.ts';

export interface Versioned<Thing> {
  thing: Thing;
  version: number;
}

/** Enters the base record of a new student. A portrait that was sent as a file goes before one named in text. */
export async function createStudent(
  tx: Tx,
  author: Author,
  sent: StudentInput,
  portrait?: ReadyPicture,
): Promise<Versioned<Student>> {
  refuseImpossibleDates(sent);
  const input = portrait === undefined ? sent : { ...sent, img: await storePicture(tx, portrait) };
  const row = await tx
    .insertInto('students')
    .values({ ...studentColumns(input), version: await firstVersion(tx, OF_STUDENT, input.id) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) throw invalid('id', TAKEN('id'));
  await relist(tx, new Map([[row.id, undefined]]));
  const student = presentStudent(row);
  await recordChange(tx, author, { action: 'create', entity: 'student', entityId: row.id, after: student });
  return { thing: student, version: row.version };
}

/** Replaces a base record. */
export async function updateStudent(
  tx: Tx,
  author: Author,
  id: string,
  { id: sentId, portrait, ...sent }: z.infer<typeof studentUpdate> & { portrait?: ReadyPicture | undefined },
  ifMatch: string | undefined,
): Promise<Versioned<Student>> {
  if (sentId !== undefined && sentId !== id) throw invalid('id', 'The id must stay as it is.');
  refuseImpossibleDates(sent);
  const before = await lockStudent(tx, id);
  if (before === undefined) throw noSuchStudent();
  requireVersion(ifMatch, versionPart.student(before.version), presentStudent(before));
  const input = portrait === undefined ? sent : { ...sent, img: await storePicture(tx, portrait) };
  const columns = studentColumns(input);
  if (changesNothing(author, before, columns)) {
    return { thing: presentStudent(before), version: before.version };
  }
  const row = await tx
    .updateTable('students')
    .set({ ...columns, version: before.version + 1 })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await relist(tx, new Map([[id, before]]));
  const student = presentStudent(row);
  await recordChange(tx, author, {
    action: 'update',
    entity: 'student',
    entityId: id,
    before: presentStudent(before),
    after: student,
  });
  return { thing: student, version: row.version };
}

/** Removes a student with family and results; the history keeps all of it. */
export async function deleteStudent(
  tx: Tx,
  author: Author,
  id: string,
  ifMatch: string | undefined,
): Promise<void> {
  const student = await lockStudent(tx, id);
  if (student === undefined) throw noSuchStudent();
  requireVersion(ifMatch, versionPart.student(student.version), presentStudent(student));
  const record = await readRecord(tx, id);
  const whole: unknown = JSON.parse(record?.json ?? 'null');
  await countResults(tx, { removed: await subjectsOfStudent(tx, id) });
  await unlist(tx, [student]);
  await tx.deleteFrom('students').where('id', '=', id).execute();
  await recordChange(tx, author, {
    action: 'delete',
    entity: 'student',
    entityId: id,
    before: whole ?? { student: presentStudent(student) },
  });
}

export const noSuchStudent = () => new AppError('not-found', 'There is no student with this ID.');

function refuseImpossibleDates({ dob, joining_date }: Pick<StudentInput, 'dob' | 'joining_date'>): void {
  const fault =
    dob > calendarDate(new Date())
      ? 'The dob must not be in the future.'
      : dob >= joining_date
        ? 'The dob must be before the joining date.'
        : undefined;
  if (fault !== undefined) throw new InvalidFields({ dob: [fault] });
}
