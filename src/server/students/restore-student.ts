import { z } from 'zod';
import { academicReply } from '../../contract/academics.ts';
import { familyReply } from '../../contract/family.ts';
import { type Student, studentReply } from '../../contract/students.ts';
import { fromFraction } from '../../domain/school-marks.ts';
import { countResults } from '../academics/course-results.ts';
import { insertSubjects } from '../academics/record-semester.ts';
import { subjectsOf } from '../academics/subjects.ts';
import type { Tx } from '../db/schema.ts';
import { AppError } from '../errors.ts';
import { firstVersion, OF_STUDENT } from '../history/first-version.ts';
import { type Author, recordChange } from '../history/record-change.ts';
import { relist } from './listing.ts';
import { presentStudent, studentColumns } from './present.ts';
import { findStudent, isStudentId } from './queries.ts';
import type { Versioned } from './write-student.ts';

/** What the history keeps of a deleted student. A record without family has the base alone. */
const deletedRecord = z.object({
  student: studentReply,
  family: familyReply.optional(),
  academics: z.array(academicReply).optional(),
});

/**
 * Brings back a deleted student with family and results, as they were.
 *
 * @param entry number of the deletion in the history, where it is not the last one of this id that is meant
 * @throws AppError not-found when none was deleted, conflict when the id is in use again
 */
export async function restoreStudent(
  tx: Tx,
  author: Author,
  id: string,
  entry: number | undefined,
): Promise<Versioned<Student>> {
  if ((await findStudent(tx, id)) !== undefined) throw idInUse();
  const deleted = await findDeleted(tx, id, entry);
  if (deleted === undefined) throw new AppError('not-found', 'No student with this ID has been deleted.');
  const { student, family, academics = [] } = deletedRecord.parse(JSON.parse(deleted));

  const marks = {
    fsc_marks: fromFraction(student.fsc_marks),
    matric_marks: fromFraction(student.matric_marks),
  };
  const version = await firstVersion(tx, OF_STUDENT, id);
  const row = await tx
    .insertInto('students')
    .values({ ...studentColumns({ ...student, ...marks }), version })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returningAll()
    .executeTakeFirst();
  // Entered again at this very moment.
  if (row === undefined) throw idInUse();
  if (family !== undefined)
    await tx
      .insertInto('families')
      .values({ ...family, version })
      .execute();
  for (const academic of academics) {
    const { academic_id, semester, sgpa, cgpa } = academic;
    await tx
      .insertInto('semesters')
      .values({
        academic_id,
        student_id: id,
        semester,
        sgpa: Math.round(sgpa * 100),
        cgpa: Math.round(cgpa * 100),
        version,
      })
      .execute();
    const subjects = subjectsOf(academic);
    await insertSubjects(tx, id, semester, subjects);
    await countResults(tx, { added: subjects });
  }
  await relist(tx, new Map([[id, undefined]]));
  await recordChange(tx, author, {
    action: 'create',
    entity: 'student',
    entityId: id,
    after: { student, family, academics, restored: true },
  });
  return { thing: presentStudent(row), version };
}

const idInUse = () =>
  new AppError('conflict', 'There is a student with this ID again, so the old record can not be restored.');

/** What the history keeps of the student deleted last under this id, or by the entry that is named. */
async function findDeleted(tx: Tx, id: string, entry: number | undefined): Promise<string | undefined> {
  if (!isStudentId(id)) return undefined;
  const deleted = await tx
    .selectFrom('history')
    .select('before')
    .where('entity', '=', 'student')
    .where('entity_id', '=', id)
    .where('action', '=', 'delete')
    .$if(entry !== undefined, (query) => query.where('id', '=', entry ?? 0))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return deleted?.before ?? undefined;
}
