import { DEPARTMENT_CODES, DEPARTMENTS } from '../../domain/student.ts';

const whole = new Intl.NumberFormat('en');
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const points = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

export const countText = (count: number) => whole.format(count);
export const shareText = (part: number, all: number) => percent.format(all === 0 ? 0 : part / all);
/** Grade points, as everywhere with two decimals. */
export const pointsText = (value: number) => points.format(value);
export const studentsText = (count: number) => `${countText(count)} ${count === 1 ? 'student' : 'students'}`;

/** A department by its code, in words. */
export function departmentName(code: string): string {
  const known = DEPARTMENT_CODES.find((one) => one === code);
  return known === undefined ? code : DEPARTMENTS[known];
}
