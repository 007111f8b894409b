import { z } from 'zod';
import { academicReply } from '../../contract/academics.ts';
import { familyReply } from '../../contract/family.ts';
import { type Student, studentReply } from '../../contract/students.ts';
import { fromFraction } from '../../domain/school-marks.ts';
import { insertSubjects } from '../academics/record-semester.ts';
import { subjectsOf } from '../academics/subjects.ts';
import { holdKey } from '../db/dialect.ts';
import type { Tx } from '../db/schema.ts';
import { AppError } from '../errors.ts';
import { type Author, recordChange } from '../history/record-change.ts';
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
 * Brings back the student whom this id was last taken from, with family and results, as they were.
 *
 * @throws AppError not-found when none was deleted, conflict when the id is in use again
 */
export async function restoreStudent(tx: Tx, author: Author, id: string): Promise<Versioned<Student>> {
  await holdKey(tx, `student ${id}`);
  if ((await findStudent(tx, id)) !== undefined) {
    throw new AppError(
      'conflict',
      'There is a student with this ID again, so the old record can not be restored.',
    );
  }
  const deleted = await lastDeleted(tx, id);
  if (deleted === undefined) throw new AppError('not-found', 'No student with this ID has been deleted.');
  const { student, family, academics = [] } = deletedRecord.parse(JSON.parse(deleted.before));

  const marks = {
    fsc_marks: fromFraction(student.fsc_marks),
    matric_marks: fromFraction(student.matric_marks),
  };
  // Above any version that the deleted record had, so that no older copy of it matches.
  const version = deleted.changes + 1;
  const row = await tx
    .insertInto('students')
    .values({ ...studentColumns({ ...student, ...marks }), version })
    .returningAll()
    .executeTakeFirstOrThrow();
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
    await insertSubjects(tx, id, semester, subjectsOf(academic));
  }
  await recordChange(tx, author, {
    action: 'create',
    entity: 'student',
    entityId: id,
    after: { student, family, academics, restored: true },
  });
  return { thing: presentStudent(row), version };
}

async function lastDeleted(tx: Tx, id: string): Promise<{ before: string; changes: number } | undefined> {
  if (!isStudentId(id)) return undefined;
  const entry = await tx
    .selectFrom('history')
    .select('before')
    .where('entity', '=', 'student')
    .where('entity_id', '=', id)
    .where('action', '=', 'delete')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (entry === undefined || entry.before === null) return undefined;
  const { changes } = await tx
    .selectFrom('history')
    .select((eb) => eb.fn.countAll().as('changes'))
    .where('entity', 'in', ['student', 'family', 'semester'])
    .where('entity_id', '=', id)
    .executeTakeFirstOrThrow();
  return { before: entry.before, changes: Number(changes) };
}
