import { sql } from 'kysely';
import type { Db } from '../db/schema.ts';
import { parseCategories, parseCells, rowFigures } from '../marksheets/sheet.ts';

/** Sheets checked per batch. */
const PAGE = 20;

/**
 * Finds mark sheets whose stored totals differ from those calculated from their cells, results of confirmed sheets that the
 * students' records do not have, and semesters that are wrongly provisional.
 */
export async function* incorrectSheets(db: Db): AsyncGenerator<string> {
  for (let last = 0; ; ) {
    const sheets = await db
      .selectFrom('sheets')
      .selectAll()
      .where('sheet_id', '>', last)
      .orderBy('sheet_id')
      .limit(PAGE)
      .execute();
    const end = sheets.at(-1);
    if (end === undefined) break;
    last = end.sheet_id;
    for (const sheet of sheets) {
      const categories = parseCategories(sheet);
      const rows = await db
        .selectFrom('sheet_rows')
        .selectAll()
        .where('sheet_id', '=', sheet.sheet_id)
        .orderBy('student_id')
        .execute();
      for (const row of rows) {
        const actual = rowFigures(categories, parseCells(row));
        const wrong = (['total', 'filled', 'is_absent'] as const).filter((one) => row[one] !== actual[one]);
        if (wrong.length > 0) {
          yield `Mark sheet ${sheet.sheet_id}, student ${row.student_id}: ${wrong.join(', ')} differ from the cells.`;
        }
      }
    }
  }
  yield* incorrectResults(db);
  yield* incorrectlyProvisional(db);
}

/** A deleted student has no results; those of the sheet wait for a restore. */
async function* incorrectResults(db: Db): AsyncGenerator<string> {
  const { rows } = await sql<{ sheet_id: number; student_id: string; semester: number; slot: number }>`
    select w.sheet_id, w.student_id, w.semester, w.slot
    from sheet_results w join students p on p.id = w.student_id
      join sheets h on h.sheet_id = w.sheet_id
      left join semester_subjects s
        on s.student_id = w.student_id and s.semester = w.semester and s.slot = w.slot
    where h.state <> 'confirmed' or s.slot is null or coalesce(s.course_id, -1) <> w.course_id
      or coalesce(s.half_points, -1) <> coalesce(w.half_points, -1)
    order by w.sheet_id, w.student_id`.execute(db);
  for (const { sheet_id, student_id, semester, slot } of rows) {
    yield `Mark sheet ${sheet_id}, student ${student_id}: semester ${semester} has another result in subject ${slot}.`;
  }
}

async function* incorrectlyProvisional(db: Db): AsyncGenerator<string> {
  const { rows } = await sql<{ student_id: string; semester: number; is_provisional: number }>`
    select student_id, semester, is_provisional from (
      select student_id, semester, is_provisional, case when exists (
        select 1 from sheet_results w join sheets h on h.sheet_id = w.sheet_id
        where w.student_id = a.student_id and w.semester = a.semester and h.notification is null
      ) then 1 else 0 end as actual from semesters a
    ) as marked where is_provisional <> actual order by student_id, semester`.execute(db);
  for (const { student_id, semester, is_provisional } of rows) {
    yield `Student ${student_id}, semester ${semester}: is ${is_provisional === 1 ? '' : 'not '}marked as provisional, against its mark sheets.`;
  }
}
