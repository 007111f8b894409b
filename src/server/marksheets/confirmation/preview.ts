import { createHash } from 'node:crypto';
import type { ConfirmPreview } from '../../../contract/marksheets/confirmation.ts';
import { SLOTS, type Slot } from '../../../contract/students/subject-slots.ts';
import type { GradeLetter } from '../../../domain/grading/gpa.ts';
import type { SlotWrite } from '../../../domain/marksheets/confirmation.ts';
import type { Db } from '../../db/schema.ts';
import type { Subject } from '../../students/semester-slots.ts';
import type { StudentResults } from '../../students/semesters/load-results.ts';
import {
  getLetter,
  isToWrite,
  type LoadedRow,
  loadRows,
  rectifiedText,
  toConfirmation,
} from '../present-rows.ts';
import { findRectification } from '../present-sheet.ts';
import {
  type Grading,
  loadPolicy,
  parseGrading,
  type SheetColumns,
  toGradable,
  toGrading,
} from '../sheet.ts';

/** A row with the slot that confirming it writes. */
export interface PlannedRow {
  row: LoadedRow;
  letter: GradeLetter | null;
  write: SlotWrite;
}

export interface ConfirmationPlan {
  preview: Pick<ConfirmPreview, 'fingerprint' | 'writes' | 'blocked'>;
  planned: readonly PlannedRow[];
  /** The rows that are to be written: of a rectification some, of any other sheet all. */
  due: readonly LoadedRow[];
  rows: readonly LoadedRow[];
  grading: Grading;
}

/** Plans the results that confirming a sheet would write now. */
export const planConfirmation = (db: Db, sheet: SheetColumns): Promise<ConfirmationPlan> =>
  planRows(db, sheet, isToWrite);

/** Plans the left rows that can be written by now. A rectification takes over those of its sheet. */
export async function planRemaining(db: Db, sheet: SheetColumns): Promise<ConfirmationPlan> {
  const rectification = await findRectification(db, sheet);
  const obstacle = rectification === null ? undefined : rectifiedText(rectification);
  return planRows(db, sheet, ({ is_left }) => is_left === 1, obstacle);
}

/** @param obstacle why no row can be written */
async function planRows(
  db: Db,
  sheet: SheetColumns,
  isDue: (row: LoadedRow) => boolean,
  obstacle?: string,
): Promise<ConfirmationPlan> {
  const rows = await loadRows(db, sheet);
  const grading = toGrading(await loadPolicy(db, sheet), parseGrading(sheet), rows.map(toGradable));
  const due = rows.filter(isDue);
  const planned: PlannedRow[] = [];
  const blocked: ConfirmPreview['blocked'] = [];
  for (const row of due) {
    const letter = getLetter(row, grading);
    const { write, blocked: reason } = toConfirmation(sheet, row, grading);
    if (obstacle !== undefined) blocked.push({ student_id: row.student_id, reason: obstacle });
    else if (write === null) blocked.push({ student_id: row.student_id, reason: reason ?? '' });
    else planned.push({ row, letter, write });
  }
  const content = JSON.stringify([
    sheet.version,
    planned.map(({ row, write }) => [row.student_id, write, row.recorded]),
    blocked,
  ]);
  return {
    preview: {
      fingerprint: createHash('sha256').update(content).digest('base64url'),
      writes: planned.map(({ row, letter, write }) => ({
        student_id: row.student_id,
        semester: write.semester,
        slot: write.slot,
        letter,
        creates_semester: write.creates_semester,
      })),
      blocked,
    },
    planned,
    due,
    rows,
    grading,
  };
}

export const toHalfPoints = (points: number | null) => (points === null ? null : points * 2);

/** The subjects of all semesters with the result of a row in its slot. */
export function withSlot({ recorded }: StudentResults, { write }: PlannedRow): (readonly Subject[])[] {
  const semesters: (readonly Subject[])[] = recorded.map(({ subjects }) => subjects);
  const { semester, title, course_id, credits, points } = write;
  const slot = slotNumber(write.slot);
  const own = semesters[semester - 1] ?? [];
  const subject: Subject = { slot, title, course_id, credits, half_points: toHalfPoints(points) };
  semesters[semester - 1] = [...own.filter((one) => one.slot !== slot), subject].toSorted(
    (a, b) => a.slot - b.slot,
  );
  return semesters;
}

function slotNumber(slot: number): Slot {
  const found = SLOTS.find((one) => one === slot);
  if (found === undefined) throw new Error(`There is no slot ${slot}.`);
  return found;
}
