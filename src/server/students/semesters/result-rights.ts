import type { Role } from '../../../contract/accounts/accounts.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { Policies } from '../grading/policies.ts';
import { getCourseKey, isSameSubjects, type Subject } from '../semester-slots.ts';
import type { ProtectedSlot } from './protected-slots.ts';
import type { UnrecordedResult } from './unrecorded-results.ts';

/** The right by which results are changed: a confirmed mark sheet, or a person or program with this role. */
export type ResultRight = 'mark-sheet' | { role: Role; reason: string | null };

/** Facts that decide who may change the results of a student. */
interface Owner {
  student: { degree: string };
  protectedSlots: readonly ProtectedSlot[];
  unrecorded: readonly UnrecordedResult[];
  policies: Policies;
}

/** The subjects of a semester before a change and after it; none where it is not recorded. */
interface SubjectsChange {
  semester: number;
  before: readonly Subject[];
  after: readonly Subject[];
}

/** Why a change of a semester is an administrator's, with a reason, as a sentence; undefined where it is anybody's. */
export function needsReasonText(
  { student, protectedSlots, unrecorded, policies }: Owner,
  { semester, before, after }: SubjectsChange,
): string | undefined {
  if (isSameSubjects(before, after)) return undefined;
  const written = [...protectedSlots, ...unrecorded].find((one) => one.semester === semester);
  if (written !== undefined) return finalText(written);
  const { degree } = student;
  return policies.of(degree).rules.sheets_only && !isSameGrades(before, after)
    ? sheetsOnlyText(degree)
    : undefined;
}

const finalText = ({ semester, sheet_id }: UnrecordedResult) =>
  `Semester ${semester} has results of mark sheet ${sheet_id}. An administrator changes it, with a reason.`;

const sheetsOnlyText = (degree: string) => `Grades of batch ${degree} come from mark sheets.`;

/** Whether the same courses have the same grades and credit hours, in whatever slots. */
function isSameGrades(some: readonly Subject[], others: readonly Subject[]): boolean {
  const toText = (subjects: readonly Subject[]) =>
    subjects
      .filter(({ half_points }) => half_points !== null)
      .map((subject) => JSON.stringify([getCourseKey(subject), subject.credits, subject.half_points]))
      .sort()
      .join();
  return toText(some) === toText(others);
}

/**
 * @param text of {@link needsReasonText}
 * @returns the reason, for the entry in the history
 * @throws AppError forbidden for anybody but an administrator; ValidationError on `reason` without one
 */
export function requireReason(right: ResultRight, text: string): string | null {
  if (right === 'mark-sheet') return null;
  if (right.role !== 'admin') throw new AppError('forbidden', text);
  if (right.reason === null) throw invalidField('reason', 'The reason field is required.');
  return right.reason;
}
