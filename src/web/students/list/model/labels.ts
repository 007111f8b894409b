import type { StudentPage } from '../../../../contract/students/student-list.ts';
import { STANDING_LABELS, STATUSES } from '../../../../domain/student.ts';
import { formatCount, formatStudentCount } from '../../../lib/format.ts';
import { GENDER_LABELS } from '../../student-format.ts';
import { type ListFilters, toStandings, toStatuses } from './search-params.ts';

/** The text of an active filter. The text of `failed` needs the course, and is not made here. */
export function filterLabel(name: Exclude<keyof ListFilters, 'q' | 'failed'>, value: string): string {
  const texts: Record<typeof name, string> = {
    department: `Department: ${value}`,
    degree: `Degree: ${value}`,
    syn: `Syndicate: ${value}`,
    current_sem: `Semester: ${value}`,
    gender: `Gender: ${value === 'F' ? GENDER_LABELS.F : GENDER_LABELS.M}`,
    status: `Status: ${toStatuses(value)
      .map((code) => STATUSES[code])
      .join(', ')}`,
    standing: `Standing: ${toStandings(value)
      .map((code) => STANDING_LABELS[code])
      .join(', ')}`,
    cgpa_from: `CGPA from ${value}`,
    cgpa_below: `CGPA below ${value}`,
    incomplete: 'Incomplete entries',
    fell_by: `SGPA fell by ${value} or more`,
  };
  return texts[name];
}

/** How certain the number of students is. */
export type TotalIs = StudentPage['total_is'];

const CERTAINTY: Record<TotalIs, string> = { exact: '', estimate: 'about ', minimum: 'more than ' };

/** A number of students and how certain it is, such as `about 1,200`. */
export const formatListCount = (count: number, totalIs: TotalIs) => CERTAINTY[totalIs] + formatCount(count);

/** The same with the noun, such as `about 1,200 students`. */
export const formatListTotal = (count: number, totalIs: TotalIs) =>
  CERTAINTY[totalIs] + formatStudentCount(count);
