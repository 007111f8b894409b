import type { StudentsPreview } from '../../../contract/marksheets/registrations.ts';
import type { Db } from '../../db/schema.ts';
import { StudentChecks } from '../registration/check-students.ts';
import { requireTermColumns } from '../registration/list-registrations.ts';
import { requireDraft, requireNoRectification, requireSheet } from '../sheet.ts';
import { ownSemester, requireStudents } from './add-students.ts';

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
  const checks = await StudentChecks.load(db, await requireTermColumns(db, sheet.term_id), ids);
  return ids.flatMap((id) => {
    const student = students.get(id);
    if (student === undefined) return [];
    const checked = checks.check(id, sheet);
    return {
      student_id: id,
      ...checked,
      semester: ownSemester(student, sheet) ?? sheet.semester,
      refused: checked.checks.find(({ state }) => state === 'refused')?.text ?? null,
    };
  });
}
