import { sql } from 'kysely';
import { plural } from '../../../domain/format-count.ts';
import { inIdOrder } from '../../../domain/search-text.ts';
import { jsonElements } from '../../db/dialect/sql.ts';
import type { Db } from '../../db/schema.ts';
import { ValidationError } from '../../errors.ts';
import { groupBy } from '../../group-by.ts';
import { formatIds, getStudentId, type SheetColumns } from '../sheet.ts';

/** A course in a term; `sheet_id` is the sheet that asks, if it exists yet. */
export type Offering = Pick<SheetColumns, 'course_id' | 'term_id'> & { sheet_id?: number };

interface OtherRow {
  sheet_id: number;
  student_id: string;
}

/** Which of these students stand on another sheet of the course and term, in the order of their IDs. Rectifications have the students of their sheet. */
async function findOnOtherSheets(
  db: Db,
  { course_id, term_id, sheet_id }: Offering,
  ids: readonly string[],
): Promise<OtherRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<OtherRow>`select r.sheet_id, r.student_id from sheets h
    join sheet_rows r on r.sheet_id = h.sheet_id
    where h.course_id = ${course_id} and h.term_id = ${term_id} and h.rectifies is null
      and h.sheet_id <> ${sheet_id ?? 0}
      and r.student_id in (select e.value from ${jsonElements(db, sql.val(JSON.stringify(ids)))} e)`.execute(
    db,
  );
  return inIdOrder(rows, getStudentId);
}

/**
 * A student stands on one sheet of a course and term. The term is locked by the caller, so that two sheets that are filled at
 * the same moment see each other.
 *
 * @throws ValidationError on `field`, naming the other sheet and up to five students
 */
export async function requireOnNoOtherSheet(
  db: Db,
  offering: Offering,
  ids: readonly string[],
  field: 'ids' | 'syn',
): Promise<void> {
  const others = await findOnOtherSheets(db, offering, ids);
  if (others.length === 0) return;
  const bySheet = [...groupBy(others, ({ sheet_id }) => sheet_id)].toSorted(([a], [b]) => a - b);
  const texts = bySheet.map(([sheetId, rows]) => {
    const who = plural(rows.length, 'student is', 'students are');
    const named = rows.map(({ student_id }) => student_id);
    return `${who} on mark sheet ${sheetId} of this course already. CMS ID: ${formatIds(named, 5)}.`;
  });
  throw new ValidationError({ [field]: texts });
}
