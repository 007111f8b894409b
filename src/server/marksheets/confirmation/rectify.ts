import { sql } from 'kysely';
import type { RectifyInput } from '../../../contract/marksheets/confirmation.ts';
import type { Sheet } from '../../../contract/marksheets/sheets.ts';
import type { Tx } from '../../db/schema.ts';
import { AppError } from '../../errors.ts';
import { recordChange } from '../../history/record-change.ts';
import type { AuthorWithRole } from '../../http/transact-as.ts';
import { keptAttendance } from '../attendance/stored-attendance.ts';
import { presentSheet } from '../present-sheet.ts';
import { loadPolicy, lockSheet, requireSheet } from '../sheet.ts';
import { setupState } from '../store-draft.ts';
import { findTeachers, insertTeachers, teachersState } from '../teachers/teachers.ts';
import { loadCells } from '../write-rows.ts';

const DAY_MS = 86_400_000;

/**
 * Makes a draft with the rows and the boundaries of a confirmed sheet, to correct its results.
 *
 * @throws AppError conflict when it is not confirmed, or has a rectification already; forbidden for anybody but administrators
 * once the days for rechecks are over
 */
export async function rectifySheet(
  tx: Tx,
  author: AuthorWithRole,
  sheetId: number,
  { kind, reason }: RectifyInput,
): Promise<Sheet> {
  const rectified = await lockSheet(tx, sheetId);
  if (rectified.state !== 'confirmed' || rectified.confirmed_at === null) {
    throw new AppError('conflict', 'Only a confirmed mark sheet can be rectified.');
  }
  const later = await tx
    .selectFrom('sheets')
    .select(['sheet_id', 'state'])
    .where('rectifies', '=', sheetId)
    .executeTakeFirst();
  if (later !== undefined) {
    throw new AppError(
      'conflict',
      later.state === 'confirmed'
        ? `Mark sheet ${later.sheet_id} has rectified this one. Rectify that one.`
        : `Mark sheet ${later.sheet_id} rectifies this one already; it is not confirmed yet.`,
      { details: { sheet_id: later.sheet_id } },
    );
  }
  const { rules } = await loadPolicy(tx, rectified);
  const days = (Date.now() - Date.parse(rectified.confirmed_at)) / DAY_MS;
  if (days > rules.recheck_days && author.role !== 'admin') {
    throw new AppError(
      'forbidden',
      `The ${rules.recheck_days} days for rechecks are over, so an administrator has to open the rectification.`,
    );
  }
  const { sheet_id } = await tx
    .insertInto('sheets')
    .values({
      course_id: rectified.course_id,
      course_code: rectified.course_code,
      course_name: rectified.course_name,
      term_id: rectified.term_id,
      title: rectified.title,
      credits: rectified.credits,
      semester: rectified.semester,
      department: rectified.department,
      degree: rectified.degree,
      syn: rectified.syn,
      categories: rectified.categories,
      last_component_id: rectified.last_component_id,
      grading: rectified.grading,
      policy_id: rectified.policy_id,
      state: 'draft',
      version: 1,
      setup_version: 1,
      rectifies: sheetId,
      rectify_kind: kind,
      rectify_reason: reason,
      scheme_row: rectified.scheme_row,
      created_by: author.id,
      created_name: author.name,
      created_at: new Date().toISOString(),
    })
    .returning('sheet_id')
    .executeTakeFirstOrThrow();
  await sql`insert into sheet_rows
      (sheet_id, student_id, status, reason, semester, cells, filled, total, is_absent, attendance, version)
    select ${sql.lit(sheet_id)}, student_id, status, reason, semester, cells, filled, total, is_absent, attendance, 1
    from sheet_rows where sheet_id = ${sheetId}`.execute(tx);
  const teachers = await findTeachers(tx, sheetId);
  const rows = await loadCells(tx, sheetId);
  await insertTeachers(
    tx,
    sheet_id,
    teachers.map(({ id }) => id),
  );
  const sheet = await requireSheet(tx, sheet_id);
  await recordChange(tx, author, {
    action: 'create',
    entity: 'sheet',
    entityId: sheet_id,
    after: {
      ...setupState(sheet),
      rectifies: sheetId,
      kind,
      reason,
      ...teachersState(teachers),
      ...keptAttendance(rows),
    },
  });
  return presentSheet(tx, sheet);
}
