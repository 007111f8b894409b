import { type RawBuilder, sql } from 'kysely';
import { jsonElements } from '../../db/dialect/sql.ts';
import type { Db } from '../../db/schema.ts';

/** A result of a confirmed mark sheet that the record does not have, since its ID was recorded anew. */
export interface UnrecordedResult {
  semester: number;
  sheet_id: number;
  title: string;
}

/**
 * Rows of confirmed mark sheets that no record has, with the names of {@link UnrecordedResult}, `student_id` and `course_id`. A
 * sheet that another one rectified is told by that one.
 *
 * @param isStudent a condition on `r.student_id`
 */
export const selectUnrecorded = (isStudent: RawBuilder<unknown>) => sql`
  select r.student_id, coalesce(r.semester, h.semester) as semester, h.sheet_id, h.title, h.course_id
  from sheet_rows r join sheets h on h.sheet_id = r.sheet_id
  where ${isStudent} and r.is_left = 0 and h.state = 'confirmed'
    and not exists (select 1 from sheets b where b.rectifies = h.sheet_id and b.state = 'confirmed')
    and not exists (select 1 from sheet_results w where w.student_id = r.student_id
      and w.semester = coalesce(r.semester, h.semester) and w.course_id = h.course_id)`;

/** A condition for {@link selectUnrecorded}. */
export const isOneOf = (db: Db, ids: readonly string[]) =>
  sql`r.student_id in (select e.value from ${jsonElements(db, sql.val(JSON.stringify(ids)))} e)`;

/** The unrecorded results of these students. */
export async function findUnrecorded(
  db: Db,
  ids: readonly string[],
): Promise<(UnrecordedResult & { student_id: string; course_id: number })[]> {
  const { rows } = await sql<Awaited<ReturnType<typeof findUnrecorded>>[number]>`
    ${selectUnrecorded(isOneOf(db, ids))} order by r.student_id, h.sheet_id`.execute(db);
  return rows;
}

/** Ties restored records to the mark sheets again that wrote their results, also where the ID was recorded anew meanwhile. */
export async function recallResults(db: Db, ids: readonly string[]): Promise<void> {
  await sql`insert into sheet_results (student_id, semester, slot, course_id, sheet_id, half_points)
    select s.student_id, s.semester, min(s.slot), s.course_id, max(u.sheet_id), min(s.half_points)
    from (${selectUnrecorded(isOneOf(db, ids))}) u
      join semester_subjects s on s.student_id = u.student_id and s.semester = u.semester and s.course_id = u.course_id
    where not exists (select 1 from sheet_results w
      where w.student_id = s.student_id and w.semester = s.semester and w.slot = s.slot)
    group by s.student_id, s.semester, s.course_id`.execute(db);
}
