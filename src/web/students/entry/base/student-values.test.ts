import { describe, expect, it } from 'vitest';
import type { Student } from '../../../../contract/students/students.ts';
import { toFraction, toHundredths } from '../../../../domain/student.ts';
import { formatDate } from '../../../lib/format.ts';
import { EMPTY_STUDENT, toStudentValues, usualDivision } from './student-values.ts';

const student: Student = {
  id: '408877',
  first_name: 'Hareem',
  last_name: 'Lodhi',
  dob: '2005-03-14',
  joining_date: '2023-09-11',
  phone_number: null,
  gender: null,
  fsc_marks: 0.9,
  fsc_year: 2022,
  fsc_div: 1,
  matric_marks: 0.85,
  matric_year: 2020,
  matric_div: 1,
  current_sem: 6,
  department: 'CE',
  degree: '45',
  syn: 'A',
  reason: null,
  img: null,
  status: 'active',
  status_date: null,
  status_reason: null,
};

describe('the values of the student form', () => {
  it('hold every field of the record as text', () => {
    const values = toStudentValues(student);
    expect(Object.keys(values)).toEqual(Object.keys(EMPTY_STUDENT));
    expect(values).toMatchObject({ fsc_marks: '990', matric_marks: '935', gender: '', current_sem: '6' });
  });

  // Covers 3.21
  it('show the marks as they were entered', () => {
    for (const marks of ['100', '333.33', '935.25', '1099.99', '1100']) {
      const sent = toHundredths(Number(marks)) ?? Number.NaN;
      expect(toStudentValues({ ...student, fsc_marks: toFraction(sent) }).fsc_marks).toBe(marks);
    }
  });
});

describe('a date', () => {
  it('is written in words, without a shift by the time zone', () => {
    expect(formatDate('2005-03-14')).toBe('14 March 2005');
    expect(formatDate('1999-01-01')).toBe('1 January 1999');
  });
});

it('the usual division begins at 60, 45 and 33 percent, and follows from marks only', () => {
  const divisions = {
    1100: '1',
    660: '1',
    659.99: '2',
    495: '2',
    494: '3',
    363: '3',
    362: '',
    99: '',
    1101: '',
  };
  for (const [marks, division] of Object.entries(divisions))
    expect(usualDivision(marks), marks).toBe(division);
  for (const text of ['', ' ', '-', 'abc']) expect(usualDivision(text), text).toBe('');
});
