import type {
  CgpaExplanation,
  CgpaLine,
  PlanReply,
  StandingReply,
} from '../../../contract/grading/grading.ts';
import { planCgpa } from '../../../domain/grading/degree.ts';
import {
  average,
  type GpaSums,
  gradeLetter,
  roundHalfUp,
  toGradePoints,
} from '../../../domain/grading/gpa.ts';
import {
  attemptedCredits,
  type CountedSubject,
  countSubjects,
  earnedCredits,
  type RecordedSubject,
  sumCounted,
} from '../../../domain/grading/repeat-policy.ts';
import { answerStandings } from '../../../domain/grading/standing.ts';
import type { Db } from '../../db/schema.ts';
import { invalidField } from '../../errors.ts';
import { noSuchStudent } from '../former-ids.ts';
import { findResultParts, type GradedParts, semesterTuples, subjectTuples } from '../queries.ts';
import { parseEquivalents } from './equivalents.ts';
import { toStandingFacts } from './notified-standing.ts';
import { findOpenResults } from './open-results.ts';
import { type AppliedPolicy, parseRules } from './policies.ts';
import { toFigures } from './standing-facts.ts';

type Subject = RecordedSubject & { title: string };

/** The results of a student and the policy by which the stored averages were computed. */
export interface GradedResults {
  policy: AppliedPolicy;
  /** Semesters that are recorded, with those before the entry. */
  recorded: number;
  /** The semesters from the entry on, in order. */
  semesters: number[];
  /** The subjects in the order of semester and slot. */
  subjects: Subject[];
  /** Credit hours from elsewhere. */
  creditsOutside: number;
}

/** @throws AppError not-found when there is no such student */
async function readResults(db: Db, id: string): Promise<GradedResults> {
  const parts = await findResultParts(db, id);
  if (parts === undefined) throw noSuchStudent();
  return toGradedResults(parts);
}

export function toGradedResults(parts: GradedParts): GradedResults {
  const semesters = semesterTuples(parts);
  const groups = parseEquivalents(parts.equivalents).of(parts.degree);
  return {
    policy: { policy_id: parts.policy_id, rules: parseRules(parts) },
    recorded: semesters.length,
    semesters: semesters.flatMap(([, semester, , , , , is_elsewhere]) =>
      is_elsewhere === 1 ? [] : semester,
    ),
    // A spread would take several times as long.
    subjects: subjectTuples(parts).map(([semester, slot, title, course_id, credits, half_points]) => {
      const points = toGradePoints(half_points);
      if (groups.isEmpty || course_id === null) return { semester, slot, title, course_id, credits, points };
      return { semester, slot, title, course_id, credits, points, counts_as: groups.of(course_id) };
    }),
    creditsOutside: Number(parts.credits_outside),
  };
}

const places = (subjects: readonly RecordedSubject[]) =>
  subjects.map(({ semester, slot }) => ({ semester, slot }));

/** Half-points in parts, as grade points rounded half up to two decimals. */
const toPoints = (halfPoints: number, parts: number) => roundHalfUp(halfPoints, 2 * parts, 2) / 100;

/** Every property by its name: a spread would take most of the time of the call. */
function presentLine({ subject, reason, countedIn, counted }: CountedSubject<Subject>): CgpaLine {
  const { semester, slot, course_id, title, credits, points } = subject;
  return {
    semester,
    slot,
    course_id,
    title,
    credits,
    letter: points === null ? null : (gradeLetter(points) ?? null),
    points,
    points_counted: counted && toPoints(counted.halfPoints, counted.parts),
    quality_points: counted && toPoints((credits ?? 0) * counted.halfPoints, counted.parts),
    counted: counted !== null,
    reason,
    counted_in: countedIn && { semester: countedIn.semester, slot: countedIn.slot },
  };
}

/** A quotient with four decimals, half up. */
const quotientText = ({ credits, halfPoints, parts = 1 }: GpaSums) =>
  (roundHalfUp(halfPoints, 2 * credits * parts, 4) / 10_000).toFixed(4);

