import type { SemesterInput } from '../../contract/academics.ts';
import type { FamilyInput } from '../../contract/family.ts';
import type { StudentInput } from '../../contract/students.ts';
import { buildFamily, buildSemester, buildStudent, CURRENT_INTAKES, LATEST_INTAKE } from './builders.ts';
import type { Random } from './random.ts';

export interface Invented {
  student: StudentInput;
  /** Null where the entry ended with the base record. */
  family: FamilyInput | null;
  /** In order, from the first. */
  semesters: SemesterInput[];
}

/** Parts of all students whose entry was left off: after the base record, or with results still to be entered. */
const LEFT_OFF = { afterBase: 0.01, beforeResults: 0.015 };

/** A student with family and results; one in forty half-entered, as in life. */
export function inventStudent(random: Random, id: string, joined: number): Invented {
  const student = buildStudent(random, id, {}, joined);
  if (random.chance(LEFT_OFF.afterBase)) return { student, family: null, semesters: [] };
  const ability = random.normal(0, 0.7);
  const recorded = recordedOf(random, student.current_sem, LATEST_INTAKE - joined >= CURRENT_INTAKES);
  return {
    student,
    family: buildFamily(random, student),
    semesters: Array.from({ length: recorded }, (_, i) => buildSemester(random, student, i + 1, ability)),
  };
}

function recordedOf(random: Random, currentSemester: number, isOver: boolean): number {
  if (random.chance(LEFT_OFF.beforeResults)) return Math.max(0, currentSemester - random.whole(2, 4));
  // Results of the current semester are still to come for most; those whose degree is over have them all.
  return isOver || random.chance(0.2) ? currentSemester : currentSemester - 1;
}

/** Gaps between the numbers of one intake. */
const WIDEST_GAP = 9;

/**
 * Registration numbers of intakes of one size, in ascending order: the year, then a number within it.
 *
 * @param intakes how many there were, one a year, up to the latest
 */
export function* registrationNumbers(
  random: Random,
  { students, intakes }: { students: number; intakes: number },
): Generator<{ id: string; joined: number }> {
  const digits = String(Math.ceil(students / intakes) * WIDEST_GAP).length;
  let number = 0;
  let last = 0;
  for (let i = 0; i < students; i += 1) {
    const joined = LATEST_INTAKE - intakes + 1 + Math.floor((i * intakes) / students);
    if (joined !== last) number = 0;
    last = joined;
    number += random.whole(1, WIDEST_GAP);
    yield { id: `${joined}${String(number).padStart(digits, '0')}`, joined };
  }
}
