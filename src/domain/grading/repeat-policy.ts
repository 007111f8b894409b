import { average, type GpaSums, type GradedSubject, gpaSums, type SemesterGpa } from './gpa.ts';
import type { RepeatPolicy } from './policy.ts';

/** A subject of a recorded semester. Equal course ids are attempts of one course; without an id it is a course of its own. */
export interface RecordedSubject extends GradedSubject {
  /** 1 to 8. */
  semester: number;
  /** 1 to 10. */
  slot: number;
  course_id: number | null;
  /** The course as whose attempts those of its equivalents count; by default the course itself. */
  counts_as?: number | null;
}

/** The course whose attempt a subject is; null for a subject without a course id. */
export const attemptedCourse = ({ course_id, counts_as }: RecordedSubject): number | null =>
  counts_as ?? course_id;

/** Why a subject does not count: it has no grade, no credit hours, or another attempt of the course counts instead. */
export type ReasonNotCounted = 'no-grade' | 'no-credits' | 'repeated';

/** A subject, and its contribution to the CGPA. */
export interface CountedSubject<Subject extends RecordedSubject> {
  subject: Subject;
  reason: ReasonNotCounted | null;
  /** The attempt that counts instead of a repeated one. */
  countedIn: Subject | null;
  /** Half-points that count per credit hour, in `parts` of a half-point; null when the subject does not count. */
  counted: { halfPoints: number; parts: number } | null;
}

type Weighted<Subject> = Subject & { credits: number; points: number };

const hasWeight = <Subject extends GradedSubject>(subject: Subject): subject is Weighted<Subject> =>
  subject.credits !== null && subject.points !== null;

/** Orders subjects by semester and slot. */
const inOrder = (a: RecordedSubject, b: RecordedSubject) => a.semester - b.semester || a.slot - b.slot;

/** The attempts of each course, in order. */
function groupAttempts<Subject extends RecordedSubject>(subjects: readonly Subject[]): Weighted<Subject>[][] {
  const courses = new Map<number, Weighted<Subject>[]>();
  const alone: Weighted<Subject>[][] = [];
  for (const subject of subjects.filter(hasWeight).toSorted(inOrder)) {
    const course = attemptedCourse(subject);
    const attempts = course === null ? undefined : courses.get(course);
    if (attempts !== undefined) attempts.push(subject);
    else if (course === null) alone.push([subject]);
    else courses.set(course, [subject]);
  }
  return [...courses.values(), ...alone];
}

/**
 * The attempts of each course whose repeats matter. A course with one attempt counts in the same way under each policy, and
 * most have one.
 */
const coursesWithRepeats = <Subject extends RecordedSubject>(
  subjects: readonly Subject[],
  policy: RepeatPolicy,
): Weighted<Subject>[][] =>
  policy === 'all' ? [] : groupAttempts(subjects).filter(({ length }) => length > 1);

/** The attempts of one course that count under a policy. Of equally good ones the later counts. */
export function attemptsThatCount<Attempt extends GradedSubject & { points: number }>(
  attempts: readonly Attempt[],
  policy: RepeatPolicy,
): readonly Attempt[] {
  if (policy === 'all') return attempts;
  if (policy === 'best') {
    const highest = Math.max(...attempts.map(({ points }) => points));
    return attempts.filter(({ points }) => points === highest).slice(-1);
  }
  return attempts.slice(-1);
}

type Counted = CountedSubject<RecordedSubject>['counted'];

/** The contribution of each attempt of one course that counts. */
function countAttempts<Subject extends RecordedSubject>(
  attempts: readonly Weighted<Subject>[],
  policy: RepeatPolicy,
): { subject: Weighted<Subject>; counted: NonNullable<Counted> }[] {
  const mean =
    policy === 'average'
      ? { halfPoints: attempts.reduce((sum, { points }) => sum + 2 * points, 0), parts: attempts.length }
      : undefined;
  return attemptsThatCount(attempts, policy).map((subject) => ({
    subject,
    counted: mean ?? { halfPoints: 2 * subject.points, parts: 1 },
  }));
}

/**
 * The contribution of each subject to the CGPA after the last of them. An attempt that counts brings its own credit hours.
 *
 * @param subjects of all semesters up to the one that the CGPA is for
 * @returns in the order of semester and slot
 */
