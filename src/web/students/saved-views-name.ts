import { ORDER_NAMES } from './list-labels.ts';
import type { StudentsAddress } from './students-address.ts';

/** As long as a view's name may be. */
export const NAME_LENGTH = 60;

/** `2` as `2.0`, which is how grade points are spoken of. */
const points = (text: string) => (/\.\d\d$/.test(text) ? text : Number(text).toFixed(1));

/**
 * What a person may want to call a view, such as `EE, semester 6, CGPA below 2.0`.
 *
 * @param courseCode of the failed course, where it is known
 */
export function suggestedName(address: StudentsAddress, courseCode?: string): string {
  const { q, current_sem, gender, incomplete, fell_by, failed, sort } = address;
  const parts = [
    q?.trim() && `“${q.trim()}”`,
    ...classParts(address),
    current_sem && `semester ${current_sem}`,
    gender && { M: 'male', F: 'female' }[gender],
    cgpaPart(address),
    incomplete && 'incomplete',
    fell_by && `fell by ${points(fell_by)}`,
    failed && `F in ${courseCode ?? `course ${failed}`}`,
    sort && `by ${ORDER_NAMES[sort].replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())}`,
  ];
  const name = parts.filter(Boolean).join(', ');
  return (name.charAt(0).toUpperCase() + name.slice(1)).slice(0, NAME_LENGTH);
}

/** A class is written as one word. */
function classParts({ department, degree, syn }: StudentsAddress): (string | undefined)[] {
  if (department && degree && syn) return [`${department}-${degree}-${syn}`];
  return [department, degree && `degree ${degree}`, syn && `syndicate ${syn}`];
}

function cgpaPart({ cgpa_from, cgpa_below }: StudentsAddress): string | undefined {
  if (cgpa_from && cgpa_below) return `CGPA ${points(cgpa_from)} to ${points(cgpa_below)}`;
  if (cgpa_from) return `CGPA from ${points(cgpa_from)}`;
  return cgpa_below && `CGPA below ${points(cgpa_below)}`;
}
