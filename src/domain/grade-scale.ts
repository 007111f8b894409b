/**
 * Letter grades of the faculty and their grade points (specification, section 9).
 * Points are kept as whole half-points, so that sums are exact.
 */
export const GRADE_LETTERS = ['A', 'B+', 'B', 'C+', 'C', 'D+', 'D', 'F'] as const;

export type GradeLetter = (typeof GRADE_LETTERS)[number];

const HALF_POINTS: Record<GradeLetter, number> = { A: 8, 'B+': 7, B: 6, 'C+': 5, C: 4, 'D+': 3, D: 2, F: 0 };

/** Grade points of a letter, 0 to 4 in steps of 0.5; `A` is 4, `F` is 0, and no letter has 0.5. */
export function gradePoints(letter: GradeLetter): number {
  return HALF_POINTS[letter] / 2;
}

/** The letter that stands for these grade points, or undefined when none does (0.5, 3.7, −1 …). */
export function gradeLetter(points: number): GradeLetter | undefined {
  return GRADE_LETTERS.find((letter) => HALF_POINTS[letter] === points * 2);
}
