import { STANDING_LABELS, STATUSES } from '../../../../domain/student.ts';
import { type StudentsSearchParams, toStandings, toStatuses } from '../model/search-params.ts';
import { SORT_LABELS } from '../model/sort.ts';

/** The limit of the API. */
export const MAX_NAME_LENGTH = 60;

/** `2` as `2.0`: grade points are written with a decimal. */
const points = (text: string) => (/\.\d\d$/.test(text) ? text : Number(text).toFixed(1));

/** A name for a view that describes its filters. */
export const suggestViewName = (address: StudentsSearchParams, courseCode?: string) =>
  describeView(address, courseCode).slice(0, MAX_NAME_LENGTH);

/**
 * The filters and order of a view in words, such as `EE, semester 6, CGPA below 2.0`; empty for all students.
 *
 * @param courseCode of the course in the filter `failed`, if loaded
 */
export function describeView(address: StudentsSearchParams, courseCode?: string): string {
  const { q, current_sem, gender, status, standing, incomplete, fell_by, failed, sort } = address;
  const parts = [
    q?.trim() && `“${q.trim()}”`,
    ...classParts(address),
    current_sem && `semester ${current_sem}`,
    gender && { M: 'male', F: 'female' }[gender],
    status &&
      toStatuses(status)
        .map((code) => STATUSES[code].toLowerCase())
        .join(' or '),
    standing &&
      toStandings(standing)
        .map((code) => STANDING_LABELS[code].toLowerCase())
        .join(' or '),
    cgpaPart(address),
    incomplete && 'incomplete',
    fell_by && `fell by ${points(fell_by)}`,
    failed && `F in ${courseCode ?? `course ${failed}`}`,
    sort && `by ${SORT_LABELS[sort].replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())}`,
  ];
  const name = parts.filter(Boolean).join(', ');
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Department, degree and syndicate together are one class, written as one word. */
function classParts({ department, degree, syn }: StudentsSearchParams): (string | undefined)[] {
  if (department && degree && syn) return [`${department}-${degree}-${syn}`];
  return [department, degree && `degree ${degree}`, syn && `syndicate ${syn}`];
}

function cgpaPart({ cgpa_from, cgpa_below }: StudentsSearchParams): string | undefined {
  if (cgpa_from && cgpa_below) return `CGPA ${points(cgpa_from)} to ${points(cgpa_below)}`;
  if (cgpa_from) return `CGPA from ${points(cgpa_from)}`;
  return cgpa_below && `CGPA below ${points(cgpa_below)}`;
}
