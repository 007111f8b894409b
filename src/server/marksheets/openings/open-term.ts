import { setImmediate } from 'node:timers/promises';
import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import {
  type Opening,
  type OpeningPreview,
  type OpeningPreviewInput,
  type openingInput,
  openingReply,
} from '../../../contract/marksheets/openings.ts';
import { LAST_DAYS, withLastDays } from '../../../domain/term-dates.ts';
import { forShareOf } from '../../db/dialect/locks.ts';
import type { Db, OpeningsTable, Tx } from '../../db/schema.ts';
import { AppError, invalidField, requireSamePreview } from '../../errors.ts';
import { type Author, recordChange } from '../../history/record-change.ts';
import { lockSchemes } from '../../students/audit/schemes.ts';
import { presentTerm } from '../../terms/terms.ts';
import { emptyRow } from '../class-list/add-students.ts';
import { lockTerm, type TermColumns } from '../registration/last-days.ts';
import { requireTermColumns } from '../registration/list-registrations.ts';
import { storeNewSheet } from '../store-draft.ts';
import { findClass, numberCategories } from '../write-sheet.ts';
import { holdsStill, type PlanBefore } from './plan-before.ts';
import type { PlannedSheet } from './plan-class.ts';
import { isMade, planOpening } from './preview-opening.ts';

export type OpeningColumns = Selectable<OpeningsTable>;

const parseClasses = ({ classes }: OpeningColumns): Opening['classes'] =>
  openingReply.shape.classes.parse(JSON.parse(classes));
export const parseSheetIds = ({ sheet_ids }: Pick<OpeningColumns, 'sheet_ids'>): number[] =>
  z.array(z.int()).parse(JSON.parse(sheet_ids));

export function presentOpening(row: OpeningColumns): Opening {
  const { opening_id, students, created_at, created_by, created_name } = row;
  const { undone, undone_at, undone_by, undone_name } = row;
  return {
    ...{ opening_id, classes: parseClasses(row), sheets: parseSheetIds(row).length, students, created_at },
    created_by: { id: created_by, name: created_name },
    undo:
      undone === null || undone_at === null || undone_name === null
        ? null
        : { undone, at: undone_at, by: { id: undone_by, name: undone_name } },
  };
}

/** How an entry of the history keeps an opening: in words for readers, whole for checks. */
export const openingState = (row: OpeningColumns) => ({
  ...row,
  classes: parseClasses(row),
  sheet_ids: parseSheetIds(row),
});

export const previewOpening = async (
  db: Db,
  termId: number,
  input: OpeningPreviewInput,
): Promise<OpeningPreview> => (await planOpening(db, await requireTermColumns(db, termId), input)).preview;

/**
 * Makes the sheets of classes in a term, one opening at a time. What the preview has shown is what is made: the plan is that of
 * before the transaction where nothing has changed since, or it is made again under the locks of the term and of the students.
 *
 * @param before see {@link planBefore}
 * @throws AppError not-found; stale, with the present preview; ValidationError, also on `classes` when there is nothing to make
 */
export async function openTerm(
  tx: Tx,
  author: Author,
  termId: number,
  { fingerprint, ...input }: z.output<typeof openingInput>,
  before: PlanBefore | undefined,
): Promise<OpeningColumns> {
  await lockSchemes(tx);
  const term = await lockTerm(tx, termId);
  if (term === undefined) throw new AppError('not-found', 'There is no such term.');
  for (const opened of input.classes) await findClass(tx, opened, forShareOf(tx, 'students'));
  const isCurrent = before !== undefined && (await holdsStill(tx, termId, before));
  const { preview, planned } = isCurrent ? before.plan : await planOpening(tx, term, input);
  requireSamePreview(preview, fingerprint);
  const made = planned.filter(({ shown }) => isMade(shown));
  if (made.length === 0) throw invalidField('classes', 'The classes have no mark sheet to make.');
  await setLastDays(tx, author, term);
  const sheetIds: number[] = [];
  for (const one of made) {
    sheetIds.push(await makeSheet(tx, author, term, one, input));
    // Lets other calls run.
    await setImmediate();
  }
  const row = await tx
    .insertInto('openings')
    .values({
      ...{ term_id: termId, classes: JSON.stringify(input.classes), sheet_ids: JSON.stringify(sheetIds) },
      ...{ students: preview.totals.students, version: 1, created_at: new Date().toISOString() },
      ...{ created_by: author.id, created_name: author.name },
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordChange(tx, author, {
    ...{ action: 'create', entity: 'opening', entityId: row.opening_id },
    after: { term: term.name, sheets: sheetIds.length, ...openingState(row) },
  });
  return row;
}

async function makeSheet(
  tx: Tx,
  author: Author,
  term: TermColumns,
  { shown, opened, course, hasLab, ids }: PlannedSheet,
  { categories, lab_categories }: OpeningPreviewInput,
): Promise<number> {
  if (course === undefined) throw new Error('The course of a sheet is missing.');
  const { sheet_id } = await storeNewSheet(
    tx,
    author,
    {
      ...{ term_id: term.term_id, department: shown.department, degree: shown.degree },
      ...{ semester: shown.semester, syn: opened.syn, credits: shown.credits, title: shown.title },
      ...{ scheme_row: shown.row, course_id: course.course_id },
      ...{ course_code: course.course_code, course_name: course.course_name },
    },
    ids.map((id) => emptyRow(id)),
    numberCategories(hasLab ? (lab_categories ?? categories) : categories, 0),
  );
  return sheet_id;
}

/** Sets the last days that the term lacks. */
async function setLastDays(tx: Tx, author: Author, term: TermColumns): Promise<void> {
  if (LAST_DAYS.every((day) => term[day] !== null)) return;
  const after = await tx
    .updateTable('terms')
    .set({ ...withLastDays(term), version: sql<number>`version + 1` })
    .where('term_id', '=', term.term_id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordChange(tx, author, {
    ...{ action: 'update', entity: 'term', entityId: term.term_id },
    before: presentTerm(term),
    after: presentTerm(after),
  });
}

/** The openings of a term, the newest first. */
export async function listOpenings(db: Db, termId: number): Promise<Opening[]> {
  await requireTermColumns(db, termId);
  const rows = await db
    .selectFrom('openings')
    .selectAll()
    .where('term_id', '=', termId)
    .orderBy('opening_id', 'desc')
    .execute();
  return rows.map(presentOpening);
}
