import type { Tx } from '../db/schema.ts';
import type { Change } from './record-change.ts';

/**
 * The version that a new record starts with: above any that a deleted record of the same id ever had, so that nobody's
 * older copy of that one is taken for this one. Every change of a version has an entry in the history.
 */
export async function firstVersion(
  tx: Tx,
  entities: readonly Change['entity'][],
  id: string | number,
): Promise<number> {
  const { changes } = await tx
    .selectFrom('history')
    .select((eb) => eb.fn.countAll().as('changes'))
    .where('entity', 'in', entities)
    .where('entity_id', '=', String(id))
    .executeTakeFirstOrThrow();
  return Number(changes) + 1;
}

/** The same for many records at once. */
export async function firstVersions(
  tx: Tx,
  entities: readonly Change['entity'][],
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx
    .selectFrom('history')
    .select((eb) => ['entity_id', eb.fn.countAll().as('changes')])
    .where('entity', 'in', entities)
    .where('entity_id', 'in', ids)
    .groupBy('entity_id')
    .execute();
  const changes = new Map(rows.map((row) => [row.entity_id, Number(row.changes)]));
  return new Map(ids.map((id) => [id, (changes.get(id) ?? 0) + 1]));
}

/** All that is kept under a student's id. */
export const OF_STUDENT = ['student', 'family', 'semester'] as const;
export const OF_COURSE = ['course', 'marks'] as const;
