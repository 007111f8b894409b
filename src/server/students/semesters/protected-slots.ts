import { slotFieldNames } from '../../../contract/students/subject-slots.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { AppError, ValidationError } from '../../errors.ts';
import type { Subject } from './semester-slots.ts';

/** A slot that a confirmed mark sheet wrote; only a rectification of that sheet changes it. */
export interface ProtectedSlot {
  student_id: string;
  semester: number;
  slot: number;
  sheet_id: number;
  title: string;
}

/** The slots of students that confirmed mark sheets wrote, in all semesters. */
export function findProtectedSlots(db: Db, ids: readonly string[]): Promise<ProtectedSlot[]> {
  return db
    .selectFrom('sheet_results as r')
    .innerJoin('sheets as s', 's.sheet_id', 'r.sheet_id')
    .select(['r.student_id', 'r.semester', 'r.slot', 'r.sheet_id', 's.title'])
    .where('r.student_id', 'in', ids)
    .execute();
}

/** Why a slot can't be changed, as a sentence. */
export const protectionText = ({ slot, sheet_id, title }: Omit<ProtectedSlot, 'student_id' | 'semester'>) =>
  `Subject ${slot} was written by mark sheet ${sheet_id} (${title}). Only a rectification of that sheet changes it.`;

const PARTS = [
  ['title', 'title'],
  ['course_id', 'id'],
  ['credits', 'credit'],
  ['half_points', 'grade'],
] as const;

/** The fields of protected slots that a change of a semester's subjects would alter, each with the reason. */
function protectionErrors(
  slots: readonly Omit<ProtectedSlot, 'student_id' | 'semester'>[],
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

/** @throws ValidationError on the fields of slots that a mark sheet wrote */
export async function requireUnprotected(
  tx: Tx,
  { student_id, semester }: { student_id: string; semester: number },
  before: readonly Subject[],
  after: readonly Subject[],
): Promise<void> {
  const slots = await findProtectedSlots(tx, [student_id]);
  const errors = protectionErrors(
    slots.filter((one) => one.semester === semester),
    before,
    after,
  );
  if (Object.keys(errors).length > 0) throw new ValidationError(errors);
}

/** @throws AppError conflict for a semester with results that a mark sheet wrote */
export async function requireDeletable(tx: Tx, student_id: string, semester: number): Promise<void> {
  const slots = await findProtectedSlots(tx, [student_id]);
  const [first] = slots.filter((one) => one.semester === semester);
  if (first !== undefined) throw new AppError('conflict', protectionText(first));
}
