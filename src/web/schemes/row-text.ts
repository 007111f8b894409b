import type { NamedCourse } from '../../contract/schemes/schemes.ts';
import { countCredits, type Hours } from '../../domain/schemes/hours.ts';
import type { Need } from '../../domain/schemes/scheme.ts';

type Courses = readonly Pick<NamedCourse, 'course_id' | 'course_code'>[];

const codeOf = (id: number, courses: Courses): string =>
  courses.find(({ course_id }) => course_id === id)?.course_code ?? `course ${id}`;

/** `3+1`; a row of 0 says so in words. */
export const hoursText = ({ theory, lab }: Hours): string =>
  countCredits({ theory, lab }) === 0 ? 'no credits' : `${theory}+${lab}`;

/** `HU-108 or HU-107`. */
export const optionsText = (options: readonly number[], courses: Courses): string =>
  options.map((id) => codeOf(id, courses)).join(' or ');

/** `MATH-101, beside EE-117`. */
export const needsText = (needs: readonly Need[], courses: Courses): string =>
  needs
    .map(({ course_id, kind }) => `${kind === 'beside' ? 'beside ' : ''}${codeOf(course_id, courses)}`)
    .join(', ');
