import type { StudentColumn } from './student-order.ts';
import type { ListFilters } from './students-address.ts';

export const GENDER_NAMES = { M: 'Male', F: 'Female' } as const;

export const ORDER_NAMES: Record<StudentColumn, string> = {
  id: 'CMS ID',
  name: 'Name',
  age: 'Age',
  degree: 'Degree',
  fscMarks: 'FSC marks',
  matricMarks: 'Matric marks',
  cgpa: 'CGPA',
};

/** A filter that is on, in words; `failed` is said by the course. */
export function filterText(name: Exclude<keyof ListFilters, 'q' | 'failed'>, value: string): string {
  const words: Record<typeof name, string> = {
    department: `Department: ${value}`,
    degree: `Degree: ${value}`,
    syn: `Syndicate: ${value}`,
    current_sem: `Semester: ${value}`,
    gender: `Gender: ${value === 'F' ? GENDER_NAMES.F : GENDER_NAMES.M}`,
    cgpa_from: `CGPA from ${value}`,
    cgpa_below: `CGPA below ${value}`,
    incomplete: 'Incomplete entries',
    fell_by: `SGPA fell by ${value} or more`,
  };
  return words[name];
}

const number = (count: number) => count.toLocaleString('en');

/** How many there are, as far as it is known. */
export function countText(total: number, totalIs: 'exact' | 'estimate' | 'minimum'): string {
  const students = `${number(total)} ${total === 1 ? 'student' : 'students'}`;
  return { exact: students, estimate: `about ${students}`, minimum: `more than ${students}` }[totalIs];
}
