import type { ConfirmPreview } from '../../../contract/marksheets/confirmation.ts';
import { inIdOrder } from '../../../domain/search-text.ts';
import { pausedChunks } from '../../chunks.ts';
import type { Db } from '../../db/schema.ts';
import { groupBy } from '../../group-by.ts';
import { getLetter } from '../present-rows.ts';
import { StudentChecks } from '../registration/check-students.ts';
import { isDated } from '../registration/last-days.ts';
import { listedRows } from '../registration/list-registrations.ts';
import { getStudentId, type SheetColumns } from '../sheet.ts';
import type { ConfirmationPlan } from './preview.ts';

/** Students looked at in one go. */
const STUDENTS_AT_ONCE = 40;

/**
 * The rows of other sheets that need this course to be passed, by the students whom this sheet fails. They are on those lists
 * on the condition that they pass, so the office decides about them.
 */
export async function listDepending(
  db: Db,
  sheet: SheetColumns,
  { due, grading }: Pick<ConfirmationPlan, 'due' | 'grading'>,
): Promise<ConfirmPreview['depending']> {
  // Only a course of a sheet that is not confirmed is in progress; a rectification is of a confirmed one.
  if (sheet.state === 'confirmed' || sheet.rectifies !== null) return [];
  const failed = inIdOrder(
    due.filter((row) => getLetter(row, grading) === 'F'),
    getStudentId,
  );
  const depending: ConfirmPreview['depending'] = [];
  for await (const some of pausedChunks(failed.map(getStudentId), STUDENTS_AT_ONCE)) {
    const rows = await listedRows(db, {})
      .where('r.student_id', 'in', some)
      .where('h.sheet_id', '<>', sheet.sheet_id)
      .execute();
    const byTerm = groupBy(rows, ({ term_id }) => term_id);
    const terms = await db
      .selectFrom('terms')
      .selectAll()
      .where('term_id', 'in', [0, ...byTerm.keys()])
      .execute();
    const found = new Set<(typeof rows)[number]>();
    for (const term of terms.filter(isDated)) {
      const own = byTerm.get(term.term_id) ?? [];
      const checks = await StudentChecks.load(db, term, [...new Set(own.map(getStudentId))]);
      for (const row of own)
        if (checks.waitsFor(row.student_id, row, sheet.course_id, row.status)) found.add(row);
    }
    for (const row of inIdOrder([...found], getStudentId))
      depending.push({ student_id: row.student_id, sheet_id: row.sheet_id, title: row.title });
  }
  return depending;
}
