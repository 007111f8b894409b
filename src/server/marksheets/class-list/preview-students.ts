import { sql } from 'kysely';
import type { StudentsPreview } from '../../../contract/marksheets/sheets.ts';
import { gradeLetter, toGradePoints } from '../../../domain/grading/gpa.ts';
import { jsonElements } from '../../db/dialect/sql.ts';
import type { Db } from '../../db/schema.ts';
import { groupBy } from '../../group-by.ts';
import { requireDraft, requireNoRectification, requireSheet } from '../sheet.ts';
import { ownSemester, requireStudents } from './add-students.ts';
import { findOnOtherSheets } from './other-sheets.ts';

/**
 * How students would be added to the class list.
 *
 * @throws ValidationError naming IDs that occur twice or are of no student
 */
export async function previewStudents(
  db: Db,
  sheetId: number,
  ids: readonly string[],
): Promise<StudentsPreview> {
  const sheet = await requireSheet(db, sheetId);
  requireDraft(sheet);
  requireNoRectification(sheet);
  const students = new Map((await requireStudents(db, ids)).map((one) => [one.id, one]));
  const others = groupBy(await findOnOtherSheets(db, sheet, ids), ({ student_id }) => student_id);
  const attempts = groupBy(await findAttempts(db, sheet.course_id, ids), ({ student_id }) => student_id);
  return ids.flatMap((id) => {
    const student = students.get(id);
    if (student === undefined) return [];
    const own = attempts.get(id) ?? [];
    const points = toGradePoints(own.at(-1)?.half_points ?? null);
    const checks = (others.get(id) ?? []).map(({ sheet_id }) => ({
      rule: 'twice' as const,
      state: 'refused' as const,
      text: `On mark sheet ${sheet_id} of this course already.`,
    }));
    return {
      student_id: id,
      attempt: own.length + 1,
      before: points === null ? null : (gradeLetter(points) ?? null),
      semester: ownSemester(student, sheet) ?? sheet.semester,
      checks,
      refused: checks[0]?.text ?? null,
    };
  });
}

interface Attempt {
  student_id: string;
  half_points: number | null;
}

/** Recorded results of a course, in order. */
async function findAttempts(db: Db, courseId: number, ids: readonly string[]): Promise<readonly Attempt[]> {
  const { rows } = await sql<Attempt>`select student_id, half_points from semester_subjects
    where course_id = ${courseId}
      and student_id in (select e.value from ${jsonElements(db, sql.val(JSON.stringify(ids)))} e)
    order by student_id, semester, slot`.execute(db);
  return rows;
}
