import { isDeepStrictEqual } from 'node:util';
import type { AttendanceInput, AttendanceReply, PartInput } from '../../../contract/marksheets/attendance.ts';
import type { Sheet } from '../../../contract/marksheets/sheets.ts';
import type { AttendancePart } from '../../../domain/marksheets/attendance.ts';
import { foldKey } from '../../../domain/schemes/scheme.ts';
import { preparedUpdate } from '../../db/prepared-query.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { ValidationError } from '../../errors.ts';
import { type Author, recordChange } from '../../history/record-change.ts';
import { findSchemeInForce } from '../../students/audit/schemes.ts';
import { loadSomeRows, presentSomeRows } from '../present-rows.ts';
import { bumpVersion, lockSheet, requireDraft, requireNoRectification, type SheetColumns } from '../sheet.ts';
import {
  attendanceFields,
  parseAttendance,
  presentParts,
  type StoredAttendance,
  toColumn,
} from './stored-attendance.ts';

const updateAttendance = preparedUpdate(
  'sheet_rows',
  { sheet_id: 'integer', student_id: 'text' },
  { attendance: 'text', version: 'integer' },
);

/** A part as it is stored: counts where there are any. */
function toPart(sent: PartInput): AttendancePart | null {
  if (sent == null) return null;
  const { held, attended, percent } = sent;
  if (held !== null && attended !== null) return { held, attended };
  return percent === null ? null : { percent };
}

/**
 * Whether the scheme in force has the course with a lab: the row of the sheet, as long as that has the course. Without a scheme, or
 * where that lacks the course, nothing is known, so there may be one.
 */
export async function mayHaveLab(
  db: Db,
  sheet: Pick<Sheet, 'course_id' | 'department' | 'degree' | 'semester' | 'scheme_row'>,
): Promise<boolean> {
  const scheme = await findSchemeInForce(db, sheet);
  const rows = scheme?.rows.filter(({ options }) => options.includes(sheet.course_id)) ?? [];
  const ofSheet = rows.filter(
    ({ key }) => sheet.scheme_row !== null && foldKey(key) === foldKey(sheet.scheme_row),
  );
  const ofSemester = rows.filter(({ semester }) => semester === sheet.semester);
  const relevant = [ofSheet, ofSemester, rows].find(({ length }) => length > 0) ?? [];
  return relevant.length === 0 || relevant.some(({ lab }) => lab > 0);
}

/** Stores the attendance of a row. Any change of a figure has ended its condoning before. */
export const writeAttendance = (
  tx: Tx,
  sheetId: number,
  version: number,
  rows: readonly { student_id: string; attendance: string | null }[],
) =>
  updateAttendance(
    tx,
    rows.map(({ student_id, attendance }) => ({ sheet_id: sheetId, student_id, version, attendance })),
  );

/**
 * Stores the attendance of students whose attendance still is what the change is based on; that of others is left and listed. What
 * is so already counts as stored, so that a call can be sent again.
 *
 * @throws ValidationError on the row, with nothing stored
 */
export async function storeAttendance(
  tx: Tx,
  author: Author,
  sheetId: number,
  { rows: input }: AttendanceInput,
): Promise<AttendanceReply> {
  const ids = [...new Set(input.map(({ student_id }) => student_id))];
  const [sheet, { rows, policies }] = await Promise.all([
    lockSheet(tx, sheetId),
    loadSomeRows(tx, { sheet_id: sheetId }, ids),
  ]);
  requireDraft(sheet);
  requireNoRectification(sheet);
  const byId = new Map(rows.map((row) => [row.student_id, row]));
  await requireValidRows(tx, sheet, input, byId);

  const conflicts: AttendanceReply['conflicts'] = [];
  const changed = new Map<string, { before: StoredAttendance | null; after: StoredAttendance }>();
  for (const { student_id, theory, lab, was } of input) {
    const row = byId.get(student_id);
    const before = row === undefined ? null : parseAttendance(row);
    const is = { theory: before?.theory ?? null, lab: before?.lab ?? null };
    const after = { theory: toPart(theory), lab: toPart(lab) };
    if (isDeepStrictEqual(is, after)) continue;
    if (isDeepStrictEqual(is, { theory: toPart(was?.theory), lab: toPart(was?.lab) })) {
      changed.set(student_id, { before, after: { ...after, condoned: null } });
    } else conflicts.push({ student_id, is: presentParts(is) });
  }
  let { version } = sheet;
  let present = rows;
  if (changed.size > 0) {
    version = await bumpVersion(tx, sheet, 'cells');
    const columns = new Map([...changed].map(([id, { after }]) => [id, toColumn(after)]));
    await writeAttendance(
      tx,
      sheetId,
      version,
      [...columns].map(([student_id, attendance]) => ({ student_id, attendance })),
    );
    present = rows.map((row) => {
      const attendance = columns.get(row.student_id);
      return attendance === undefined ? row : { ...row, attendance, version };
    });
    const all = [...changed];
    await recordChange(tx, author, {
      action: 'update',
      entity: 'sheet',
      entityId: sheetId,
      before: Object.assign({}, ...all.map(([id, { before }]) => attendanceFields(id, before))),
      after: {
        ...Object.assign({}, ...all.map(([id, { after }]) => attendanceFields(id, after))),
        attendance: Object.fromEntries(
          all.map(([id, { after }]) => [id, toColumn(after) === null ? null : after]),
        ),
      },
    });
  }
  return {
    version,
    stored: input.length - conflicts.length,
    conflicts,
    rows: await presentSomeRows(tx, { ...sheet, version }, { rows: present, policies }),
  };
}

/** @throws ValidationError for students who are not listed or named twice, and for a lab that the course does not have */
async function requireValidRows(
  tx: Tx,
  sheet: SheetColumns,
  input: AttendanceInput['rows'],
  byId: ReadonlyMap<string, unknown>,
): Promise<void> {
  const hasLab = input.every(({ lab }) => lab == null) || (await mayHaveLab(tx, sheet));
  const errors: Record<string, string[]> = {};
  const seen = new Set<string>();
  for (const [i, { student_id, lab }] of input.entries()) {
    if (!byId.has(student_id)) {
      errors[`rows.${i}.student_id`] = [`The student ${student_id} is not on the class list.`];
    } else if (seen.has(student_id)) {
      errors[`rows.${i}.student_id`] = [`The student ${student_id} is named twice.`];
    } else if (lab != null && !hasLab) {
      errors[`rows.${i}.lab`] = [
        'The lab must be left out: in the scheme of studies this course has no lab.',
      ];
    }
    seen.add(student_id);
  }
  if (Object.keys(errors).length > 0) throw new ValidationError(errors);
}
