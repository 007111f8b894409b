import { z } from 'zod';
import { categoryReply, RECTIFICATION_KINDS } from '../../../contract/marksheets/sheets.ts';
import { ROW_STATUSES } from '../../../domain/marksheets/class-statistics.ts';
import { DEPARTMENT_CODES } from '../../../domain/student.ts';
import type { RecordState } from '../../history/fields.ts';
import { parseAttendance, storedAttendance } from '../attendance/stored-attendance.ts';
import {
  coveredWarning,
  parseCovered,
  type RegistrationColumns,
} from '../registration/store-registrations.ts';
import { parseCategories, type SheetColumns, type SheetRowColumns, storedCells } from '../sheet.ts';

const keptRow = z.object({
  student_id: z.string(),
  status: z.enum(ROW_STATUSES),
  reason: z.string().nullable(),
  semester: z.int().nullable(),
  cells: storedCells,
  /** Earlier versions had none. */
  attendance: storedAttendance.nullable().default(null),
});
const keptRegistration = z.object({
  ...{ student_id: z.string(), added_on: z.string(), added_by: z.int().nullable(), added_name: z.string() },
  ...{ reason: z.string().nullable(), covered: z.array(coveredWarning) },
});
type KeptRow = z.infer<typeof keptRow>;

/** The part of a deleted draft that its entry keeps. */
const keptSheet = z.object({
  course_id: z.int(),
  course_code: z.string(),
  course_name: z.string(),
  term_id: z.int(),
  title: z.string(),
  credits: z.int(),
  semester: z.int(),
  department: z.enum(DEPARTMENT_CODES),
  degree: z.string(),
  /** JSON, as in the table. */
  syn: z.string(),
  grading: z.string().nullable(),
  policy_id: z.int().nullable(),
  last_component_id: z.int(),
  rectifies: z.int().nullable(),
  rectify_kind: z.enum(RECTIFICATION_KINDS).nullable(),
  rectify_reason: z.string().nullable(),
  categories: z.array(categoryReply),
  rows: z.array(keptRow),
  /** The rows that were taken off the list. */
  removed: z.array(keptRow),
  /** Accounts; earlier versions had none. */
  teachers: z.array(z.int()).default([]),
  scheme_row: z.string().nullable().default(null),
  /** Who was added when, and why. */
  registrations: z.array(keptRegistration).default([]),
});
export type KeptSheet = z.infer<typeof keptSheet>;

/** The discarded components, with their marks, that the entry of a changed set-up keeps. */
const keptSetup = z.object({
  title: z.string(),
  credits: z.int(),
  categories: z.array(categoryReply),
  rows: z.array(keptRow.pick({ student_id: true, cells: true })),
});
export type KeptSetup = z.infer<typeof keptSetup>;

type StoredRow = Pick<
  SheetRowColumns,
  'student_id' | 'status' | 'reason' | 'semester' | 'cells' | 'attendance'
>;

const toKeptRow = (row: StoredRow): KeptRow => {
  const { student_id, status, reason, semester, cells } = row;
  return {
    student_id,
    status,
    reason,
    semester,
    cells: storedCells.parse(JSON.parse(cells)),
    attendance: parseAttendance(row),
  };
};

export const keepSheet = (
  sheet: SheetColumns,
  {
    rows,
    removed,
    teachers,
    registrations,
  }: {
    rows: readonly StoredRow[];
    removed: readonly StoredRow[];
    teachers: readonly { id: number }[];
    registrations: readonly RegistrationColumns[];
  },
): { kept: KeptSheet } => ({
  kept: keptSheet.parse({
    ...sheet,
    categories: parseCategories(sheet),
    rows: rows.map(toKeptRow),
    removed: removed.map(toKeptRow),
    teachers: teachers.map(({ id }) => id),
    registrations: registrations.map((row) => ({ ...row, covered: parseCovered(row) })),
  }),
});

/** Nothing where no component that held marks is gone. */
export function keepDiscarded(
  sheet: Pick<SheetColumns, 'title' | 'credits' | 'categories'>,
  rows: readonly { student_id: string; discarded: KeptRow['cells'] }[],
): { kept?: KeptSetup } {
  const { title, credits } = sheet;
  const lost = rows.flatMap(({ student_id, discarded: cells }) =>
    Object.keys(cells).length === 0 ? [] : { student_id, cells },
  );
  return lost.length === 0
    ? {}
    : { kept: { title, credits, categories: parseCategories(sheet), rows: lost } };
}

export const parseKeptSheet = ({ kept }: RecordState) => keptSheet.safeParse(kept).data;
export const parseKeptSetup = ({ kept }: RecordState) => keptSetup.safeParse(kept).data;
