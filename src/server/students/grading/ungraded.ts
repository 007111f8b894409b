import { sql } from 'kysely';
import { z } from 'zod';
import { FINAL_WITHOUT_GRADE, type Ungraded } from '../../../domain/grading/degree.ts';
import type { RecordedSubject } from '../../../domain/grading/repeat-policy.ts';
import { jsonArray, jsonRows } from '../../db/dialect/sql.ts';
import type { Db } from '../../db/schema.ts';

/**
 * Results of a student of the table `s` that a mark sheet closed without a grade, as JSON: `[semester, slot, course_id, status]`
 * of each.
 */
export function ungradedColumn(db: Db) {
  const result = jsonArray(db, [
    ...[sql.ref('w.semester'), sql.ref('w.slot'), sql.ref('w.course_id'), sql.ref('r.status')],
  ]);
  return sql`(select ${jsonRows(db, result, sql`w.semester, w.slot`)}
    from sheet_results w join sheet_rows r on r.sheet_id = w.sheet_id and r.student_id = w.student_id
    where w.student_id = s.id and w.half_points is null and r.status <> 'graded')`;
}

/** Whether a mark sheet closed a subject of the table `t` for good without a grade. */
export const isClosedSubject = sql`exists (
  select 1 from sheet_results w join sheet_rows r on r.sheet_id = w.sheet_id and r.student_id = w.student_id
  where w.student_id = t.student_id and w.semester = t.semester and w.slot = t.slot and w.course_id = t.course_id
    and w.half_points is null and r.status in (${sql.join(FINAL_WITHOUT_GRADE.map((one) => sql.lit(one)))}))`;

const ungradedTuples = z.array(
  z.tuple([z.int(), z.int(), z.int(), z.enum(['incomplete', 'withdrawn', 'excused'])]),
);

type Place = Pick<RecordedSubject, 'semester' | 'slot' | 'course_id' | 'points'>;

/** Finds why a subject has no grade, in the JSON of {@link ungradedColumn}. */
export function ungradedFinder(json: string): (subject: Place) => Ungraded | null {
  const statuses = new Map<string, Ungraded>(
    json === '[]'
      ? []
      : ungradedTuples
          .parse(JSON.parse(json))
          .map(([semester, slot, course, status]) => [`${semester} ${slot} ${course}`, status]),
  );
  return ({ semester, slot, course_id, points }) =>
    points === null ? (statuses.get(`${semester} ${slot} ${course_id}`) ?? null) : null;
}
