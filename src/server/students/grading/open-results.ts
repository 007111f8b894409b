import { sql } from 'kysely';
import { z } from 'zod';
import { type WaitingFor, waitingFor } from '../../../contract/grading/grading.ts';
import { jsonObject, jsonRows } from '../../db/dialect/sql.ts';
import { preparedQuery } from '../../db/prepared-query.ts';
import type { Db } from '../../db/schema.ts';
import { ungradedColumn, ungradedFinder } from './ungraded.ts';

const NAMES = ['taken_in', ...Object.keys(waitingFor.shape)];

const findOpen = preparedQuery<{ waiting: string; ungraded: string }, [id: string]>((db) => {
  const sheet = jsonObject(db, Object.fromEntries(NAMES.map((name) => [name, sql.ref(`o.${name}`)])));
  return sql`
    select ${ungradedColumn(db)} as ungraded,
      (select ${jsonRows(db, sheet, sql`o.taken_in, o.sheet_id`)} from (
        select distinct w.semester as taken_in, h.sheet_id, h.title, h.department, h.degree, h.semester,
          h.term_id, t.name as term_name
        from sheet_results w
          join sheets h on h.sheet_id = w.sheet_id
          join terms t on t.term_id = h.term_id
        where w.student_id = s.id and h.notification is null) o) as waiting
    from students s where s.id = ${''}`;
});

const waitingSheets = z.array(waitingFor.extend({ taken_in: z.int() }));

export interface OpenResults {
  /** The confirmed mark sheets that wrote to a semester and whose class has not been notified. */
  getWaitingFor: (semester: number) => WaitingFor[];
  findUngraded: ReturnType<typeof ungradedFinder>;
}

/** Finds all that keeps the semesters of a student from being final or complete. */
export async function findOpenResults(db: Db, id: string): Promise<OpenResults> {
  const found = await findOpen(db, id);
  const sheets = waitingSheets.parse(JSON.parse(found?.waiting ?? '[]'));
  return {
    getWaitingFor: (semester) =>
      sheets.flatMap(({ taken_in, ...sheet }) => (taken_in === semester ? [sheet] : [])),
    findUngraded: ungradedFinder(found?.ungraded ?? '[]'),
  };
}
