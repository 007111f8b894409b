import type { Tx } from '../db/schema.ts';
import type { Subject } from './semester-json.ts';

/**
 * Counts grades into what the catalogue's courses have been passed and failed with, within the transaction that
 * stores them.
 *
 * @param added results that there are now; those before are `removed`
 */
export async function countResults(
  tx: Tx,
  { added = [], removed = [] }: { added?: readonly Subject[]; removed?: readonly Subject[] },
): Promise<void> {
  const changes = new Map<string, { course_id: number; half_points: number; results: number }>();
  const count = (subjects: readonly Subject[], by: number) => {
    for (const { course_id, half_points } of subjects) {
      if (course_id === null || half_points === null) continue;
      const key = `${course_id} ${half_points}`;
      const change = changes.get(key) ?? { course_id, half_points, results: 0 };
      change.results += by;
      changes.set(key, change);
    }
  };
  count(removed, -1);
  count(added, 1);
  const values = [...changes.values()]
    .filter(({ results }) => results !== 0)
    // Always in one order, so that two transactions can't each wait for the other.
    .toSorted((a, b) => a.course_id - b.course_id || a.half_points - b.half_points);
  if (values.length === 0) return;
  await tx
    .insertInto('course_results')
    .values(values)
    .onConflict((conflict) =>
      conflict
        .columns(['course_id', 'half_points'])
        .doUpdateSet((eb) => ({ results: eb('course_results.results', '+', eb.ref('excluded.results')) })),
    )
    .execute();
}
