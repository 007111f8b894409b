import { randomInt, randomUUID } from 'node:crypto';
import type { CourseInput } from '../../src/contract/courses.ts';
import type { FamilyInput, StudentInput } from '../../src/contract/students/students.ts';
import type { Slot } from '../../src/contract/students/subject-slots.ts';
import type { TermInput } from '../../src/contract/terms.ts';
import type { GradeLetter } from '../../src/domain/grading/gpa.ts';

const words = new Set<string>();

/**
 * A word that no other test uses, so that tests can share one server. Nothing that makes tens of thousands gets one twice: among
 * 50,000 of this length one would be expected.
 */
export function unique(): string {
  for (;;) {
    const word = randomUUID().slice(0, 8).replaceAll('e', 'f');
    if (words.has(word)) continue;
    words.add(word);
    return word;
  }
}

/** Official documents need its name. */
export const INSTITUTION = { name: 'Rohtas College of Engineering' };

/** A valid base record with every field, with an ID that no other test uses. */
export function aStudent(changes: Partial<StudentInput> = {}): StudentInput {
  return {
    id: `T-${unique()}`,
    first_name: 'Ayesha',
    last_name: 'Siddiqui',
    dob: '2005-03-14',
    joining_date: '2023-09-04',
    phone_number: '0300-5550123',
    gender: 'F',
    fsc_marks: 935,
    fsc_year: 2023,
    fsc_div: 1,
    matric_marks: 987.5,
    matric_year: 2021,
    matric_div: 1,
    current_sem: 2,
    department: 'CE',
    degree: '44',
    syn: 'B',
    reason: null,
    img: null,
    ...changes,
  };
}

export function aFamily(student_id: string, changes: Partial<FamilyInput> = {}): FamilyInput {
  return {
    student_id,
    father_name: 'Imran Siddiqui',
    father_occupation: 'Civil engineer',
    mother_name: 'Nadia Siddiqui',
    mother_occupation: 'Physician',
    number_siblings: 2,
    father_phone: '0300-5550101',
    mother_phone: '0300-5550102',
    home_phone: '051-5550100',
    address: 'House 12, Street 4, Rawalpindi',
    ...changes,
  };
}

export function aCourse(): CourseInput {
  return {
    course_id: randomInt(1_000, 2 ** 47),
    course_code: `ME-${unique()}`,
    course_name: 'Thermodynamics',
    course_description: 'Heat, work and their conversion.',
    credits: 3,
  };
}

/** A term with a name that no other test uses. */
export const aTerm = (): TermInput => ({
  name: `Fall ${unique()}`,
  starts_on: '2026-09-07',
  ends_on: '2027-01-22',
});

export interface Subject {
  title: string;
  credits: number;
  grade: GradeLetter;
  courseId?: number;
}

type SlotField = `subject_${Slot}` | `subject_${Slot}_id` | `subj_credit_${Slot}` | `subj_grade_${Slot}`;

/** One semester's results as the browser sends them: the subjects in slots from 1 on. */
export function aSemester(student_id: string, semester: number, subjects: readonly Subject[]) {
  const slots: Partial<Record<SlotField, string | number>> = {};
  subjects.forEach(({ title, credits, grade, courseId }, i) => {
    const slot = (i + 1) as Slot;
    slots[`subject_${slot}`] = title;
    slots[`subj_credit_${slot}`] = credits;
    slots[`subj_grade_${slot}`] = grade;
    if (courseId !== undefined) slots[`subject_${slot}_id`] = courseId;
  });
  return { student_id, semester, ...slots };
}
