import type { CgpaExplanation, CgpaLine } from '../../../../contract/grading/grading.ts';
import type { Ungraded } from '../../../../domain/grading/degree.ts';

/** Points with one decimal, or two where one would not be exact. */
export function pointsText(points: number | null): string {
  if (points === null) return '--';
  return Math.round(points * 100) % 10 === 0 ? points.toFixed(1) : points.toFixed(2);
}

/** The quality points of some lines, summed in whole hundredths. */
export const sumPoints = (lines: readonly CgpaLine[]): number =>
  lines.reduce((sum, { quality_points }) => sum + Math.round((quality_points ?? 0) * 100), 0) / 100;

const letterText = (line: CgpaLine | undefined) => (line?.letter ? ` with ${line.letter}` : '');

/**
 * Why a line does not count, or how it does where its course was taken more than once; undefined for all others.
 *
 * @param ungraded why a mark sheet closed it without a grade
 */
export function lineNote(
  line: CgpaLine,
  { lines, repeat_policy }: Pick<CgpaExplanation, 'lines' | 'repeat_policy'>,
  ungraded: Ungraded | null = null,
): string | undefined {
  if (line.reason === 'no-grade')
    return `Does not count: it ${ungraded === null ? 'has no grade yet' : `is ${ungraded}`}.`;
  if (line.reason === 'no-credits') return 'Does not count: it has no credit hours.';
  const { counted_in } = line;
  if (counted_in !== null) {
    const other = lines.find((one) => one.semester === counted_in.semester && one.slot === counted_in.slot);
    return `Does not count: repeated, the attempt in semester ${counted_in.semester}${letterText(other)} counts instead.`;
  }
  const attempts = lines.filter(
    ({ course_id, reason }) =>
      course_id !== null && course_id === line.course_id && (reason === null || reason === 'repeated'),
  );
  if (attempts.length < 2) return undefined;
  const others = attempts.filter((one) => one !== line);
  const where = others.map((one) => `semester ${one.semester}${letterText(one)}`).join(', ');
  if (repeat_policy === 'all') return `Counts, as does the attempt in ${where}.`;
  if (repeat_policy === 'average')
    return `Counts with the mean of ${attempts.length} attempts, this with ${line.letter} and ${where}.`;
  return `Counts instead of the attempt in ${where}.`;
}
