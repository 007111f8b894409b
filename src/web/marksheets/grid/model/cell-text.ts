import { isAbsenceWord } from '../../../../domain/columns/cells.ts';
import { hasTwoDecimals } from '../../../../domain/hundredths.ts';
import { type Cell, type ComponentSetup, MAX_FULL_MARKS } from '../../../../domain/marksheets/totals.ts';

/** A cell as it is shown and typed. */
export const cellText = (cell: Cell | string): string => (cell === null ? '' : String(cell));

/** What a typed text stands for: a mark, unless another kind of value is named. */
export type ReadCell<Value = Cell> = { cell: Value } | { fault: string };

/** Reads a typed text as a mark, or says why it is none. A decimal comma and words such as `Absent` are accepted. */
export function readCell(text: string, { max, bonus }: ComponentSetup): ReadCell {
  const typed = text.trim().toUpperCase();
  if (typed === '') return { cell: null };
  if (typed === 'A' || typed === 'E') return { cell: typed };
  if (!/^[+-]?(\d+([.,]\d*)?|[.,]\d+)$/.test(typed)) {
    if (isAbsenceWord(typed)) return { cell: 'A' };
    return { fault: `“${text.trim()}” is no mark. Type a number, A for absent or E for excused.` };
  }
  const mark = Number(typed.replace(',', '.'));
  if (mark < 0) return { fault: `${mark} is below 0.` };
  const highest = bonus === true ? MAX_FULL_MARKS : max;
  if (mark > highest) {
    return {
      fault: `${mark} is over ${bonus === true ? 'the highest mark' : 'the full marks'} of ${highest}.`,
    };
  }
  if (!hasTwoDecimals(mark)) return { fault: `${mark} has more than two decimals.` };
  return { cell: mark };
}
