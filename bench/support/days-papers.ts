import { deepStrictEqual } from 'node:assert/strict';
import type { StudentRecord } from '../../src/contract/students/students.ts';
import { readSlots } from '../../src/contract/students/subject-slots.ts';
import { GRADE_LETTERS, type GradeLetter, gradePoints } from '../../src/domain/grading/gpa.ts';
import { SCHOOL_MARKS_TOTAL } from '../../src/domain/student.ts';
import { buildFamily, buildStudent, randomGradePoints } from '../../src/server/seed/builders.ts';
import { CATALOGUE } from '../../src/server/seed/catalogue.ts';
import { type Random, seededRandom } from '../../src/server/seed/random.ts';
import type { Api } from '../../tests/support/api.ts';
import { aSemester, type Subject } from '../../tests/support/records.ts';

/* What lies on a registrar's desk in the morning, the same in every run. */

/** The courses of each semester, by code. */
const COURSES = [
  ['MATH-101', 'PHY-102', 'CS-103', 'MATH-121', 'ME-122', 'EE-101'],
  ['HU-104', 'EE-211', 'ME-111', 'ME-211', 'ME-212', 'ME-213'],
  ['EE-206', 'CS-214', 'CS-231', 'MATH-215', 'CS-322', 'HU-212'],
] as const;

export interface SheetLine extends Subject {
  code: string;
}

const random = seededRandom(20_261_122);
const letter = (own: Random): GradeLetter => {
  const points = randomGradePoints(own, 0);
  return GRADE_LETTERS.find((grade) => gradePoints(grade) === points) ?? 'B';
};

function writeSheet(semester: number): SheetLine[] {
  return (COURSES[semester - 1] ?? []).map((code) => {
    const course = CATALOGUE.find((one) => one.code === code);
    if (course === undefined) throw new Error(`There is no course ${code}.`);
    return { code, title: course.name, courseId: course.id, credits: course.credits, grade: letter(random) };
  });
}

const ids = (first: number, count: number) => Array.from({ length: count }, (_, i) => String(first + i));

/** The class that is admitted today. */
export const ADMITTED_CLASS = { department: 'CE', degree: '48', syn: 'A' } as const;

/** Forms of admission. */
export const ADMISSIONS = ids(2_026_701, 20).map((id) => {
  const changes = { ...ADMITTED_CLASS, current_sem: 1, joining_date: '2026-09-07', reason: null };
  const student = buildStudent(random, id, changes, 2026);
  return { student, family: buildFamily(random, student) };
});

/** The third semester of a class that has two. */
export const MARK_SHEETS = ids(2_025_701, 20).map((id) => ({ id, lines: writeSheet(3) }));

const [spelling, phone, fathersPhone, address, grade, ...leaving] = ids(2_024_701, 8);
export const CORRECTIONS = {
  lastName: { id: String(spelling), value: 'Chaudhary' },
  phone: { id: String(phone), value: '0321 5550147' },
  fathersPhone: { id: String(fathersPhone), value: '0345 5550198' },
  address: { id: String(address), value: 'House 17, Street 9, Satellite Town, Rawalpindi' },
  /** Of the second subject of the second semester. */
  grade: { id: String(grade), value: 'B+' },
} as const;

const REASONS = ['Family moved abroad', 'Joined a medical college', 'Fees not paid for two semesters'];
export const WITHDRAWALS = leaving.map((id, i) => ({ id, reason: REASONS[i] ?? '' }));

/** Enters the students of the mark sheets, corrections and withdrawals, with two semesters each. */
export async function prepareDay(api: Api): Promise<void> {
  const corrected = Object.values(CORRECTIONS);
  for (const { id } of [...MARK_SHEETS, ...corrected, ...WITHDRAWALS]) {
    const student = buildStudent(
      random,
      id,
      { department: 'CE', degree: '47E', syn: 'B', current_sem: 3 },
      2025,
    );
    await api.post('/api/students', student);
    await api.post('/api/students/family', buildFamily(random, student));
    for (const semester of [1, 2]) {
      const lines = writeSheet(semester).map((line) => ({ ...line, grade: 'C' }) as const);
      await api.post('/api/students/academics', aSemester(id, semester, lines));
    }
  }
}

/** Points per credit hour in two decimals, rounded half up. */
function computeSgpa(lines: readonly SheetLine[]): number {
  const credits = lines.reduce((sum, line) => sum + line.credits, 0);
  const halfPoints = lines.reduce((sum, line) => sum + line.credits * gradePoints(line.grade) * 2, 0);
  return Math.floor((100 * halfPoints + credits) / (2 * credits)) / 100;
}

const pick = (record: object, like: object) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name in like));

/** Throws if the day is not stored as its papers say. */
export async function checkDay(api: Api): Promise<void> {
  const read = (id: string) => api.get<StudentRecord>(`/api/students/${id}`);
  for (const { student, family } of ADMISSIONS) {
    const stored = await read(student.id);
    const { fsc_marks, matric_marks } = stored.student;
    const marks = {
      fsc_marks: Math.round(fsc_marks * SCHOOL_MARKS_TOTAL),
      matric_marks: Math.round(matric_marks * SCHOOL_MARKS_TOTAL),
    };
    deepStrictEqual({ ...pick(stored.student, student), ...marks }, student);
    deepStrictEqual(pick(stored.family, family), family);
  }
  for (const { id, lines } of MARK_SHEETS) {
    const { academics } = await read(id);
    deepStrictEqual(academics[2]?.sgpa, computeSgpa(lines), `SGPA of ${id}`);
    const stored = readSlots(academics[2] ?? {}).map(({ slot: _, ...subject }) => subject);
    const onPaper = lines.map(({ title, courseId, credits, grade }) => {
      return { title, id: courseId, credit: credits, grade: gradePoints(grade) };
    });
    // The subjects of the class come in an order of their own.
    const byTitle = (a: { title: string }, b: { title: string }) => a.title.localeCompare(b.title);
    deepStrictEqual(stored.toSorted(byTitle), onPaper.toSorted(byTitle));
  }
  const { lastName, phone, fathersPhone, address, grade } = CORRECTIONS;
  deepStrictEqual((await read(lastName.id)).student.last_name, lastName.value);
  deepStrictEqual((await read(phone.id)).student.phone_number, phone.value);
  deepStrictEqual((await read(fathersPhone.id)).family.father_phone, fathersPhone.value);
  deepStrictEqual((await read(address.id)).family.address, address.value);
  deepStrictEqual((await read(grade.id)).academics[1]?.subj_grade_2, gradePoints(grade.value));
}
