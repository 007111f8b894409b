import type { Sheet, SheetCategory } from '../../contract/marksheets/sheets.ts';
import type { Tx } from '../db/schema.ts';
import { type Author, recordChange } from '../history/record-change.ts';
import { addRows, type NewRow } from './class-list/add-students.ts';
import {
  findRegistrations,
  plainRegistration,
  registerRows,
  registrationsState,
} from './registration/store-registrations.ts';
import { keepSheet } from './restore/kept-sheet.ts';
import { parseCategories, requireSheet, type SheetColumns } from './sheet.ts';
import { findTeachers } from './teachers/teachers.ts';
import { loadCells } from './write-rows.ts';

/** The part of the set-up that the history keeps. */
export const setupState = (sheet: SheetColumns) => ({
  course: `${sheet.course_code} · ${sheet.course_name}`,
  title: sheet.title,
  class: `${sheet.department}-${sheet.degree}`,
  semester: sheet.semester,
  credits: sheet.credits,
  categories: parseCategories(sheet).map(describeCategory).join('; '),
});

const describeCategory = ({ name, weight, best_of, components }: SheetCategory) =>
  `${name} ${weight} %${best_of === null ? '' : `, best ${best_of}`} (${components
    .map((component) => `${component.name} /${component.max}${component.bonus ? ' with bonus' : ''}`)
    .join(', ')})`;

type NewSheet = Pick<
  SheetColumns,
  | 'course_id'
  | 'course_code'
  | 'course_name'
  | 'term_id'
  | 'title'
  | 'credits'
  | 'semester'
  | 'department'
  | 'degree'
  | 'scheme_row'
> &
  Pick<Sheet, 'syn'>;

/** Stores a draft that has been checked, with its rows, its registrations and its entry in the history. */
export async function storeNewSheet(
  tx: Tx,
  author: Author,
  { syn, ...fields }: NewSheet,
  rows: readonly NewRow[],
  { categories, lastId }: { categories: SheetCategory[]; lastId: number },
): Promise<SheetColumns> {
  const sheet = await tx
    .insertInto('sheets')
    .values({
      ...fields,
      syn: JSON.stringify(syn),
      state: 'draft',
      version: 1,
      setup_version: 1,
      categories: JSON.stringify(categories),
      last_component_id: lastId,
      created_by: author.id,
      created_name: author.name,
      created_at: new Date().toISOString(),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const { sheet_id } = sheet;
  await addRows(tx, { sheet_id, version: 1 }, rows, categories);
  const registered = await registerRows(
    tx,
    author,
    sheet_id,
    rows.map(({ student_id }) => plainRegistration(student_id)),
  );
  await recordChange(tx, author, {
    action: 'create',
    entity: 'sheet',
    entityId: sheet_id,
    after: { ...setupState(sheet), students: rows.length, ...registrationsState(registered) },
  });
  return sheet;
}

/** Deletes a draft that the caller has locked and checked. */
export async function deleteDraft(tx: Tx, author: Author, sheetId: number): Promise<void> {
  const sheet = await requireSheet(tx, sheetId);
  const rows = await loadCells(tx, sheetId);
  const removed = await tx
    .selectFrom('sheet_removed_rows')
    .selectAll()
    .where('sheet_id', '=', sheetId)
    .execute();
  const teachers = await findTeachers(tx, sheetId);
  const registrations = await findRegistrations(tx, sheetId);
  await tx.deleteFrom('sheets').where('sheet_id', '=', sheetId).execute();
  await recordChange(tx, author, {
    action: 'delete',
    entity: 'sheet',
    entityId: sheetId,
    before: {
      ...setupState(sheet),
      students: rows.length,
      ...keepSheet(sheet, { rows, removed, teachers, registrations }),
    },
  });
}
