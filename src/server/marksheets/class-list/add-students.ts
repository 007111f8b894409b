import { sql } from 'kysely';
import type { AddStudentsInput, Sheet, SheetCategory } from '../../../contract/marksheets/sheets.ts';
import { rowField } from '../../../domain/marksheets/row-field.ts';
import { markFault } from '../../../domain/marksheets/totals.ts';
import { forShareOf } from '../../db/dialect/locks.ts';
import { jsonToRows } from '../../db/dialect/sql.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { invalidField } from '../../errors.ts';
import { recordChange } from '../../history/record-change.ts';
import type { AuthorWithRole } from '../../http/transact-as.ts';
import { attendanceFields, keptAttendance, parseAttendance } from '../attendance/stored-attendance.ts';
import { presentSheet } from '../present-sheet.ts';
import { lockTerm } from '../registration/last-days.ts';
import { requireRegistrable } from '../registration/require-registrable.ts';
import { registerRows, registrationsState } from '../registration/store-registrations.ts';
import {
  bumpVersion,
  formatIds,
  getComponents,
  lockSheet,
  parseCategories,
  parseCells,
  requireDraft,
  requireNoRectification,
  rowFigures,
  type SheetColumns,
  type SheetRowColumns,
} from '../sheet.ts';
import { requireOnNoOtherSheet } from './other-sheets.ts';

/** A student who is to be added. */
export interface ListedStudent {
  id: string;
  current_sem: number;
}

/** The own columns of a row when it is added. */
export type NewRow = Pick<
  SheetRowColumns,
  'student_id' | 'status' | 'reason' | 'semester' | 'cells' | 'attendance'
>;

/**
 * Students by their IDs.
 *
 * @param lock the end of the query, for a transaction that refers to the students: their rows follow a change of the ID
 * @throws ValidationError naming IDs that occur twice or are of no student
 */
export async function requireStudents(
  db: Db,
  ids: readonly string[],
  lock = sql``,
): Promise<ListedStudent[]> {
  const twice = ids.filter((id, i) => ids.indexOf(id) < i);
  if (twice.length > 0) throw invalidField('ids', `The ids name ${formatIds(twice, 10)} more than once.`);
  if (ids.length === 0) return [];
  const known = await db
    .selectFrom('students')
    .select(['id', 'current_sem'])
    .where('id', 'in', ids)
    .orderBy('id')
    .modifyEnd(lock)
    .execute();
  const found = new Set(known.map(({ id }) => id));
  const unknown = ids.filter((id) => !found.has(id));
  if (unknown.length > 0) throw invalidField('ids', `There is no student with ID ${formatIds(unknown, 10)}.`);
  return known;
}

/** The semester of a row that is added by name; null for that of the class. A repeater is in a later one. */
export const ownSemester = ({ current_sem }: ListedStudent, { semester }: Pick<SheetColumns, 'semester'>) =>
  current_sem === semester ? null : current_sem;

/** A row without marks. */
export const emptyRow = (student_id: string, semester: number | null = null): NewRow => ({
  student_id,
  semester,
  status: 'graded',
  reason: null,
  cells: '{}',
  attendance: null,
});

const ROW_COLUMNS = {
  sheet_id: 'integer',
  student_id: 'text',
  status: 'text',
  reason: 'text',
  semester: 'integer',
  cells: 'text',
  attendance: 'text',
  filled: 'integer',
  total: 'integer',
  is_absent: 'integer',
  version: 'integer',
} as const;

export async function addRows(
  tx: Tx,
  { sheet_id, version }: Pick<SheetColumns, 'sheet_id' | 'version'>,
  rows: readonly NewRow[],
  categories: readonly SheetCategory[],
): Promise<void> {
  if (rows.length === 0) return;
  const names = sql.join(Object.keys(ROW_COLUMNS).map((name) => sql.ref(name)));
  const stored = rows.map((row) => ({
    sheet_id,
    version,
    ...row,
    ...rowFigures(categories, parseCells(row)),
  }));
  await sql`insert into sheet_rows (${names})
    select ${names} from ${jsonToRows(tx, stored, ROW_COLUMNS)} r`.execute(tx);
}

