import type { SheetRowReply } from '../../../contract/marksheets/sheets.ts';
import { hasTwoDecimals } from '../../../domain/hundredths.ts';
import {
  type ATTENDANCE_PARTS,
  type AttendancePart,
  MAX_HELD,
} from '../../../domain/marksheets/attendance.ts';
import type { ReadCell } from '../grid/model/cell-text.ts';

/* The attendance of a part as one text: `22/30` for 22 of 30 classes, `73.33%` for a percentage only, null for none. */

/** A text in this form; see {@link readAttendance}. */
export type AttendanceText = string | null;

export type PartName = (typeof ATTENDANCE_PARTS)[number];
type Figure = NonNullable<SheetRowReply['attendance']>[PartName];

export const toAttendanceText = (figure: Figure): AttendanceText => {
  if (figure === null) return null;
  const { held, attended, percent } = figure;
  if (held !== null && attended !== null) return `${attended}/${held}`;
  return percent === null ? null : `${percent}%`;
};

/** The text of a row as it is stored. */
export const storedAttendance = ({ attendance }: SheetRowReply, part: PartName): AttendanceText =>
  toAttendanceText(attendance?.[part] ?? null);

/** The part of a text in the form above. */
export function toPart(text: AttendanceText): AttendancePart | null {
  if (text === null) return null;
  if (text.endsWith('%')) return { percent: Number(text.slice(0, -1)) };
  const [attended, held] = text.split('/').map(Number);
  return { attended: attended ?? 0, held: held ?? 0 };
}

const isCounts = (part: AttendancePart | null): part is { held: number; attended: number } =>
  part !== null && 'held' in part;

/** Reads `22/30`, `22 of 30` and `73.33 %`, or says what is wrong. */
export function readAttendance(text: string): ReadCell<AttendanceText> {
  const typed = text.trim();
  if (typed === '') return { cell: null };
  const share = /^(\d+(?:[.,]\d*)?)\s*%$/.exec(typed)?.[1];
  if (share !== undefined) {
    const percent = Number(share.replace(',', '.'));
    if (percent > 100) return { fault: `${percent} % is over 100 %.` };
    if (!hasTwoDecimals(percent)) return { fault: `${percent} % has more than two decimals.` };
    return { cell: `${percent}%` };
  }
  const [, attendedText, heldText] = /^(\d+)\s*(?:\/|of)\s*(\d+)$/i.exec(typed) ?? [];
  if (attendedText === undefined || heldText === undefined) {
    return isBareCount(typed)
      ? { fault: 'How many were held is not known. Press H, or type 22/30.' }
      : { fault: `“${typed}” is no attendance. Type how many classes were attended, 22/30 or 73.33 %.` };
  }
  const [attended, held] = [Number(attendedText), Number(heldText)];
  if (held > MAX_HELD) return { fault: `${held} is over ${MAX_HELD} classes in a term.` };
  if (attended > held) return { fault: `${attended} is over the ${held} that were held.` };
  return { cell: `${attended}/${held}` };
}

/** Whether a text says how many classes were attended and nothing else. */
const isBareCount = (text: string): boolean => /^\d+$/.test(text.trim());

/** A typed text: a bare count is of the classes that were held. */
export const completeAttendance = (text: string, held: number | null): string =>
  held !== null && isBareCount(text) ? `${Number(text.trim())}/${held}` : text;

/** A text as it is shown where this many classes were held: `22` instead of `22/30`. */
export function shortenAttendance(text: string, held: number | null): string {
  if (text.endsWith('%')) return `${Number(text.slice(0, -1)).toFixed(2)} %`;
  return held !== null && text.endsWith(`/${held}`) ? text.slice(0, text.indexOf('/')) : text;
}

/** The count of classes held that most of these texts have; of several, the highest. Null without any. */
export function usualHeld(texts: Iterable<AttendanceText>): number | null {
  const counts = new Map<number, number>();
  for (const text of texts) {
    const read = readAttendance(text ?? '');
    const part = 'cell' in read ? toPart(read.cell) : null;
    if (isCounts(part)) counts.set(part.held, (counts.get(part.held) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted(([a, timesA], [b, timesB]) => timesB - timesA || b - a);
  return most?.[0] ?? null;
}
