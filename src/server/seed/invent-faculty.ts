import type { CourseInput } from '../../contract/courses.ts';
import type { SemesterInput } from '../../contract/students/academics.ts';
import type { FamilyInput, StudentInput } from '../../contract/students/students.ts';
import { SEMESTER_COUNT, type Status } from '../../domain/student.ts';
import type { StatusColumns } from '../students/write-student.ts';
import { buildCourse, buildFamily, buildMarks, buildStudent } from './builders.ts';
import { CATALOGUE } from './catalogue.ts';
import { firstExaminedSemester } from './examinations/plan.ts';
import { inventResults } from './invent-results.ts';
import { RARE_NAMES } from './names.ts';
import { type Random, seededRandom, seedFrom } from './random.ts';
import {
  CURRENT_INTAKES,
  currentSemester,
  LATEST_INTAKE,
  type Registration,
  register,
} from './registration.ts';

/** Version of the generator. Increase it when the same options generate another faculty: older ones cannot be reproduced. */
export const GENERATOR = 4;

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
  for (const registration of register(random, size)) yield generateStudent(random, registration);
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
  /** The semesters in order, from the first. */
  semesters: SemesterInput[];
}

/** Share of incomplete entries: after the base record, or with missing results. */
const INCOMPLETE = { afterBase: 0.01, beforeResults: 0.015 };
/** Share of the students who are a year behind their class. */
const BEHIND = 0.02;
/** One in so many has a name of the list of rare ones. */
const RARE_NAME = 40;

/** A student with family and results; one in forty entries is incomplete. */
export function generateStudent(random: Random, registration: Registration): GeneratedStudent {
  const { id, joined, department, syn } = registration;
  const own = seededRandom(seedFrom(id));
  const isOver = LATEST_INTAKE - joined >= CURRENT_INTAKES;
  const regular = currentSemester(joined);
  const isBehind = !isOver && regular > 2 && own.chance(BEHIND);
  // Mark sheets record the semesters of their classes, which move on with each term.
  const inClass = Math.min(regular, firstExaminedSemester(registration));
  const current_sem = isBehind ? regular - 2 : inClass;
  const built = buildStudent(random, id, { department, syn, current_sem }, joined);
  const student =
    own.whole(1, RARE_NAME) === 1
      ? { ...built, ...seededRandom(seedFrom(`name ${id}`)).pick(RARE_NAMES[built.gender ?? 'M']) }
      : built;
  if (random.chance(INCOMPLETE.afterBase)) {
    return { student, status: inventStatus(student, joined, 0), family: null, semesters: [] };
  }
  const ability = random.normal(0, 0.7);
  const recorded = countRecorded(random, current_sem, isOver);
  // The latest graduates have studied what a degree requires.
  const mayTakeFullPlan = LATEST_INTAKE - joined === CURRENT_INTAKES;
  return {
    student,
    status: inventStatus(student, joined, recorded),
    family: buildFamily(random, student),
    semesters: inventResults(random, student, { recorded, ability, mayTakeFullPlan }),
  };
}

/** Former students have graduated or left; of the others, few are not studying. */
function inventStatus({ id }: StudentInput, joined: number, recorded: number): StatusColumns {
  // Random numbers of its own: each further one of the sequence would change all records after it.
  const random = seededRandom(seedFrom(id));
  const isOver = LATEST_INTAKE - joined >= CURRENT_INTAKES;
  const year = isOver ? joined + CURRENT_INTAKES : LATEST_INTAKE;
  const since = (status: Status, status_reason: string | null) => ({
    status,
    status_date: `${year}-0${random.whole(1, 6)}-${random.whole(10, 28)}`,
    status_reason,
  });
  if (recorded === SEMESTER_COUNT && random.chance(0.96)) return since('graduated', null);
  const chance = random.next() * (isOver ? 0.1 : 1);
  if (joined === LATEST_INTAKE || chance > 0.1)
    return { status: 'active', status_date: null, status_reason: null };
  if (chance > 0.05 && !isOver) return since('on-leave', random.pick(['Medical leave', 'Internship abroad']));
  if (chance > 0.02) return since('withdrawn', random.pick(['At own request', 'Did not return from leave']));
  return since('transferred', 'To another university');
}

function countRecorded(random: Random, currentSemester: number, isOver: boolean): number {
  if (random.chance(INCOMPLETE.beforeResults)) return Math.max(0, currentSemester - random.whole(2, 4));
  // Those who study have no results of the current semester yet; graduates have all.
  return isOver ? currentSemester : currentSemester - 1;
}
