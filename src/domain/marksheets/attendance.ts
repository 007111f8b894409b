import { roundHalfUp } from '../grading/gpa.ts';
import type { PolicyRules } from '../grading/policy.ts';
import { inHundredths } from '../hundredths.ts';

/** What a student attended of the theory or of the lab: counts of classes, or only their percentage with two decimals. */
export type AttendancePart = { held: number; attended: number } | { percent: number };

/** The attendance of a student as it is entered; null for a part that is not. */
export interface Attendance {
  theory: AttendancePart | null;
  lab: AttendancePart | null;
}

export const ATTENDANCE_PARTS = ['theory', 'lab'] as const;

/** The most classes that can be held in a term. */
export const MAX_HELD = 500;

type AttendanceRules = Pick<PolicyRules, 'attendance_min' | 'attendance_separate' | 'attendance_effect'>;

/** A part with its percentage, two decimals; null where nothing was held. */
export interface PartFigure {
  held: number | null;
  attended: number | null;
  percent: number | null;
}

export interface AttendanceFigures {
  theory: PartFigure | null;
  lab: PartFigure | null;
  /** Of theory and lab together; null where one of them has no counts. */
  percent: number | null;
  /** Below the minimum of the policy. */
  short: boolean;
  /** The status that the policy proposes for a short row; nothing sets it by itself. */
  proposed: 'barred' | 'withdrawn' | null;
}

const hasCounts = (part: AttendancePart | null): part is { held: number; attended: number } =>
  part !== null && 'held' in part;

/** From the exact fraction, half up, two decimals. Null where nothing was held. */
const attendancePercent = ({ held, attended }: { held: number; attended: number }): number | null =>
  held === 0 ? null : roundHalfUp(attended * 100, held, 2) / 100;

function toFigure(part: AttendancePart | null): PartFigure | null {
  if (part === null) return null;
  if (!hasCounts(part)) return { held: null, attended: null, percent: part.percent };
  return { held: part.held, attended: part.attended, percent: attendancePercent(part) };
}

const isBelowMinimum = (percent: number | null | undefined, { attendance_min }: AttendanceRules) =>
  percent != null && inHundredths(percent) < inHundredths(attendance_min);

/**
 * The figures of a student's attendance. The printed percentages are compared with the minimum: 74.99 is short, 75.00 is not. A
 * part that is missing is not judged. Not judged separately, the sums are compared; where a part has a percentage only, there is
 * no sum, so each part is.
 */
export function attendanceFigures({ theory, lab }: Attendance, rules: AttendanceRules): AttendanceFigures {
  const together =
    hasCounts(theory) && hasCounts(lab)
      ? attendancePercent({ held: theory.held + lab.held, attended: theory.attended + lab.attended })
      : null;
  const parts = { theory: toFigure(theory), lab: toFigure(lab) };
  const isJoint = !rules.attendance_separate && hasCounts(theory) && hasCounts(lab);
  const short = isJoint
    ? isBelowMinimum(together, rules)
    : ATTENDANCE_PARTS.some((name) => isBelowMinimum(parts[name]?.percent, rules));
  return { ...parts, percent: together, short, proposed: short ? PROPOSED[rules.attendance_effect] : null };
}

const PROPOSED = { none: null, F: 'barred', withdrawn: 'withdrawn' } as const;

/** The least number of classes whose percentage reaches the minimum; null without a count of classes held. */
export function neededToAttend(
  part: Pick<PartFigure, 'held'> | null,
  { attendance_min }: Pick<AttendanceRules, 'attendance_min'>,
): number | null {
  const held = part?.held ?? null;
  if (held === null) return null;
  if (held === 0) return 0;
  const minimum = inHundredths(attendance_min);
  // The printed percentage is compared, so a count a little below the exact share may be enough.
  const near = Math.floor((minimum * held) / 10_000);
  for (let count = Math.max(0, near - 1); count < held; count += 1) {
    if (roundHalfUp(count * 100, held, 2) >= minimum) return count;
  }
  return held;
}

/** What is wrong with a part as it was sent, and of which of its numbers; undefined if nothing is. */
export function attendanceFault(sent: {
  held?: number | null | undefined;
  attended?: number | null | undefined;
  percent?: number | null | undefined;
}): { field: 'held' | 'attended' | 'percent'; text: string } | undefined {
  const { held = null, attended = null, percent = null } = sent;
  if (held === null && attended === null) {
    return percent === null ? { field: 'held', text: 'The held field is required.' } : undefined;
  }
  if (held === null) return { field: 'held', text: 'The held field is required.' };
  if (attended === null) return { field: 'attended', text: 'The attended field is required.' };
  if (attended > held) {
    return { field: 'attended', text: `The attended must be at most the ${held} that were held.` };
  }
  const actual = attendancePercent({ held, attended });
  if (percent === null || (actual !== null && inHundredths(actual) === inHundredths(percent)))
    return undefined;
  return {
    field: 'percent',
    text:
      actual === null
        ? 'The percent must be left out where nothing was held.'
        : `The percent must be ${actual.toFixed(2)}, which ${attended} of ${held} are.`,
  };
}

/** A part in words: "40 of 45 (88.89 %)". */
export const attendanceText = (part: PartFigure): string => {
  const percent = part.percent === null ? null : `${part.percent.toFixed(2)} %`;
  if (part.held === null) return percent ?? '';
  return `${part.attended} of ${part.held}${percent === null ? '' : ` (${percent})`}`;
};
