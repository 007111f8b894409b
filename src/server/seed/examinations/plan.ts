import { SEMESTER_COUNT } from '../../../domain/student.ts';
import { currentSemester, LATEST_INTAKE, type Registration } from '../registration.ts';

/* Which classes of the sample faculty have mark sheets, and since when. */

/** The terms of two years, the oldest first; the last one is running. Existing terms of these names are used. */
export const TERMS = [
  { name: 'Spring 2025', starts_on: '2025-02-03', ends_on: '2025-06-20' },
  { name: 'Fall 2025', starts_on: '2025-09-08', ends_on: '2026-01-23' },
  { name: 'Spring 2026', starts_on: '2026-02-02', ends_on: '2026-06-19' },
  { name: 'Fall 2026', starts_on: '2026-09-07', ends_on: '2027-01-22' },
] as const;

/** Terms that are over. */
const PAST_TERMS = TERMS.length - 1;
/** Students of a larger class all have results that were typed: mark sheets for them would take too long. */
const MAX_CLASS = 60;
/** Years ago in which the two classes joined whose results come from mark sheets. */
const YEARS_AGO = [1, 2];

/**
 * The first semester that comes from mark sheets: in small faculties, of the first class of two intakes, that of the oldest term. Of
 * all others it is one that there is not.
 */
export function firstExaminedSemester({ joined, isFirstClass, classSize }: Registration): number {
  const isExamined = isFirstClass && classSize <= MAX_CLASS && YEARS_AGO.includes(LATEST_INTAKE - joined);
  return isExamined ? Math.max(1, currentSemester(joined) - PAST_TERMS) : SEMESTER_COUNT + 1;
}
