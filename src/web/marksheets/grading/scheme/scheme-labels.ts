import type { GradeLetter } from '../../../../domain/grading/gpa.ts';
import type { ClassLetters } from '../../../../domain/marksheets/letters.ts';
import { formatStudentCount } from '../../../lib/format.ts';

/** A share of 0 to 1 in whole per cent. */
export const shareText = (share: number): string => `${Math.round(share * 100)}\u00a0%`;

/** The students who get a letter, such as `8 students, 13 %`. */
export const studentsAndShare = ({ counts, shares }: ClassLetters, letter: GradeLetter): string =>
  `${formatStudentCount(counts[letter])}, ${shareText(shares[letter])}`;

/** How a number differs from another one: `+2`, `−1`; empty where it does not. */
export function differenceText(value: number, from: number, decimals = 0): string {
  const difference = Number((value - from).toFixed(decimals));
  if (difference === 0) return '';
  return `${difference > 0 ? '+' : '−'}${Math.abs(difference).toFixed(decimals)}`;
}
