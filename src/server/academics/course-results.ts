import type { Tx } from '../db/schema.ts';
import type { Subject } from './semester-json.ts';

/** A result as it counts: of a course of the catalogue, and graded. */
type Result = Pick<Subject, 'course_id' | 'half_points'>;

/** Changes of counts, put together before they are stored: so nobody has to wait for one who changes many in pieces. */
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
      // Always in one order, so that two transactions can't each wait for the other.
      .toSorted((a, b) => a.course_id - b.course_id || a.half_points - b.half_points);
    for (let i = 0; i < values.length; i += CHUNK) {
      await tx
        .insertInto('course_results')
        .values(values.slice(i, i + CHUNK))
        .onConflict((conflict) =>
          conflict.columns(['course_id', 'half_points']).doUpdateSet((eb) => ({
            results: eb('course_results.results', '+', eb.ref('excluded.results')),
          })),
        )
        .execute();
    }
  }
}

/** Courses and grades in one statement. */
const CHUNK = 500;

/**
 * Counts grades into what the catalogue's courses have been passed and failed with, within the transaction that
 * stores them.
 *
 * @param added results that there are now; those before are `removed`
 */
export async function countResults(
  tx: Tx,
  { added = [], removed = [] }: { added?: readonly Result[]; removed?: readonly Result[] },
): Promise<void> {
  const counts = new ResultCounts();
  counts.add(removed, -1);
  counts.add(added, 1);
  await counts.store(tx);
}
