import type { CourseInput } from '../../contract/courses.ts';
import type { SemesterInput } from '../../contract/students/academics.ts';
import type { FamilyInput, StudentInput } from '../../contract/students/students.ts';
import { SEMESTER_COUNT, type Status } from '../../domain/student.ts';
import type { StatusColumns } from '../students/write-student.ts';
import {
  buildCourse,
  buildFamily,
  buildMarks,
  buildStudent,
  CURRENT_INTAKES,
  LATEST_INTAKE,
} from './builders.ts';
import { CATALOGUE } from './catalogue.ts';
import { inventResults } from './invent-results.ts';
import { type Random, seededRandom } from './random.ts';

/** Version of the generator. Increase it when the same options generate another faculty: older ones cannot be reproduced. */
export const GENERATOR = 3;

export interface FacultyOptions {
  students: number;
  seed: number;
  /** Number of intakes, one a year, up to the latest. */
  intakes: number;
}

/** Every student of a faculty, in the order of their ids. The same options give the same students. */
export function* inventFaculty({ seed, ...size }: FacultyOptions): Generator<GeneratedStudent> {
  const random = seededRandom(seed);
  // Generated first when the faculty is seeded, so they use up the same random numbers here.
  for (const _ of inventCatalogue(random));
  for (const { id, joined } of registrationNumbers(random, size)) yield generateStudent(random, id, joined);
}

/** The courses of the catalogue, with marks or null. */
export function* inventCatalogue(random: Random): Generator<{ course: CourseInput; marks: number[] | null }> {
  for (const course of CATALOGUE) {
    const marks = course.mean === null ? null : buildMarks(random, random.whole(60, 240), course.mean);
    yield { course: buildCourse(course), marks };
  }
}

export interface GeneratedStudent {
  student: StudentInput;
  status: StatusColumns;
  /** Null if the entry ended with the base record. */
  family: FamilyInput | null;
  /** In order, from the first. */
  semesters: SemesterInput[];
}

/** Share of incomplete entries: after the base record, or with missing results. */
const INCOMPLETE = { afterBase: 0.01, beforeResults: 0.015 };

/** A student with family and results; one in forty entries is incomplete. */
export function generateStudent(random: Random, id: string, joined: number): GeneratedStudent {
  const student = buildStudent(random, id, {}, joined);
  if (random.chance(INCOMPLETE.afterBase)) {
    return { student, status: inventStatus(student, joined, 0), family: null, semesters: [] };
  }
  const ability = random.normal(0, 0.7);
  const isOver = LATEST_INTAKE - joined >= CURRENT_INTAKES;
  const recorded = countRecorded(random, student.current_sem, isOver);
  return {
    student,
    status: inventStatus(student, joined, recorded),
    family: buildFamily(random, student),
    semesters: inventResults(random, student, { recorded, ability, mayTakeFullPlan: !isOver }),
  };
}

/** Former students have graduated or left; of the others, few are not studying. */
function inventStatus({ id }: StudentInput, joined: number, recorded: number): StatusColumns {
  // Random numbers of its own: each further one of the sequence would change all records after it.
  const random = seededRandom(Number(id));
  const isOver = LATEST_INTAKE - joined >= CURRENT_INTAKES;
  const year = isOver ? joined + CURRENT_INTAKES : LATEST_INTAKE;
  const since = (status: Status, status_reason: string | null) => ({
    status,
    status_date: `${year}-0${random.whole(1, 6)}-${random.whole(10, 28)}`,
    status_reason,
  });
  if (recorded === SEMESTER_COUNT && random.chance(isOver ? 0.96 : 0.6)) return since('graduated', null);
  const chance = random.next() * (isOver ? 0.1 : 1);
  if (joined === LATEST_INTAKE || chance > 0.1)
    return { status: 'active', status_date: null, status_reason: null };
  if (chance > 0.05 && !isOver) return since('on-leave', random.pick(['Medical leave', 'Internship abroad']));
  if (chance > 0.02) return since('withdrawn', random.pick(['At own request', 'Did not return from leave']));
  return since('transferred', 'To another university');
}

function countRecorded(random: Random, currentSemester: number, isOver: boolean): number {
  if (random.chance(INCOMPLETE.beforeResults)) return Math.max(0, currentSemester - random.whole(2, 4));
  // Most current students have no results of the current semester yet; graduates have all.
  return isOver || random.chance(0.2) ? currentSemester : currentSemester - 1;
}

/** Largest gap between the numbers of one intake. */
const MAX_GAP = 9;

/**
 * Registration numbers of intakes of equal size, in ascending order: the year, then a number within the year.
 *
 * @param intakes number of intakes, one a year, up to the latest
 */
export function* registrationNumbers(
  random: Random,
  { students, intakes }: { students: number; intakes: number },
): Generator<{ id: string; joined: number }> {
  const digits = String(Math.ceil(students / intakes) * MAX_GAP).length;
  let number = 0;
  let last = 0;
  for (let i = 0; i < students; i += 1) {
    const joined = LATEST_INTAKE - intakes + 1 + Math.floor((i * intakes) / students);
    if (joined !== last) number = 0;
    last = joined;
    number += random.whole(1, MAX_GAP);
    yield { id: `${joined}${String(number).padStart(digits, '0')}`, joined };
  }
}
