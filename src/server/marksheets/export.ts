import { UNGRADED_SIGNS } from '../../domain/documents/figures.ts';
import { endsWithoutGrade } from '../../domain/marksheets/class-statistics.ts';
import type { Db } from '../db/schema.ts';
import { BYTE_ORDER_MARK, csvLine } from '../students/export/csv.ts';
import { requireSheetReply } from './present-sheet.ts';
import { listComponents } from './sheet.ts';

/**
 * The marks of a sheet as CSV for a spreadsheet: ID, name, a column for each component, total and grade.
 *
 * @throws AppError not-found
 */
export async function exportMarks(db: Db, sheetId: number): Promise<{ file: string; rows: number }> {
  const { categories, rows } = await requireSheetReply(db, sheetId);
  const components = listComponents(categories);
  const lines = [
    ['CMS ID', 'Name', ...components.map(({ name }) => name), 'Total', 'Grade'],
    ...rows.map(({ student_id, first_name, last_name, status, cells, total, letter }) => [
      student_id,
      `${first_name} ${last_name}`.trim(),
      ...components.map(({ component_id }) => cells[component_id] ?? null),
      total,
      endsWithoutGrade(status) ? UNGRADED_SIGNS[status] : letter,
    ]),
  ];
  return { file: BYTE_ORDER_MARK + lines.map((line) => csvLine(line)).join(''), rows: rows.length };
}
