import type { SemesterInput } from '../../contract/students/academics.ts';
import type { StudentInput } from '../../contract/students/students.ts';
import { readSlots, SLOTS, type SlotSubject, writeSlots } from '../../contract/students/subject-slots.ts';
import { gradePoints } from '../../domain/grading/gpa.ts';
import { SEMESTER_COUNT } from '../../domain/student.ts';
import { buildSemester, randomGradePoints } from './builders.ts';
import { plannedElectives } from './catalogue.ts';
import { type Random, seededRandom, seedFrom } from './random.ts';

/** A subject of a semester; without a grade until one is invented. */
type Planned = Omit<SlotSubject, 'slot' | 'grade'> & Partial<Pick<SlotSubject, 'grade'>>;

/** Semesters until a course is offered again. */
const UNTIL_REPEAT = 2;
/** Most courses that are repeated in one semester. */
const MAX_REPEATS = 2;
/** Chances that a failed course is repeated, and one passed below C. */
const REPEAT_CHANCE = { failed: 0.8, weak: 0.35 };

/**
 * Results of the first semesters of a student. Most failed courses, and some passed below C, are repeated a year later. Some students who have results
 * of all semesters have taken the full plan.
 *
 * @param ability of the student in standard deviations from the mean
 */
export function inventResults(
  random: Random,
  student: Pick<StudentInput, 'id' | 'department'>,
  { recorded, ability, mayTakeFullPlan }: { recorded: number; ability: number; mayTakeFullPlan: boolean },
): SemesterInput[] {
  // Random numbers of its own: each further one of the sequence would change all records after it.
  const own = seededRandom(seedFrom(`${student.id} results`));
  const isFullPlan = mayTakeFullPlan && recorded === SEMESTER_COUNT && own.chance(0.7);
  const repeatable: (Planned & { semester: number })[] = [];
  return Array.from({ length: recorded }, (_, i) => {
    const semester = i + 1;
    const built = buildSemester(random, student, semester, ability);
    const subjects = readSlots(built);
    const taken = isFullPlan ? fillPlan(subjects, semester) : subjects;
    const repeated = repeatable
      .filter((one) => one.semester + UNTIL_REPEAT <= semester)
      .slice(0, MAX_REPEATS);
    for (const one of repeated) repeatable.splice(repeatable.indexOf(one), 1);

    const planned = [...taken, ...repeated].slice(0, SLOTS.length);
    const results = planned.flatMap((one, at): SlotSubject[] => {
      const slot = SLOTS[at];
      const grade = one.grade === undefined ? randomGradePoints(own, ability + 0.5) : one.grade;
      return slot === undefined ? [] : [{ slot, title: one.title, id: one.id, credit: one.credit, grade }];
    });
    for (const { title, id, credit, grade } of results) {
      if (id === null || grade === null || grade >= gradePoints('C')) continue;
      if (own.chance(grade === 0 ? REPEAT_CHANCE.failed : REPEAT_CHANCE.weak))
        repeatable.push({ title, id, credit, semester });
    }
    return results.length === subjects.length && !isFullPlan ? built : { ...built, ...writeSlots(results) };
  });
}

/** The subjects of the semester that are courses of the catalogue, and electives up to the credit hours of the plan. */
function fillPlan(subjects: readonly SlotSubject[], semester: number): Planned[] {
  const taken: Planned[] = subjects.filter(({ id }) => id !== null);
  const known = taken.map(({ credit }) => ({ credits: credit ?? 0 }));
  for (const { id, name, credits } of plannedElectives(semester, known))
    taken.push({ title: name, id, credit: credits });
  return taken;
}
