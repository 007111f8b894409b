import type { RepeatPolicy } from '../grading/policy.ts';
import { attemptsThatCount, type RecordedSubject } from '../grading/repeat-policy.ts';
import type { CourseState } from './assignment.ts';
import type { CourseGroups } from './equivalents.ts';

/** A subject of a recorded semester. */
export interface Attempt extends RecordedSubject {
  title: string;
}

/** A row of a draft or submitted mark sheet that will bring a grade. */
export interface SheetEntry {
  sheet_id: number;
  course_id: number;
  title: string;
  credits: number;
  semester: number;
}

/** What stands for a course in a row of a scheme. */
export type Filling =
  | { kind: 'attempt'; attempt: Attempt & { course_id: number } }
  | { kind: 'sheet'; sheet: SheetEntry };

/** A course that was taken, or several that count as one. */
export interface TakenCourse {
  /** The name of the group. */
  group: number;
  state: CourseState;
  filling: Filling;
  /** Its attempts have no credit hours, so it fills rows of 0 credit hours only. */
  isWithoutCredits: boolean;
}

type Graded = Attempt & { course_id: number; points: number };

const isGraded = (attempt: Attempt): attempt is Graded =>
  attempt.course_id !== null && attempt.points !== null;
const hasCredits = ({ credits }: Graded) => credits !== null;

const byPlace = (a: RecordedSubject, b: RecordedSubject) => a.semester - b.semester || a.slot - b.slot;

/** The passed attempt that counts by the repeat policy: the better grade, then the earlier one; undefined if none does. */
const findPassed = (attempts: readonly Graded[], policy: RepeatPolicy): Graded | undefined =>
  attemptsThatCount(attempts, policy)
    .filter(({ points }) => points > 0)
    .toSorted((a, b) => b.points - a.points || byPlace(a, b))[0];

/** The state of a course by its graded attempts, in order; undefined without any. */
function judge(attempts: readonly Graded[], policy: RepeatPolicy) {
  const passed = attempts.length === 0 ? undefined : findPassed(attempts, policy);
  const last = attempts.findLast(({ points }) => points === 0);
  if (passed !== undefined) return { state: 'passed', attempt: passed } as const;
  return last && ({ state: 'failed', attempt: last } as const);
}

/**
 * The courses that a student has taken, as they may fill rows: by state, then the better grade, the earlier attempt, the smaller
 * course id.
 *
 * @param entries on mark sheets that are not confirmed and rectify no other one
 */
export function listTakenCourses(
  attempts: readonly Attempt[],
  entries: readonly SheetEntry[],
  { groups, policy }: { groups: CourseGroups; policy: RepeatPolicy },
): TakenCourse[] {
  const taken = new Map<number, { graded: Graded[]; sheets: SheetEntry[] }>();
  const getGroup = (courseId: number) => {
    const group = groups.of(courseId);
    const found = taken.get(group) ?? { graded: [], sheets: [] };
    taken.set(group, found);
    return found;
  };
  for (const attempt of attempts) if (isGraded(attempt)) getGroup(attempt.course_id).graded.push(attempt);
  for (const entry of entries) getGroup(entry.course_id).sheets.push(entry);
  const courses = [...taken].flatMap(([group, { graded, sheets }]): TakenCourse[] => {
    graded.sort(byPlace);
    const credited = judge(graded.filter(hasCredits), policy);
    const judged = credited ?? judge(graded, policy);
    const isWithoutCredits = credited === undefined;
    if (judged !== undefined && (judged.state === 'passed' || sheets.length === 0)) {
      const { state, attempt } = judged;
      return [{ group, state, filling: { kind: 'attempt', attempt }, isWithoutCredits }];
    }
    const [sheet] = sheets.sort((a, b) => a.semester - b.semester || a.sheet_id - b.sheet_id);
    if (sheet === undefined) return [];
    return [{ group, state: 'in-progress', filling: { kind: 'sheet', sheet }, isWithoutCredits: false }];
  });
  return courses.toSorted(compareTaken);
}

const STATE_ORDER: Readonly<Record<CourseState, number>> = { passed: 0, 'in-progress': 1, failed: 2 };

function compareTaken(a: TakenCourse, b: TakenCourse): number {
  const states = STATE_ORDER[a.state] - STATE_ORDER[b.state];
  if (states !== 0) return states;
  const [one, other] = [toOrder(a.filling), toOrder(b.filling)];
  return other.points - one.points || one.semester - other.semester || one.at - other.at || one.id - other.id;
}

const toOrder = (filling: Filling) =>
  filling.kind === 'attempt'
    ? {
        points: filling.attempt.points ?? 0,
        semester: filling.attempt.semester,
        at: filling.attempt.slot,
        id: filling.attempt.course_id,
      }
    : {
        points: 0,
        semester: filling.sheet.semester,
        at: filling.sheet.sheet_id,
        id: filling.sheet.course_id,
      };