export function countSubjects<Subject extends RecordedSubject>(
  subjects: readonly Subject[],
  policy: RepeatPolicy,
): CountedSubject<Subject>[] {
  const counted = new Map<Subject, NonNullable<Counted>>();
  const countedIn = new Map<Subject, Subject>();
  for (const attempts of coursesWithRepeats(subjects, policy)) {
    const all = countAttempts(attempts, policy);
    for (const one of all) counted.set(one.subject, one.counted);
    const last = all.at(-1)?.subject;
    for (const attempt of attempts) if (last && !counted.has(attempt)) countedIn.set(attempt, last);
  }
  return subjects.toSorted(inOrder).map((subject) => {
    const { points, credits } = subject;
    if (points === null) return { subject, reason: 'no-grade', countedIn: null, counted: null };
    if (credits === null) return { subject, reason: 'no-credits', countedIn: null, counted: null };
    const instead = countedIn.get(subject);
    if (instead !== undefined) return { subject, reason: 'repeated', countedIn: instead, counted: null };
    const own = counted.get(subject) ?? { halfPoints: 2 * points, parts: 1 };
    return { subject, reason: null, countedIn: null, counted: own };
  });
}

const greatestCommonDivisor = (a: number, b: number): number =>
  b === 0 ? a : greatestCommonDivisor(b, a % b);

/** The exact sums of what counts, whose {@link average} is the CGPA. */
export function sumCounted(
  lines: readonly { subject: GradedSubject; counted: Counted }[],
): Required<GpaSums> {
  let [credits, halfPoints, parts] = [0, 0, 1];
  for (const { subject, counted } of lines) {
    if (counted === null) continue;
    const hours = subject.credits ?? 0;
    credits += hours;
    const common = (parts / greatestCommonDivisor(parts, counted.parts)) * counted.parts;
    halfPoints = halfPoints * (common / parts) + hours * counted.halfPoints * (common / counted.parts);
    parts = common;
  }
  return { credits, halfPoints, parts };
}

/** Credit hours of every subject with a grade, repeats included. */
export const attemptedCredits = (subjects: readonly GradedSubject[]): number => gpaSums(subjects).credits;

/**
 * Credit hours of the courses passed, each once: those in which an attempt that counts is above F, with the credit hours of
 * the latest attempt above F.
 */
export function earnedCredits(subjects: readonly RecordedSubject[], policy: RepeatPolicy): number {
  return groupAttempts(subjects).reduce((sum, attempts) => {
    const [passed] = attempts.filter(({ points }) => points > 0).slice(-1);
    const isEarned = attemptsThatCount(attempts, policy).some(({ points }) => points > 0);
    return sum + (isEarned ? (passed?.credits ?? 0) : 0);
  }, 0);
}

/**
 * SGPA and CGPA of every semester, in order, from the first. The CGPA after a semester takes account of attempts up to it
 * only, so a later repeat never changes it.
 */
export function gpaStanding(
  semesters: readonly (readonly RecordedSubject[])[],
  policy: RepeatPolicy,
): SemesterGpa[] {
  const repeated = coursesWithRepeats(semesters.flat(), policy);
  const attempts = new Set<RecordedSubject>(repeated.flat());
  const once = { credits: 0, halfPoints: 0 };
  return semesters.map((subjects, i) => {
    const added = gpaSums(subjects.filter((subject) => !attempts.has(subject)));
    once.credits += added.credits;
    once.halfPoints += added.halfPoints;
    const { credits, halfPoints, parts } = sumAttempts(repeated, i + 1, policy);
    const sums = {
      credits: once.credits + credits,
      halfPoints: once.halfPoints * parts + halfPoints,
      parts,
    };
    return { sgpa: average(gpaSums(subjects)), cgpa: average(sums) };
  });
}

/** The exact sums of what counts of these courses after a semester. */
const sumAttempts = (
  courses: readonly (readonly Weighted<RecordedSubject>[])[],
  semester: number,
  policy: RepeatPolicy,
): Required<GpaSums> =>
  sumCounted(
    courses.flatMap((attempts) => {
      const taken = attempts.filter((attempt) => attempt.semester <= semester);
      return taken.length === 0 ? [] : countAttempts(taken, policy);
    }),
  );
