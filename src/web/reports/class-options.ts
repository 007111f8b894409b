import { DEPARTMENT_CODES, SEMESTER_COUNT } from '../../domain/student.ts';
import { departmentName } from '../lib/format.ts';

const naturalOrder = new Intl.Collator('en', { numeric: true });

/** Options of fields that choose a class. */
export const toOption = (value: string, label = value) => ({ value, label });

export const DEPARTMENT_OPTIONS = DEPARTMENT_CODES.map((code) => toOption(code, departmentName(code)));

export const SEMESTER_OPTIONS = Array.from({ length: SEMESTER_COUNT }, (_, i) => toOption(String(i + 1)));

/** The newest batch first. */
export const toBatchOptions = (degrees: Iterable<string>) =>
  [...degrees]
    .toSorted(naturalOrder.compare)
    .reverse()
    .map((degree) => toOption(degree));
