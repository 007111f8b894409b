import { UNGRADED_SIGNS } from '../../../domain/documents/figures.ts';
import { GRADE_LETTERS, gradePoints } from '../../../domain/grading/gpa.ts';
import { REPEAT_POLICY_NAMES } from '../../../domain/grading/policy-text.ts';
import type { DocumentContent } from '../content/content.ts';

/* How results are written on transcripts and result cards. */

type Semester = DocumentContent['figures']['semesters'][number];
type Subject = Semester['subjects'][number];

export function letterText({
  letter,
  counted,
  ungraded,
}: Pick<Subject, 'letter' | 'counted' | 'ungraded'>): string {
  if (letter === null) return ungraded === null ? '–' : UNGRADED_SIGNS[ungraded];
  return counted ? letter : `(${letter})`;
}

/** The mark of a repeated subject: R and the semester of the other attempt. */
export const repeatText = ({ repeats, repeated_in }: Pick<Subject, 'repeats' | 'repeated_in'>): string =>
  [
    ...(repeats === null ? [] : [`R of semester ${repeats}`]),
    ...(repeated_in === null ? [] : [`R in semester ${repeated_in}`]),
  ].join(', ');

export const courseCode = (
  { course_codes }: Pick<DocumentContent, 'course_codes'>,
  { course_id }: Subject,
): string => (course_id === null ? '' : (course_codes[course_id] ?? String(course_id)));

/** The text in place of the results of a semester before a late entry. */
export const BEFORE_ENTRY = 'before entry';

/** The number of a semester with its term, where mark sheets know it. */
export function semesterHeading(
  { terms }: DocumentContent,
  { semester, is_provisional, elsewhere }: Pick<Semester, 'semester' | 'is_provisional' | 'elsewhere'>,
): string {
  if (elsewhere) return `Semester ${semester}, ${BEFORE_ENTRY}`;
  const term = terms[semester];
  return [
    `Semester ${semester}`,
    ...(term === undefined ? [] : [term]),
    ...(is_provisional ? ['provisional'] : []),
  ].join(', ');
}

/** An SGPA, with an I beside it where a course of the semester is incomplete. */
export const sgpaText = ({ sgpa, subjects }: Pick<Semester, 'sgpa' | 'subjects'>): string =>
  `${sgpa.toFixed(2)}${subjects.some(({ ungraded }) => ungraded === 'incomplete') ? ` ${UNGRADED_SIGNS.incomplete}` : ''}`;

export const qualityText = (points: number): string =>
  Number.isInteger(points * 2) ? points.toFixed(1) : points.toFixed(2);

/** How the figures are computed. */
export function gradingKey({ figures, policy_id }: DocumentContent): string {
  const points = GRADE_LETTERS.map((letter) => `${letter} ${gradePoints(letter).toFixed(1)}`).join(', ');
  const subjects = figures.semesters.flatMap((semester) => semester.subjects);
  const hasRepeats = subjects.some(({ repeats, repeated_in }) => repeats !== null || repeated_in !== null);
  const hasUncounted = subjects.some(({ letter, counted }) => letter !== null && !counted);
  const hasUngraded = subjects.some(({ letter, ungraded }) => letter === null && ungraded === null);
  const endings = Object.entries(UNGRADED_SIGNS).filter(([name]) =>
    subjects.some(({ ungraded }) => ungraded === name),
  );
  return [
    `Grade points: ${points}.`,
    'SGPA: the sum of credits times points, divided by the credits of the semester. CGPA: the same over all semesters, rounded half up to two decimals.',
    `Repeated courses: ${lowerFirst(REPEAT_POLICY_NAMES[figures.repeat_policy])} (grading policy ${policy_id}).`,
    ...(hasRepeats ? ['R: course taken again; the semester is that of the other attempt.'] : []),
    ...(hasUncounted ? ["A grade in brackets doesn't count towards the CGPA."] : []),
    ...endings.map(([name, sign]) => `${sign}: ${name}.`),
    ...(hasUngraded ? ['–: no grade yet.'] : []),
  ].join(' ');
}

export const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