/**
 * Adds students to the class list, all or nobody; those who are on it stay as they are, those who were taken off it have their
 * marks again.
 *
 * @throws AppError conflict, ValidationError: see {@link requireRegistrable}
 */
export async function addStudents(
  tx: Tx,
  author: AuthorWithRole,
  sheetId: number,
  { ids, ...reasons }: AddStudentsInput,
): Promise<Sheet> {
  const sheet = await lockSheet(tx, sheetId);
  requireDraft(sheet);
  requireNoRectification(sheet);
  const term = await lockTerm(tx, sheet.term_id);
  if (term === undefined) throw new Error('The term of a sheet is missing.');
  const students = await requireStudents(tx, ids, forShareOf(tx, 'students'));
  const present = await tx
    .selectFrom('sheet_rows')
    .select('student_id')
    .where('sheet_id', '=', sheetId)
    .execute();
  const listed = new Set(present.map(({ student_id }) => student_id));
  const added = students.filter(({ id }) => !listed.has(id));
  if (added.length === 0) return presentSheet(tx, sheet);
  const addedIds = added.map(({ id }) => id);
  await requireOnNoOtherSheet(tx, sheet, addedIds, 'ids');
  const registrations = await requireRegistrable(tx, author, { sheet, term, ids: addedIds }, reasons);
  const categories = parseCategories(sheet);
  const kept = await takeRemovedRows(tx, sheetId, addedIds, categories);
  const version = await bumpVersion(tx, sheet, 'setup');
  const rows = added.map((one) => kept.get(one.id) ?? emptyRow(one.id, ownSemester(one, sheet)));
  await addRows(tx, { sheet_id: sheetId, version }, rows, categories);
  const registered = await registerRows(tx, author, sheetId, registrations);
  await recordChange(tx, author, {
    action: 'update',
    entity: 'sheet',
    entityId: sheetId,
    after: {
      students_added: addedIds.join(', '),
      ...registrationsState(registered),
      ...Object.assign({}, ...rows.map((row) => rowState(row, categories))),
      ...keptAttendance(rows),
    },
  });
  return presentSheet(tx, { ...sheet, version });
}

/** The marks of a row as the history names them, and what else it has of its own. */
export function rowState(row: NewRow, categories: readonly SheetCategory[]) {
  const names = new Map(
    getComponents(categories).map(({ component_id, name }) => [String(component_id), name]),
  );
  const state = (what: string, value: string | number | null) =>
    value === null ? {} : { [rowField(row.student_id, what)]: value };
  return {
    ...(row.status !== 'graded' && state('status', row.status)),
    ...state('reason', row.reason),
    ...state('semester', row.semester),
    ...attendanceFields(row.student_id, parseAttendance(row)),
    ...Object.fromEntries(
      Object.entries(parseCells(row)).map(([id, cell]) => [rowField(row.student_id, names.get(id)), cell]),
    ),
  };
}

/** The rows that these students had, without marks of components that are gone or have other full marks by now. */
async function takeRemovedRows(
  tx: Tx,
  sheetId: number,
  ids: readonly string[],
  categories: readonly SheetCategory[],
): Promise<ReadonlyMap<string, NewRow>> {
  const removed = await tx
    .deleteFrom('sheet_removed_rows')
    .where('sheet_id', '=', sheetId)
    .where('student_id', 'in', ids)
    .returning(['student_id', 'status', 'reason', 'semester', 'cells', 'attendance'])
    .execute();
  const components = new Map(
    getComponents(categories).map((component) => [String(component.component_id), component]),
  );
  return new Map(
    removed.map((row) => {
      const fitting = Object.entries(parseCells(row)).filter(([id, cell]) => {
        const component = components.get(id);
        return component !== undefined && markFault(cell, component) === undefined;
      });
      return [row.student_id, { ...row, cells: JSON.stringify(Object.fromEntries(fitting)) }];
    }),
  );
}
