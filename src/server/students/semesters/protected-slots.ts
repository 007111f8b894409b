import { slotFieldNames } from '../../../contract/students/subject-slots.ts';
import { AppError, ValidationError } from '../../errors.ts';
import type { Subject } from '../semester-slots.ts';

/** A slot that a confirmed mark sheet wrote; only a rectification of that sheet changes it. */
export interface ProtectedSlot {
  semester: number;
  slot: number;
  sheet_id: number;
  title: string;
}

/** Why a slot can't be changed, as a sentence. */
export const protectionText = ({ slot, sheet_id, title }: ProtectedSlot) =>
  `Subject ${slot} was written by mark sheet ${sheet_id} (${title}). Only a rectification of that sheet changes it.`;

const PARTS = [
  ['title', 'title'],
  ['course_id', 'id'],
  ['credits', 'credit'],
  ['half_points', 'grade'],
] as const;

/** The fields of protected slots that a change of a semester's subjects would alter, each with the reason. */
function protectionErrors(
  slots: readonly ProtectedSlot[],
  before: readonly Subject[],
  after: readonly Subject[],
): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  for (const one of slots) {
    const [was, is] = [before, after].map((subjects) => subjects.find(({ slot }) => slot === one.slot));
    const names = slotFieldNames(one.slot);
    for (const [part, name] of PARTS) {
      if ((was?.[part] ?? null) !== (is?.[part] ?? null)) errors[names[name]] = [protectionText(one)];
    }
  }
  return errors;
}

/**
 * @param slots of the semester
 * @throws ValidationError on the fields of slots that a mark sheet wrote
 */
export function requireUnprotected(
  slots: readonly ProtectedSlot[],
  before: readonly Subject[],
  after: readonly Subject[],
): void {
  const errors = protectionErrors(slots, before, after);
  if (Object.keys(errors).length > 0) throw new ValidationError(errors);
}

/**
 * @param slots of the semester
 * @throws AppError conflict for a semester with results that a mark sheet wrote
 */
export function requireDeletable([first]: readonly ProtectedSlot[]): void {
  if (first !== undefined) throw new AppError('conflict', protectionText(first));
}
