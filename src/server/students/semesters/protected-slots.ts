import { sql } from 'kysely';
import { slotFieldNames } from '../../../contract/students/subject-slots.ts';
import type { Db } from '../../db/schema.ts';
import { AppError, ValidationError } from '../../errors.ts';
import type { AuthorWithRole } from '../../http/transact-as.ts';
import type { Subject } from '../semester-slots.ts';
import { isOneOf, selectUnrecorded } from './unrecorded-results.ts';

/** A slot that a confirmed mark sheet wrote; only a rectification of that sheet changes it. */
export interface ProtectedSlot {
  semester: number;
  slot: number;
  sheet_id: number;
  title: string;
}

/**
 * The students of these who have results of a confirmed mark sheet, each with a sheet, in their order: deleted ones too, and
 * those whose ID was recorded anew.
 */
export async function findWithSheets(
  db: Db,
  ids: readonly string[],
): Promise<{ student_id: string; sheet_id: number }[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ student_id: string; sheet_id: number }>`
    select student_id, min(sheet_id) as sheet_id from (
      select r.student_id, r.sheet_id from sheet_results r where ${isOneOf(db, ids)}
      union all
      select student_id, sheet_id from (${selectUnrecorded(isOneOf(db, ids))}) u
    ) f group by student_id order by student_id`.execute(db);
  return rows;
}

/**
 * Requires an administrator for deleting students with results that a confirmed mark sheet wrote.
 *
 * @throws AppError forbidden naming the sheet
 */
export async function requireDeletingRight(
  db: Db,
  { role }: Pick<AuthorWithRole, 'role'>,
  ids: readonly string[],
): Promise<void> {
  if (role === 'admin') return;
  const [first] = await findWithSheets(db, ids);
  if (first === undefined) return;
  throw new AppError(
    'forbidden',
    `${ids.length === 1 ? 'This student' : `Student ${first.student_id}`} has results of mark sheet ${first.sheet_id}. Only an administrator deletes the record.`,
  );
}

export const RESERVED_ID =
  'This ID belongs to a deleted record with confirmed results. An administrator restores it.';

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
