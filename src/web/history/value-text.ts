import type { FieldChange } from '../../contract/history.ts';
import { DEPARTMENTS } from '../../domain/student.ts';
import { dateText } from '../students/calendar-text.ts';

const GENDERS: Readonly<Record<string, string>> = { F: 'Female', M: 'Male' };
const departments: Readonly<Record<string, string>> = DEPARTMENTS;

/** A value of a field as it is read; null for none. */
export function valueText(
  { field }: Pick<FieldChange, 'field'>,
  value: FieldChange['before'],
): string | null {
  if (value === null || value === '') return null;
  const text = String(value);
  switch (field) {
    case 'dob':
    case 'joining_date':
      return /^\d{4}-\d\d-\d\d$/.test(text) ? dateText(text) : text;
    case 'department':
      return departments[text] ?? text;
    case 'gender':
      return GENDERS[text] ?? text;
    case 'img':
    case 'picture':
      return /^\/api\/pictures\//.test(text) ? 'A picture' : text;
    case 'sgpa':
    case 'cgpa':
    case 'average':
    case 'std_dev':
      return typeof value === 'number' ? value.toFixed(2) : text;
    default:
      return typeof value === 'number' && field !== 'fsc_year' && field !== 'matric_year'
        ? value.toLocaleString('en')
        : text;
  }
}
