import { z } from 'zod';
import { parseState } from '../../history/fields.ts';
import { type StoredAttendance, storedAttendance } from './stored-attendance.ts';

const kept = z.record(z.string(), storedAttendance.nullable());

/**
 * The attendance of a sheet by student, as the entries of its history have it.
 *
 * @param entries of the sheet, the earliest first
 */
export function replayAttendance(
  entries: readonly { before: string | null; after: string | null }[],
): Map<string, StoredAttendance> {
  const rows = new Map<string, StoredAttendance>();
  for (const entry of entries) {
    const [before, after] = [parseState(entry.before), parseState(entry.after)];
    rows.delete(String(before.student_removed));
    if (after.student_id !== undefined) {
      const moved = rows.get(String(before.student_id));
      rows.delete(String(before.student_id));
      if (moved !== undefined) rows.set(String(after.student_id), moved);
    }
    for (const [studentId, attendance] of Object.entries(kept.safeParse(after.attendance).data ?? {})) {
      if (attendance === null) rows.delete(studentId);
      else rows.set(studentId, attendance);
    }
  }
  return rows;
}
