import { isDeepStrictEqual } from 'node:util';
import type { HistoryEntity } from '../../contract/history.ts';
import type { Db } from '../db/schema.ts';
import type { Entry } from '../history/chain.ts';
import type { RecordState } from '../history/fields.ts';

/** Entries read by one query. */
const PAGE = 2_000;

export type StateEntry = Pick<Entry, 'id' | 'action' | 'entity' | 'entity_id' | 'before' | 'after'>;

/** The history entries of the given records, in the order in which they were written. */
export async function* findEntries(
  db: Db,
  entities: readonly HistoryEntity[],
  ids: readonly string[],
): AsyncGenerator<StateEntry> {
  for (let last = 0; ids.length > 0; ) {
    const page = await db
      .selectFrom('history')
      .select(['id', 'action', 'entity', 'entity_id', 'before', 'after'])
      .where('entity', 'in', entities)
      .where('entity_id', 'in', ids)
      .where('id', '>', last)
      .orderBy('id')
      .limit(PAGE)
      .execute();
    yield* page;
    const end = page.at(-1);
    if (end === undefined || page.length < PAGE) return;
    last = end.id;
  }
}

/** The whole entries of these records, in the order in which they were written. For few records. */
export const findWrittenEntries = (db: Db, entity: HistoryEntity, ids: readonly string[]): Promise<Entry[]> =>
  db
    .selectFrom('history')
    .selectAll()
    .where('entity', '=', entity)
    .where('entity_id', 'in', ids)
    .orderBy('id')
    .execute();

/** Beyond this a date is not that of the transaction which wrote the entry. */
const MAX_TRANSACTION_MS = 10 * 60_000;

/** Whether a record says of a change who made it, and when, as its entry does. */
export const isWrittenBy = (
  entry: Pick<Entry, 'user_id' | 'user_name' | 'at'>,
  author: { user_id: number | null; user_name: string | null },
  at: string | null,
): boolean =>
  entry.user_id === author.user_id &&
  entry.user_name === author.user_name &&
  Math.abs(Date.parse(entry.at) - Date.parse(at ?? '')) <= MAX_TRANSACTION_MS;

/** Up to `limit` record ids in the history that follow the id `after` in order; `''` starts with the first. */
export async function findIdsInHistory(
  db: Db,
  entity: HistoryEntity,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('history')
    .select('entity_id')
    .distinct()
    .where('entity', '=', entity)
    .where('entity_id', '>', after)
    .orderBy('entity_id')
    .limit(limit)
    .execute();
  return rows.map(({ entity_id }) => entity_id);
}

/**
 * The fields of the record whose value differs from the expected state. Fields that the state lacks are not compared: an
 * older version may have written it.
 */
export const findDifferingFields = (expected: RecordState, record: object): string[] =>
  Object.entries(record).flatMap(([field, value]) =>
    field in expected && !isSame(expected[field], value) ? field : [],
  );

/** Tolerates rounding errors: calculated numbers may differ in their last digits. */
const isSame = (expected: unknown, value: unknown) =>
  expected === value ||
  (typeof expected === 'number' &&
    typeof value === 'number' &&
    Math.abs(expected - value) <= 1e-9 * Math.max(1, Math.abs(expected))) ||
  isDeepStrictEqual(expected, value);
