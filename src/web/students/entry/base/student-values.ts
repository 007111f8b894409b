import type { Student } from '../../../../contract/students/students.ts';
import { fromFraction, SCHOOL_MARKS, SCHOOL_MARKS_TOTAL } from '../../../../domain/student.ts';

/**
 * The base record as form values: every field as the text of its input. `img_file` is the name of the portrait that was
 * selected as a file.
 */
export const EMPTY_STUDENT = {
  first_name: '',
  last_name: '',
  dob: '',
  gender: '',
  phone_number: '',
  img: '',
  img_file: '',
  id: '',
  joining_date: '',
  department: '',
  syn: '',
  degree: '',
  current_sem: '',
  fsc_marks: '',
  fsc_year: '',
  fsc_div: '',
  matric_marks: '',
  matric_year: '',
  matric_div: '',
  reason: '',
};

export type StudentValues = typeof EMPTY_STUDENT;

/** A record as form values. School marks are a fraction of 1100 in the record, and marks here. */
export function toStudentValues(student: Student): StudentValues {
  return {
    first_name: student.first_name,
    last_name: student.last_name,
    dob: student.dob,
    gender: student.gender ?? '',
    phone_number: student.phone_number ?? '',
    img: student.img ?? '',
    img_file: '',
    id: student.id,
    joining_date: student.joining_date,
    department: student.department,
    syn: student.syn,
    degree: student.degree,
    current_sem: String(student.current_sem),
    fsc_marks: String(fromFraction(student.fsc_marks)),
    fsc_year: String(student.fsc_year),
    fsc_div: String(student.fsc_div),
    matric_marks: String(fromFraction(student.matric_marks)),
    matric_year: String(student.matric_year),
    matric_div: String(student.matric_div),
    reason: student.reason ?? '',
  };
}

/** The least percentage of the marks for each division of a school board, the first division first. */
const DIVISION_PERCENTS = [60, 45, 33];

/** The division that marks usually give; empty for what are no marks, and for marks below the third division. */
export function usualDivision(text: string): string {
  const marks = Number(text);
  if (text.trim() === '' || !(marks >= SCHOOL_MARKS.min && marks <= SCHOOL_MARKS.max)) return '';
  const at = DIVISION_PERCENTS.findIndex((percent) => marks * 100 >= percent * SCHOOL_MARKS_TOTAL);
  return at === -1 ? '' : String(at + 1);
}
