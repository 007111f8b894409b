import { sql } from 'kysely';
import { chunks } from '../../chunks.ts';
import { preparedRowsChange } from '../../db/prepared-query.ts';
import type { Tx } from '../../db/schema.ts';
import type { Subject } from '../semester-slots.ts';
import { CHUNK_SIZE } from './cohort-counts.ts';

/** Counted if it has a grade and a course ID, with or without credit hours. */
type Result = Pick<Subject, 'course_id' | 'half_points'>;

/** Collects changes of the counts and stores each sum once, so that the count rows are locked only briefly. */
export class ResultCounts {
  readonly #changes = new Map<string, { course_id: number; half_points: number; results: number }>();

  add(subjects: readonly Result[], by: 1 | -1): void {
    for (const { course_id, half_points } of subjects) {
      if (course_id === null || half_points === null) continue;
      const key = `${course_id} ${half_points}`;
      const change = this.#changes.get(key) ?? { course_id, half_points, results: 0 };
      change.results += by;
      this.#changes.set(key, change);
    }
  }

  async store(tx: Tx): Promise<void> {
    const values = [...this.#changes.values()]
      .filter(({ results }) => results !== 0)
      // Always in the same order, to avoid deadlocks.
      .toSorted((a, b) => a.course_id - b.course_id || a.half_points - b.half_points);
    for (const some of chunks(values, CHUNK_SIZE)) await addResults(tx, some);
  }
}

const addResults = preparedRowsChange(
  { course_id: 'bigint', half_points: 'integer', results: 'integer' },
  (_, rows) => sql`
    insert into course_results (course_id, half_points, results)
    select course_id, half_points, results from ${rows} l where true
    on conflict (course_id, half_points) do update set results = course_results.results + excluded.results`,
);

/** The results of students that may be counted. */
export const readCounted = (tx: Tx, ids: readonly string[]): Promise<Result[]> =>
  tx
    .selectFrom('semester_subjects')
    .select(['course_id', 'half_points'])
    .where('student_id', 'in', ids)
    .where('course_id', 'is not', null)
    .execute();

/** Updates the number of results per course and grade, in the transaction that stores the results. */
export async function countResults(
  tx: Tx,
  { added = [], removed = [] }: { added?: readonly Result[]; removed?: readonly Result[] },
): Promise<void> {
  const counts = new ResultCounts();
  counts.add(removed, -1);
  counts.add(added, 1);
  await counts.store(tx);
}
