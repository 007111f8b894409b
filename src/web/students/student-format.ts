import type { Student } from '../../contract/students/students.ts';
import type { RowStatus } from '../../domain/marksheets/class-statistics.ts';
import { fullName } from '../../domain/student.ts';
import { STUDENT_FIELD_LABELS } from '../../domain/student-labels.ts';

export { fullName };

/** A class as `DEPT-degree-syn`, such as `CE-45-A`. */
export const formatDegree = ({ department, degree, syn }: Pick<Student, 'department' | 'degree' | 'syn'>) =>
  `${department}-${degree}-${syn}`;

/** A student as `Ayesha Siddiqui, CE-45-A`, for where the ID alone would say too little. */
export const nameAndClass = (
  student: Pick<Student, 'first_name' | 'last_name' | 'department' | 'degree' | 'syn'>,
) => `${fullName(student)}, ${formatDegree(student)}`;

export const GENDER_LABELS = { F: 'Female', M: 'Male' } as const;

/** A hint for a phone number that was probably meant for another field. It may be saved. */
export const phoneHint = (phone: string) =>
  /[^\s\d]/.test(phone) && !/\d/.test(phone) ? 'This has no digits. Is it a phone number?' : undefined;

/** Labels that name a field without the heading of its section. */
export const STUDENT_LABELS = { ...STUDENT_FIELD_LABELS, img_file: 'Portrait picture' } as const;

/** Which results an entry lacks to be complete; null for none. Those of the current semester are not needed yet. */
export function missingResultsText(recorded: number, currentSemester: number): string | null {
  const first = recorded + 1;
  const last = currentSemester - 1;
  if (first > last) return null;
  if (first === last) return `The results of semester ${first} are missing.`;
  return `The results of semesters ${first} ${last === first + 1 ? 'and' : 'to'} ${last} are missing.`;
}

/** The path of a portrait that this server stores; null for any other text, since the field may hold anything. */
export const portraitPath = (img: string | null) => (img?.startsWith('/api/pictures/') ? img : null);

/** How a row of a mark sheet ends. */
export const ROW_STATUS_NAMES: Readonly<Record<RowStatus, string>> = {
  graded: 'Graded',
  incomplete: 'Incomplete',
  withdrawn: 'Withdrawn',
  excused: 'Excused',
  barred: 'Barred',
};
