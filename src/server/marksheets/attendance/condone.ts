import type { SheetRowReply } from '../../../contract/marksheets/sheets.ts';
import { attendanceFigures } from '../../../domain/marksheets/attendance.ts';
import type { Tx } from '../../db/schema.ts';
import { AppError } from '../../errors.ts';
import { type Author, recordChange } from '../../history/record-change.ts';
import { presentRows } from '../present-rows.ts';
import { presentSheet } from '../present-sheet.ts';
import {
  bumpVersion,
  loadPolicy,
  lockSheet,
  requireDraft,
  requireNoRectification,
  requireSheetVersion,
} from '../sheet.ts';
import { requireRow } from '../write-rows.ts';
import { writeAttendance } from './store-attendance.ts';
import { attendanceFields, parseAttendance, toColumn } from './stored-attendance.ts';

/**
 * Condones the short attendance of a student on a draft, or takes that back.
 *
 * @param reason null takes it back
 * @throws AppError conflict where the attendance is not short
 */
export async function condoneAttendance(
  tx: Tx,
  author: Author,
  { sheetId, studentId, reason }: { sheetId: number; studentId: string; reason: string | null },
  ifMatch: string | undefined,
): Promise<{ version: number; row: SheetRowReply }> {
  const sheet = await lockSheet(tx, sheetId);
  requireDraft(sheet);
  requireNoRectification(sheet);
  await requireSheetVersion(tx, ifMatch, sheet, () => presentSheet(tx, sheet));
  const before = parseAttendance(await requireRow(tx, sheetId, studentId));
  let { version } = sheet;
  if ((before?.condoned?.reason ?? null) !== reason) {
    const { rules } = await loadPolicy(tx, sheet);
    if (before === null || (reason !== null && !attendanceFigures(before, rules).short)) {
      throw new AppError('conflict', 'The attendance of this student is not short.');
    }
    const condoned =
      reason === null ? null : { by: author.id, name: author.name, at: new Date().toISOString(), reason };
    const after = { ...before, condoned };
    version = await bumpVersion(tx, sheet, 'cells');
    await writeAttendance(tx, sheetId, version, [{ student_id: studentId, attendance: toColumn(after) }]);
    await recordChange(tx, author, {
      action: 'update',
      entity: 'sheet',
      entityId: sheetId,
      before: attendanceFields(studentId, before),
      after: { ...attendanceFields(studentId, after), attendance: { [studentId]: after } },
    });
  }
  const [row] = await presentRows(tx, { ...sheet, version }, [studentId]);
  if (row === undefined) throw new Error('The row of a sheet is missing.');
  return { version, row };
}
