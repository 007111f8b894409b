import { DEPARTMENT_CODES, type Department, SEMESTER_COUNT, SYNDICATES } from '../../domain/student.ts';
import type { Random } from './random.ts';

/* Who is registered in which class of the sample faculty. */

/** The year in which the current first semester joined. It is the autumn of that year. */
export const LATEST_INTAKE = 2026;
/** Number of intakes that are still studying. */
export const CURRENT_INTAKES = SEMESTER_COUNT / 2;
/** The year of degree 1; degree 48 joined in 2026. */
export const FIRST_INTAKE = 1979;

export const toDegree = (joined: number): string => String(joined - FIRST_INTAKE + 1);
const toJoined = (degree: string): number => FIRST_INTAKE - 1 + Number(degree);

/** The semester in which an intake is in the autumn of the latest one. Those who joined earlier have ended with the last one. */
export const currentSemester = (joined: number): number =>
  Math.min(SEMESTER_COUNT, (LATEST_INTAKE - joined) * 2 + 1);

/** The same as {@link currentSemester}, by degree (batch). */
export const currentSemesterOf = (degree: string): number => currentSemester(toJoined(degree));

export interface Registration {
  id: string;
  /** Year in which the student joined. */
  joined: number;
  department: Department;
  syn: (typeof SYNDICATES)[number];
  /** Whether the class is the first one of its intake. */
  isFirstClass: boolean;
  /** Students of the class. */
  classSize: number;
}

/** Size of a class that a small faculty aims at. */
const CLASS_SIZE = 41;
/** Largest gap between the numbers of one intake. */
const MAX_GAP = 9;

/**
 * Registrations by ascending ID (as text). A class has about 41 students; only where four departments are not enough for the students
 * of an intake, more. Numbers within a year are not padded, so the IDs of a class have different lengths.
 *
 * @param intakes number of intakes, one a year, up to the latest
 */
export function* register(
  random: Random,
  { students, intakes }: { students: number; intakes: number },
): Generator<Registration> {
  const most = DEPARTMENT_CODES.length * intakes;
  const classes = Math.min(most, Math.max(intakes, Math.round(students / CLASS_SIZE)));
  for (let intake = 0; intake < intakes; intake += 1) {
    const first = Math.floor((intake * classes) / intakes);
    const last = Math.floor(((intake + 1) * classes) / intakes);
    const joined = LATEST_INTAKE - intakes + 1 + intake;
    const registered: Registration[] = [];
    let number = 0;
    const size = countUpTo(last) - countUpTo(first);
    const departments = last - first;
    for (let i = 0; i < size; i += 1) {
      number += random.whole(1, MAX_GAP);
      // As they come, students are assigned to the departments in turn, and within each to the syndicates in blocks.
      const place = Math.floor(i / departments);
      const classSize = Math.ceil((size - (i % departments)) / departments);
      registered.push({
        id: `${joined}${number}`,
        joined,
        department: DEPARTMENT_CODES[(first + (i % departments)) % DEPARTMENT_CODES.length] ?? 'EE',
        syn: SYNDICATES[Math.floor((place * SYNDICATES.length) / classSize)] ?? 'A',
        isFirstClass: i % departments === 0,
        classSize,
      });
    }
    yield* registered.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Students of the first classes. */
  function countUpTo(classCount: number): number {
    return Math.floor((classCount * students) / classes);
  }
}
