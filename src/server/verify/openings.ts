import { isDeepStrictEqual } from 'node:util';
import type { Db } from '../db/schema.ts';
import { parseState } from '../history/fields.ts';
import { openingState } from '../marksheets/openings/open-term.ts';

/** Finds openings of terms that differ from their latest entry, or lack one. */
export async function* incorrectOpenings(db: Db): AsyncGenerator<string> {
  const entries = await db
    .selectFrom('history')
    .select(['entity_id', 'after'])
    .where('entity', '=', 'opening')
    .orderBy('id')
    .execute();
  const recorded = new Map(
    entries.map(({ entity_id, after }) => {
      const { term: _, sheets: __, ...state } = parseState(after);
      return [Number(entity_id), state];
    }),
  );
  const openings = await db.selectFrom('openings').selectAll().orderBy('opening_id').execute();
  for (const row of openings) {
    if (!isDeepStrictEqual(openingState(row), recorded.get(row.opening_id)))
      yield `Opening ${row.opening_id}: differs from the history.`;
    recorded.delete(row.opening_id);
  }
  for (const id of recorded.keys()) yield `Opening ${id}: is missing.`;
}
