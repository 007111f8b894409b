import { z } from 'zod';
import type { SheetRowReply } from '../../../contract/marksheets/sheets.ts';
import type { PolicyRules } from '../../../domain/grading/policy.ts';
import {
  ATTENDANCE_PARTS,
  type Attendance,
  attendanceFigures,
  attendanceText,
} from '../../../domain/marksheets/attendance.ts';
import { rowField } from '../../../domain/marksheets/row-field.ts';
import type { SheetRowsTable } from '../../db/schema.ts';

const part = z
  .union([z.object({ held: z.int(), attended: z.int() }), z.object({ percent: z.number() })])
  .nullable();

/** The attendance of a row as it is stored. */
export const storedAttendance = z.object({
  theory: part,
  lab: part,
  condoned: z
    .object({ by: z.int().nullable(), name: z.string(), at: z.iso.datetime(), reason: z.string() })
    .nullable(),
});
export type StoredAttendance = z.infer<typeof storedAttendance>;

type Row = Pick<SheetRowsTable, 'attendance'>;

export const parseAttendance = ({ attendance }: Row): StoredAttendance | null =>
  attendance === null ? null : storedAttendance.parse(JSON.parse(attendance));

/** The column; null without figures. */
export const toColumn = ({ theory, lab, condoned }: StoredAttendance): string | null =>
  theory === null && lab === null ? null : JSON.stringify({ theory, lab, condoned });

export function presentAttendance(row: Row, rules: PolicyRules): SheetRowReply['attendance'] {
  const stored = parseAttendance(row);
  if (stored === null) return null;
  return { ...attendanceFigures(stored, rules), condoned: presentCondoned(stored) };
}

const presentCondoned = ({ condoned }: Pick<StoredAttendance, 'condoned'>) =>
  condoned && {
    by: { id: condoned.by, name: condoned.name },
    at: condoned.at,
    reason: condoned.reason,
  };

/** The figures, whatever they are compared with. */
const NO_RULES = { attendance_min: 0, attendance_separate: true, attendance_effect: 'none' } as const;

/** Theory and lab as replies show them. */
export function presentParts(attendance: Attendance) {
  const { theory, lab } = attendanceFigures(attendance, NO_RULES);
  return { theory, lab };
}

/** The attendance of a row as readers of the history see it; empty without any. */
export function attendanceFields(studentId: string, stored: StoredAttendance | null) {
  if (stored === null) return {};
  const shown = presentParts(stored);
  const fields = ATTENDANCE_PARTS.flatMap((name) => {
    const figure = shown[name];
    return figure === null ? [] : [[rowField(studentId, `${name} attendance`), attendanceText(figure)]];
  });
  if (stored.condoned !== null)
    fields.push([rowField(studentId, 'attendance condoned'), stored.condoned.reason]);
  return Object.fromEntries(fields);
}

/** The attendance of rows as entries keep it for checks, by student; empty where no row has any. */
export function keptAttendance(rows: readonly (Row & { student_id: string })[]) {
  const kept = rows.flatMap((row) =>
    row.attendance === null ? [] : [[row.student_id, parseAttendance(row)]],
  );
  return kept.length === 0 ? {} : { attendance: Object.fromEntries(kept) };
}
