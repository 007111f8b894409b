import { sql } from 'kysely';
import { z } from 'zod';
import { academicReply } from '../../contract/academics.ts';
import { familyReply } from '../../contract/family.ts';
import { studentReply } from '../../contract/students.ts';
import { fromFraction } from '../../domain/school-marks.ts';
import type { ResultCounts } from '../academics/course-results.ts';
import { subjectsOf } from '../academics/subjects.ts';
import { listedRows } from '../db/dialect.ts';
import type { Tx } from '../db/schema.ts';
import { firstVersions, OF_STUDENT } from '../history/first-version.ts';
import type { Author } from '../history/record-change.ts';
import { recordChanges } from '../history/record-changes.ts';
import { type CohortCounts, relist, type StudentRow } from './listing.ts';
import { studentColumns } from './present.ts';

/** What the history keeps of a deleted student. A record without family has the base alone. */
const deletedRecord = z.object({
  student: studentReply,
  family: familyReply.optional(),
  academics: z.array(academicReply).optional(),
});
type DeletedRecord = z.infer<typeof deletedRecord>;

/** A deletion as the history keeps it. */
export interface Deletion {
  /** Its entry's number, which the entry of the restore names. */
  id: number;
  /** JSON of the whole record. */
  before: string;
}

/**
 * Brings back deleted students with families and results, as they were, and with an entry of the history each. An id
 * that is in use again stays as it is.
 *
 * @param sums stored by the caller, after the last of its pieces
 * @returns those that are back
 */
export async function restoreRecords(
  tx: Tx,
  author: Author,
  deleted: readonly Deletion[],
  sums: { counts: CohortCounts; results: ResultCounts },
): Promise<StudentRow[]> {
  if (deleted.length === 0) return [];
  const records = deleted.map(({ before }) => deletedRecord.parse(JSON.parse(before)));
  const deletionOf = new Map(records.map(({ student }, i) => [student.id, deleted[i]?.id]));
  const ids = records.map(({ student }) => student.id);
  const versions = await firstVersions(tx, OF_STUDENT, ids);
  const versionOf = (id: string) => versions.get(id) ?? 1;
  const rows = await tx
    .insertInto('students')
    .values(
      records.map(({ student }) => ({
        ...studentColumns({
          ...student,
          fsc_marks: fromFraction(student.fsc_marks),
          matric_marks: fromFraction(student.matric_marks),
        }),
        version: versionOf(student.id),
      })),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returningAll()
    .execute();
  const back = new Set(rows.map(({ id }) => id));
  const restored = records.filter(({ student }) => back.has(student.id));
  const families = restored.flatMap(({ student, family }) =>
    family === undefined ? [] : { ...family, version: versionOf(student.id) },
  );
  if (families.length > 0) await tx.insertInto('families').values(families).execute();
  await insertResults(tx, restored, versionOf, sums.results);
  await relist(tx, new Map(rows.map(({ id }) => [id, undefined])), sums.counts);
  await recordChanges(
    tx,
    author,
    restored.map(({ student, family, academics = [] }) => ({
      action: 'create',
      entity: 'student',
      entityId: student.id,
      after: { student, family, academics, restored: true, restored_from: deletionOf.get(student.id) },
    })),
    null,
  );
  return rows;
}

/** All semesters in one statement and all their subjects in another: of some students these are thousands. */
async function insertResults(
  tx: Tx,
  records: readonly DeletedRecord[],
  versionOf: (id: string) => number,
  results: ResultCounts,
): Promise<void> {
  const academics = records.flatMap(({ academics = [] }) => academics);
  const semesters = academics.map(({ academic_id, student_id, semester, sgpa, cgpa }) => ({
    academic_id,
    student_id,
    semester,
    sgpa: Math.round(sgpa * 100),
    cgpa: Math.round(cgpa * 100),
    version: versionOf(student_id),
  }));
  const subjects = academics.flatMap((academic) =>
    subjectsOf(academic).map((subject) => ({
      student_id: academic.student_id,
      semester: academic.semester,
      ...subject,
    })),
  );
  if (semesters.length > 0) {
    await sql`insert into semesters (academic_id, student_id, semester, sgpa, cgpa, version)
      select academic_id, student_id, semester, sgpa, cgpa, version from ${listedRows(tx, semesters, {
        academic_id: 'integer',
        student_id: 'text',
        semester: 'integer',
        sgpa: 'integer',
        cgpa: 'integer',
        version: 'integer',
      })} l`.execute(tx);
  }
  if (subjects.length > 0) {
    await sql`insert into semester_subjects (student_id, semester, slot, title, course_id, credits, half_points)
      select student_id, semester, slot, title, course_id, credits, half_points from ${listedRows(
        tx,
        subjects,
        {
          student_id: 'text',
          semester: 'integer',
          slot: 'integer',
          title: 'text',
          course_id: 'bigint',
          credits: 'integer',
          half_points: 'integer',
        },
      )} l`.execute(tx);
  }
  results.add(subjects, 1);
}