/**
 * How the CGPA after a semester is computed, line by line.
 *
 * @param semester the latest recorded one if undefined
 * @throws AppError not-found, ValidationError on `semester` when it is not recorded
 */
export async function explainCgpa(
  db: Db,
  id: string,
  semester: number | undefined,
): Promise<CgpaExplanation> {
  const { policy, semesters, subjects, creditsOutside } = await readResults(db, id);
  const latest = semesters.at(-1) ?? null;
  if (semester !== undefined && !semesters.includes(semester)) {
    throw invalidField('semester', `Semester ${semester} has not been recorded.`);
  }
  const shown = semester ?? latest;
  const { repeat_policy } = policy.rules;
  const taken = subjects.filter((subject) => subject.semester <= (shown ?? 0));
  const lines = countSubjects(taken, repeat_policy);
  const sums = sumCounted(lines);
  const isCounted = sums.credits > 0;
  return {
    policy_id: policy.policy_id,
    repeat_policy,
    semester: shown,
    lines: lines.map(presentLine),
    credits_attempted: attemptedCredits(taken),
    credits_earned: earnedCredits(taken, repeat_policy),
    credits_outside: creditsOutside,
    credits_counted: sums.credits,
    quality_points: toPoints(sums.halfPoints, sums.parts),
    quotient: isCounted ? quotientText(sums) : null,
    cgpa: isCounted ? average(sums) : null,
    not_linked: places(taken.filter(({ points, course_id }) => points !== null && course_id === null)),
  };
}

/** The academic standing after each semester. */
export async function readStanding(db: Db, id: string): Promise<StandingReply> {
  const parts = await findResultParts(db, id);
  if (parts === undefined) throw noSuchStudent();
  const { policy_id } = parts;
  const facts = toStandingFacts(parts);
  const standings = answerStandings(facts.map(toFigures), { policy_id, rules: parseRules(parts) });
  const isOpen = facts.some(({ is_provisional, ungraded }) => is_provisional === 1 || ungraded.length > 0);
  // Most records are final and complete, so they need no second query.
  const open = isOpen ? await findOpenResults(db, id) : undefined;
  const latest = standings.findLast((one) => one.standing !== null);
  return {
    policy_id: latest?.policy_id ?? policy_id,
    standing: latest?.standing ?? null,
    clause: latest?.clause ?? null,
    ...(latest?.now && { now: latest.now }),
    semesters: facts.map(({ semester, sgpa, cgpa, credits, is_provisional, ungraded }, i) => {
      const told = standings[i];
      return {
        semester,
        sgpa: sgpa / 100,
        cgpa: cgpa / 100,
        standing: told?.standing ?? null,
        clause: told?.clause ?? null,
        policy_id: told?.policy_id ?? policy_id,
        ...(told?.now && { now: told.now }),
        provisional: is_provisional === 1,
        waiting_for: is_provisional === 1 ? (open?.getWaitingFor(semester) ?? []) : [],
        ungraded: ungraded.map(({ slot, course_id }) => ({
          slot,
          status: open?.findUngraded({ semester, slot, course_id, points: null }) ?? null,
        })),
        credits,
      };
    }),
  };
}

/** Computes the mean that is needed for a target CGPA. */
export async function planFor(
  db: Db,
  id: string,
  asked: { target?: number | undefined; credits?: number | undefined },
): Promise<PlanReply> {
  const { policy, subjects, creditsOutside } = await readResults(db, id);
  const { repeat_policy, degree_cgpa, degree_credits } = policy.rules;
  const sums = sumCounted(countSubjects(subjects, repeat_policy));
  const target = asked.target ?? degree_cgpa;
  const left =
    asked.credits ?? Math.max(0, degree_credits - creditsOutside - earnedCredits(subjects, repeat_policy));
  return {
    credits_done: sums.credits,
    quality_points: toPoints(sums.halfPoints, sums.parts),
    cgpa: sums.credits === 0 ? null : average(sums),
    target,
    credits_left: left,
    ...planCgpa(sums, target, left),
  };
}
