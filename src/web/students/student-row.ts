import type { Student } from '../../contract/students.ts';
import { fromFraction } from '../../domain/school-marks.ts';
import { folded } from '../../domain/search-text.ts';
import { ageToday } from './calendar-text.ts';

/** A student as the list shows, searches and sorts them. */
export interface StudentRow {
  id: string;
  name: string;
  dob: string;
  age: number;
  degree: string;
  fscMarks: number;
  matricMarks: number;
  /** ID, name and degree in the form that the search compares. */
  searchText: string;
}

/** `DEPT-degree-syn`, as degrees are written throughout. */
export const degreeText = ({ department, degree, syn }: Pick<Student, 'department' | 'degree' | 'syn'>) =>
  `${department}-${degree}-${syn}`;

export const fullName = ({ first_name, last_name }: Pick<Student, 'first_name' | 'last_name'>) =>
  `${first_name} ${last_name}`;

export function toStudentRow(student: Student): StudentRow {
  const name = fullName(student);
  const degree = degreeText(student);
  return {
    id: student.id,
    name,
    dob: student.dob,
    age: ageToday(student.dob),
    degree,
    fscMarks: fromFraction(student.fsc_marks),
    matricMarks: fromFraction(student.matric_marks),
    searchText: folded(`${student.id}\n${name}\n${degree}`),
  };
}
