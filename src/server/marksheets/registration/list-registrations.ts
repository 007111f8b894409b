import type { Registration, RegistrationQuery } from '../../../contract/marksheets/registrations.ts';
import { openWarnings, toCovered } from '../../../domain/marksheets/registration.ts';
import { inIdOrder } from '../../../domain/search-text.ts';
import { pausedChunks } from '../../chunks.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { AppError } from '../../errors.ts';
import { groupBy } from '../../group-by.ts';
import { type Author, recordChange } from '../../history/record-change.ts';
import { presentSheet } from '../present-sheet.ts';
import {
  bumpVersion,
  getStudentId,
  lockSheet,
  requireNoRectification,
  requireSheet,
  requireSheetVersion,
} from '../sheet.ts';
import { StudentChecks } from './check-students.ts';
import { lockTerm, type TermColumns } from './last-days.ts';
import { parseCovered, registerRows, registrationsState } from './store-registrations.ts';

/** Students looked at in one go. */
const STUDENTS_AT_ONCE = 40;

interface Listed {
  term_id?: number;
  sheet_id?: number;
  student_id?: string;
}

/** The rows of sheets that rectify no other one. */
export const listedRows = (db: Db, of: Listed, { department, degree }: RegistrationQuery = {}) =>
  db
    .selectFrom('sheet_rows as r')
    .innerJoin('sheets as h', 'h.sheet_id', 'r.sheet_id')
    .leftJoin('students as s', 's.id', 'r.student_id')
    .leftJoin('sheet_registrations as g', (join) =>
      join.onRef('g.sheet_id', '=', 'r.sheet_id').onRef('g.student_id', '=', 'r.student_id'),
    )
    .select(['r.sheet_id', 'r.student_id', 'r.status', 'r.semester', 'r.is_left'])
    .select(['h.term_id', 'h.course_id', 'h.course_code', 'h.title', 'h.credits', 'h.state', 'h.scheme_row'])
    .select(['h.semester as class_semester', 'h.department', 'h.degree'])
    .select(['s.first_name', 's.last_name', 'g.registration_id', 'g.added_on', 'g.added_by', 'g.added_name'])
    .select(['g.reason', 'g.covered'])
    .where('h.rectifies', 'is', null)
    .$if(of.term_id !== undefined, (query) => query.where('h.term_id', '=', of.term_id ?? 0))
    .$if(of.sheet_id !== undefined, (query) => query.where('h.sheet_id', '=', of.sheet_id ?? 0))
    .$if(of.student_id !== undefined, (query) => query.where('r.student_id', '=', of.student_id ?? ''))
    .$if(department !== undefined, (query) => query.where('h.department', '=', department ?? 'CE'))
    .$if(degree !== undefined, (query) => query.where('h.degree', '=', degree ?? ''))
    .orderBy('r.sheet_id', 'desc')
    .orderBy('r.student_id');

export type ListedRow = Awaited<ReturnType<ReturnType<typeof listedRows>['execute']>>[number];

/** The attempt and the checks of a row as of now. What came after a confirmed result is not looked at. */
export function checkRow(checks: StudentChecks, row: ListedRow) {
  const isRecorded = row.state === 'confirmed' && row.is_left === 0;
  const semester = row.semester ?? row.class_semester;
  return checks.check(row.student_id, row, {
    status: row.status,
    recordedIn: isRecorded ? semester : null,
  });
}

export async function requireTermColumns(db: Db, termId: number): Promise<TermColumns> {
  const term = await db.selectFrom('terms').selectAll().where('term_id', '=', termId).executeTakeFirst();
  if (term === undefined) throw new AppError('not-found', 'There is no such term.');
  return term;
}

/** The registrations of a sheet or a term, by sheet, then by ID. */
export async function listRegistrations(
  db: Db,
  of: { sheet_id: number } | { term_id: number },
  query: RegistrationQuery,
): Promise<Registration[]> {
  const termId = 'term_id' in of ? of.term_id : (await requireSheet(db, of.sheet_id)).term_id;
  const term = await requireTermColumns(db, termId);
  const rows = inIdOrder(await listedRows(db, of, query).execute(), getStudentId).toSorted(
    (a, b) => b.sheet_id - a.sheet_id,
  );
  const found = new Map<ListedRow, Registration>();
  const byStudent = groupBy(rows, getStudentId);
  for await (const ids of pausedChunks([...byStudent.keys()], STUDENTS_AT_ONCE)) {
    const checks = await StudentChecks.load(db, term, ids);
    for (const id of ids)
      for (const row of byStudent.get(id) ?? []) {
        const registration = presentRegistration(row, checks);
        if (query.open !== 'true' || isOpen(registration, row)) found.set(row, registration);
      }
  }
  return rows.flatMap((row) => found.get(row) ?? []);
}

const isOpen = ({ checks }: Registration, row: ListedRow) =>
  openWarnings(checks, row.covered === null ? [] : parseCovered({ covered: row.covered })).length > 0;

function presentRegistration(row: ListedRow, checks: StudentChecks): Registration {
  return {
    sheet_id: row.sheet_id,
    student_id: row.student_id,
    first_name: row.first_name ?? '',
    last_name: row.last_name ?? '',
    ...checkRow(checks, row),
    added_on: row.added_on,
    added_by: row.added_name === null ? null : { id: row.added_by, name: row.added_name },
    reason: row.reason,
  };
}

/**
 * Gives a reason for the warnings of a row as they are now, in any state of the sheet.
 *
 * @throws AppError not-found for a student who is not on the class list; conflict for a rectification
 */
export async function explainRegistration(
  tx: Tx,
  author: Author,
  { sheetId, studentId, reason }: { sheetId: number; studentId: string; reason: string },
  ifMatch: string | undefined,
): Promise<{ registration: Registration; version: number }> {
  const sheet = await lockSheet(tx, sheetId);
  requireNoRectification(sheet);
  await requireSheetVersion(tx, ifMatch, sheet, () => presentSheet(tx, sheet));
  const term = await lockTerm(tx, sheet.term_id);
  if (term === undefined) throw new Error('The term of a sheet is missing.');
  const find = () => listedRows(tx, { sheet_id: sheetId, student_id: studentId }).executeTakeFirst();
  const row = await find();
  if (row === undefined) throw new AppError('not-found', 'This student is not on the class list.');
  const checks = await StudentChecks.load(tx, term, [studentId]);
  const covered = toCovered(checkRow(checks, row).checks);
  const isSame = row.reason === reason && (row.covered ?? '[]') === JSON.stringify(covered);
  if (isSame) return { registration: presentRegistration(row, checks), version: sheet.version };
  const before = await tx
    .selectFrom('sheet_registrations')
    .selectAll()
    .where('sheet_id', '=', sheetId)
    .where('student_id', '=', studentId)
    .execute();
  const after =
    before.length === 0
      ? await registerRows(tx, author, sheetId, [{ student_id: studentId, reason, covered }])
      : await tx
          .updateTable('sheet_registrations')
          .set({ reason, covered: JSON.stringify(covered) })
          .where('sheet_id', '=', sheetId)
          .where('student_id', '=', studentId)
          .returningAll()
          .execute();
  await recordChange(tx, author, {
    action: 'update',
    entity: 'sheet',
    entityId: sheetId,
    before: registrationsState(before),
    after: registrationsState(after),
  });
  const version = await bumpVersion(tx, sheet, 'setup');
  const stored = await find();
  if (stored === undefined) throw new Error('The row of a sheet is missing.');
  return { registration: presentRegistration(stored, checks), version };
}
