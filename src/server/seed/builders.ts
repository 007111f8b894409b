import type { CourseInput } from '../../contract/courses.ts';
import type { SemesterInput } from '../../contract/students/academics.ts';
import type { FamilyInput, StudentInput } from '../../contract/students/students.ts';
import { SLOTS, type SlotSubject, writeSlots } from '../../contract/students/subject-slots.ts';
import { GRADE_LETTERS, gradePoints } from '../../domain/grading/gpa.ts';
import { DEPARTMENT_CODES, type Department, SEMESTER_COUNT, SYNDICATES } from '../../domain/student.ts';
import { CATALOGUE, type SeedCourse, UNLISTED } from './catalogue.ts';
import {
  FIRST_NAMES_F,
  FIRST_NAMES_M,
  LAST_NAMES,
  NAME_PREFIXES,
  NAME_SUFFIXES,
  OCCUPATIONS,
  STREETS,
} from './names.ts';
import type { Random } from './random.ts';
import { CURRENT_INTAKES, LATEST_INTAKE, toDegree } from './registration.ts';

/* Builders of realistic records, for the sample faculty, the tests and the benchmarks. */

const pad = (n: number) => String(n).padStart(2, '0');
const dateIn = (random: Random, year: number) =>
  `${year}-${pad(random.whole(1, 12))}-${pad(random.whole(1, 28))}`;
const phone = (random: Random) => `03${pad(random.whole(0, 49))} 5${random.whole(100_000, 999_999)}`;

/** About a third are compound names. */
function firstName(random: Random, gender: 'M' | 'F'): string {
  const name = random.pickSkewed(gender === 'F' ? FIRST_NAMES_F : FIRST_NAMES_M);
  const kind = random.next();
  if (kind < 0.14) return `${random.pickSkewed(NAME_PREFIXES[gender])} ${name}`;
  if (kind < 0.36) return `${name} ${random.pickSkewed(NAME_SUFFIXES[gender])}`;
  return name;
}

/** @param joined year in which the student joined; by default a random one of the current intakes */
export function buildStudent(
  random: Random,
  id: string,
  overrides: Partial<StudentInput> = {},
  joined = LATEST_INTAKE - random.whole(0, CURRENT_INTAKES - 1),
): StudentInput {
  const gender = random.chance(0.38) ? 'F' : 'M';
  const yearsIn = LATEST_INTAKE - joined;
  const ability = random.normal(0, 1);
  const schoolMarks = () =>
    Math.round(Math.min(1088, Math.max(640, 950 + 60 * ability + random.normal(0, 35))));
  return {
    id,
    first_name: firstName(random, gender),
    last_name: random.pickSkewed(LAST_NAMES),
    dob: dateIn(random, joined - random.whole(18, 20)),
    joining_date: `${joined}-09-${pad(random.whole(1, 15))}`,
    phone_number: phone(random),
    gender,
    fsc_marks: schoolMarks(),
    fsc_year: joined,
    fsc_div: random.chance(0.9) ? 1 : 2,
    matric_marks: schoolMarks(),
    matric_year: joined - 2,
    matric_div: random.chance(0.94) ? 1 : 2,
    current_sem: Math.min(SEMESTER_COUNT, yearsIn * 2 + random.whole(1, 2)),
    department: random.pick(DEPARTMENT_CODES),
    degree: toDegree(joined),
    syn: random.pick(SYNDICATES),
    reason: random.chance(0.06)
      ? 'Medical leave in the second semester; attendance condoned by the dean.'
      : null,
    img: null,
    ...overrides,
  };
}

export function buildFamily(random: Random, student: Pick<StudentInput, 'id' | 'last_name'>): FamilyInput {
  return {
    student_id: student.id,
    father_name: `${firstName(random, 'M')} ${student.last_name}`,
    father_occupation: random.pick(OCCUPATIONS),
    mother_name: random.chance(0.9) ? `${firstName(random, 'F')} ${student.last_name}` : null,
    mother_occupation: random.chance(0.7) ? random.pick(OCCUPATIONS) : null,
    number_siblings: random.whole(0, 6),
    father_phone: phone(random),
    mother_phone: random.chance(0.5) ? phone(random) : null,
    home_phone: random.chance(0.4) ? `051 555 0${random.whole(100, 999)}` : null,
    address: `House ${random.whole(1, 240)}, Street ${random.whole(1, 60)}, ${random.pick(STREETS)}`,
  };
}

interface Taught {
  id: number | null;
  name: string;
  credits: number;
}

const taught = new Map<string, Taught[]>();

/** The courses of a department's semester. */
function taughtIn(department: Department, semester: number): Taught[] {
  const key = `${department} ${semester}`;
  const known = taught.get(key) ?? findTaught(department, semester);
  taught.set(key, known);
  return known;
}

function findTaught(department: Department, semester: number): Taught[] {
  const listed = CATALOGUE.filter((one) => one.semester === semester && one.departments.includes(department));
  const unlisted = (UNLISTED[semester - 1] ?? []).map((one) => ({ id: null, ...one }));
  return [...listed, ...unlisted].slice(0, SLOTS.length);
}

/**
 * Results of a semester.
 *
 * @param ability of the student in standard deviations from the mean
 */
export function buildSemester(
  random: Random,
  student: Pick<StudentInput, 'id' | 'department'>,
  semester: number,
  ability: number,
): SemesterInput {
  const subjects = taughtIn(student.department, semester).flatMap(
    ({ id, name, credits }, i): SlotSubject[] => {
      const slot = SLOTS[i];
      if (slot === undefined) return [];
      return [{ slot, title: name, id, credit: credits, grade: randomGradePoints(random, ability) }];
    },
  );
  return { student_id: student.id, semester, ...writeSlots(subjects) };
}

/** @param ability of the student in standard deviations from the mean */
export function randomGradePoints(random: Random, ability: number): number {
  // The middle of the scale (B) for the mean; a step of the scale for two thirds of a deviation.
  const place = Math.round(2.2 - 1.5 * ability + random.normal(0, 1.1));
  return gradePoints(GRADE_LETTERS[Math.min(GRADE_LETTERS.length - 1, Math.max(0, place))] ?? 'B');
}

export const buildCourse = ({ id, code, name, credits }: SeedCourse): CourseInput => ({
  course_id: id,
  course_code: code,
  course_name: name,
  course_description: `${name}: lectures, tutorials and a final examination.`,
  credits,
});

/** Marks from 0 to 100 in steps of 0.5. */
export function buildMarks(random: Random, count: number, mean: number): number[] {
  return Array.from({ length: count }, () => {
    const mark = Math.round(random.normal(mean, 17) * 2) / 2;
    return Math.min(100, Math.max(0, mark));
  });
}
