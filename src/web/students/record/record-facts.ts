import type { Family, Student } from '../../../contract/students/students.ts';
import { DEPARTMENTS, FAMILY_FIELD_LABELS } from '../../../domain/student.ts';
import { currentAge, formatDate } from '../../lib/format.ts';
import type { DescriptionItem } from '../../ui/page/facts.tsx';
import { fullName, GENDER_LABELS, STUDENT_LABELS } from '../student-format.ts';

/** The items of 'Basic Information'. The list itself shows a text for those without a value. */
export function basicFacts(student: Student): DescriptionItem[] {
  return [
    { title: 'CMS ID', value: student.id },
    { title: 'Name', value: fullName(student) },
    { title: STUDENT_LABELS.gender, value: student.gender && GENDER_LABELS[student.gender] },
    { title: STUDENT_LABELS.dob, value: `${formatDate(student.dob)} (${currentAge(student.dob)} years)` },
    { title: STUDENT_LABELS.phone_number, value: student.phone_number },
    { title: STUDENT_LABELS.joining_date, value: formatDate(student.joining_date) },
    { title: STUDENT_LABELS.department, value: DEPARTMENTS[student.department] },
    { title: STUDENT_LABELS.degree, value: student.degree },
    { title: STUDENT_LABELS.syn, value: student.syn },
    { title: STUDENT_LABELS.reason, value: student.reason, wide: true },
  ];
}

export function familyFacts(family: Family): DescriptionItem[] {
  return [
    { title: FAMILY_FIELD_LABELS.father_name, value: family.father_name },
    { title: FAMILY_FIELD_LABELS.father_occupation, value: family.father_occupation },
    { title: FAMILY_FIELD_LABELS.mother_name, value: family.mother_name },
    { title: FAMILY_FIELD_LABELS.mother_occupation, value: family.mother_occupation },
    { title: FAMILY_FIELD_LABELS.number_siblings, value: family.number_siblings },
  ];
}

export function contactFacts(family: Family): DescriptionItem[] {
  return [
    { title: FAMILY_FIELD_LABELS.father_phone, value: family.father_phone },
    { title: FAMILY_FIELD_LABELS.mother_phone, value: family.mother_phone },
    { title: FAMILY_FIELD_LABELS.home_phone, value: family.home_phone },
    { title: FAMILY_FIELD_LABELS.address, value: family.address, wide: true },
  ];
}
