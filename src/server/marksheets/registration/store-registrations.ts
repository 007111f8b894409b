import type { Selectable } from 'kysely';
import { z } from 'zod';
import { CHECK_RULES, type CoveredWarning } from '../../../domain/marksheets/registration.ts';
import { rowField } from '../../../domain/marksheets/row-field.ts';
import type { Db, SheetRegistrationsTable, Tx } from '../../db/schema.ts';
import type { Author } from '../../history/record-change.ts';
import { today } from './last-days.ts';

export type RegistrationColumns = Selectable<SheetRegistrationsTable>;

export const coveredWarning = z.object({ rule: z.enum(CHECK_RULES), text: z.string() });
const covered = z.array(coveredWarning);
export const parseCovered = (row: Pick<RegistrationColumns, 'covered'>): CoveredWarning[] =>
  covered.parse(JSON.parse(row.covered));

export interface NewRegistration {
  student_id: string;
  reason: string | null;
  covered: readonly CoveredWarning[];
}

/** A row that is added without a warning that a reason covers. */
export const plainRegistration = (student_id: string): NewRegistration => ({
  ...{ student_id, reason: null, covered: [] },
});

/** Stores who was added today, and why. The rows are on the sheet. */
export async function registerRows(
  tx: Tx,
  author: Author,
  sheetId: number,
  rows: readonly NewRegistration[],
): Promise<RegistrationColumns[]> {
  const added = { added_on: today(), added_by: author.id, added_name: author.name };
  return insertRegistrations(
    tx,
    rows.map((row) => ({ ...row, ...added, sheet_id: sheetId, covered: JSON.stringify(row.covered) })),
  );
}

export async function insertRegistrations(
  tx: Tx,
  rows: readonly Omit<RegistrationColumns, 'registration_id'>[],
): Promise<RegistrationColumns[]> {
  if (rows.length === 0) return [];
  return tx.insertInto('sheet_registrations').values(rows).returningAll().execute();
}

export const findRegistrations = (db: Db, sheetId: number): Promise<RegistrationColumns[]> =>
  db.selectFrom('sheet_registrations').selectAll().where('sheet_id', '=', sheetId).execute();

/** How an entry of the history keeps registrations: whole for checks, the reasons for readers. */
export const registrationsState = (rows: readonly RegistrationColumns[]) =>
  rows.length === 0
    ? {}
    : {
        registrations: rows.map(({ sheet_id: _, ...row }) => ({ ...row, covered: parseCovered(row) })),
        ...Object.fromEntries(
          rows.flatMap(({ student_id, reason }) =>
            reason === null ? [] : [[rowField(student_id, 'reason to add'), reason]],
          ),
        ),
      };
