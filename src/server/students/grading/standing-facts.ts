import type { Selectable } from 'kysely';
import type { PolicyStanding, SemesterFigures } from '../../../domain/grading/standing.ts';
import type { Schema } from '../../db/schema.ts';

/** The columns with the standing of a semester as it was notified. */
export const NOTIFIED_COLUMNS = ['notified_policy', 'notified_standing', 'notified_clause'] as const;
export type NotifiedColumns = Pick<Selectable<Schema['semesters']>, (typeof NOTIFIED_COLUMNS)[number]>;

/** Their values, in this order. */
export type NotifiedTuple = [
  policy: number | null,
  standing: NotifiedColumns['notified_standing'],
  clause: string | null,
];

export const toNotifiedColumns = ([
  notified_policy,
  notified_standing,
  notified_clause,
]: NotifiedTuple): NotifiedColumns => ({ notified_policy, notified_standing, notified_clause });

export const NEVER_NOTIFIED = toNotifiedColumns([null, null, null]);

/**
 * A recorded semester. Averages in hundredths; `graded` counts the subjects with both credit hours and a grade, `fails` those
 * with an F.
 */
export interface SemesterFacts extends NotifiedColumns {
  semester: number;
  sgpa: number;
  cgpa: number;
  graded: number;
  fails: number;
  is_provisional: number;
}

/** A semester as the rules of the standing take it. */
export const toFigures = (facts: SemesterFacts): SemesterFigures & { notified: PolicyStanding | null } => ({
  semester: facts.semester,
  sgpa: facts.sgpa / 100,
  cgpa: facts.cgpa / 100,
  fails: facts.fails,
  isGraded: facts.graded > 0,
  isProvisional: facts.is_provisional === 1,
  notified: toNotified(facts),
});

const toNotified = ({
  notified_policy,
  notified_standing,
  notified_clause,
}: NotifiedColumns): PolicyStanding | null =>
  notified_policy === null
    ? null
    : { policy_id: notified_policy, standing: notified_standing || null, clause: notified_clause };
