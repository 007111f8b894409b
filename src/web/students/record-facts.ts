import type { Family } from '../../contract/family.ts';
import type { Student } from '../../contract/students.ts';
import { DEPARTMENTS } from '../../domain/student.ts';
import type { Fact } from '../ui/facts.tsx';
import { ageToday, dateText } from './calendar-text.ts';
import { FAMILY_LABELS } from './family-labels.ts';
import { STUDENT_LABELS } from './student-labels.ts';
import { fullName } from './student-row.ts';

const GENDER_NAMES = { F: 'Female', M: 'Male' } as const;

/** What 'Basic Information' lists; whatever is missing is said to be so by the list itself. */
export function basicFacts(student: Student): Fact[] {
  return [
    { title: 'CMS ID', value: student.id },
    { title: 'Name', value: fullName(student) },
    { title: STUDENT_LABELS.gender, value: student.gender && GENDER_NAMES[student.gender] },
    { title: STUDENT_LABELS.dob, value: `${dateText(student.dob)} (${ageToday(student.dob)} years)` },
    { title: STUDENT_LABELS.phone_number, value: student.phone_number },
    { title: STUDENT_LABELS.joining_date, value: dateText(student.joining_date) },
    { title: STUDENT_LABELS.department, value: DEPARTMENTS[student.department] },
    { title: STUDENT_LABELS.degree, value: student.degree },
    { title: STUDENT_LABELS.syn, value: student.syn },
    { title: STUDENT_LABELS.reason, value: student.reason, wide: true },
  ];
}

export function familyFacts(family: Family): Fact[] {
  return [
    { title: FAMILY_LABELS.father_name, value: family.father_name },
    { title: FAMILY_LABELS.father_occupation, value: family.father_occupation },
    { title: FAMILY_LABELS.mother_name, value: family.mother_name },
    { title: FAMILY_LABELS.mother_occupation, value: family.mother_occupation },
    { title: FAMILY_LABELS.number_siblings, value: family.number_siblings },
  ];
}

export function contactFacts(family: Family): Fact[] {
  return [
    { title: FAMILY_LABELS.father_phone, value: family.father_phone },
    { title: FAMILY_LABELS.mother_phone, value: family.mother_phone },
    { title: FAMILY_LABELS.home_phone, value: family.home_phone },
    { title: FAMILY_LABELS.address, value: family.address, wide: true },
  ];
}
