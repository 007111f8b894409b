import type { PlanReply } from '../../../../contract/grading/grading.ts';
import { plural } from '../../../lib/format.ts';

/** The results that a target CGPA needs, as a sentence. */
export function planText({
  target,
  credits_left,
  needed,
  best_possible,
  possible,
}: Pick<PlanReply, 'target' | 'credits_left' | 'needed' | 'best_possible' | 'possible'>): string {
  const goal = target.toFixed(2);
  if (needed === null) return `${goal} is not reachable: no credit hours are left.`;
  if (needed === 0) return `${goal} is reached in any case.`;
  if (!possible)
    return `${goal} is not reachable: ${needed.toFixed(2)} would be needed over ${plural(credits_left, 'credit hour')}; the best possible CGPA is ${best_possible.toFixed(2)}.`;
  // Just above 4, but an A in everything prints the target.
  const average = Math.min(4, needed).toFixed(2);
  return `${goal} needs an average of ${average} over ${plural(credits_left, 'credit hour')}.`;
}

/** A typed number within limits; undefined for any other text. */
export function readNumber(text: string, { max, decimals }: { max: number; decimals: 0 | 2 }) {
  const typed = text.trim().replace(',', '.');
  const pattern = decimals === 0 ? /^\d{1,3}$/ : /^\d(\.\d{1,2})?$/;
  return pattern.test(typed) && Number(typed) <= max ? Number(typed) : undefined;
}

export const POINTS_ERROR = '0 to 4 with at most two decimals.';
/** The most credit hours that are planned, as in the API. */
export const MAX_CREDITS_LEFT = 480;
