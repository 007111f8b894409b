import type { Student } from '../../contract/students.ts';

/** `DEPT-degree-syn`, as degrees are written throughout. */
export const degreeText = ({ department, degree, syn }: Pick<Student, 'department' | 'degree' | 'syn'>) =>
  `${department}-${degree}-${syn}`;

export const fullName = ({ first_name, last_name }: Pick<Student, 'first_name' | 'last_name'>) =>
  `${first_name} ${last_name}`;
