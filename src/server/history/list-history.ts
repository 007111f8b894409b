import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import {
  HISTORY_ACTIONS,
  HISTORY_ENTITIES,
  HISTORY_PAGE,
  type HistoryAction,
  type HistoryEntity,
  type HistoryPage,
} from '../../contract/history.ts';
import type { Db } from '../db/schema.ts';
import { invalid } from '../errors.ts';
import { presentEntries } from './present-entry.ts';

export interface HistoryFilter {
  /** All where it is not given. */
  entities?: readonly HistoryEntity[];
  entityId?: string;
  /** No entry before this one. */
  since?: number;
  action?: HistoryAction | undefined;
  user?: number | undefined;
  /** Moments of UTC, `until` not included. */
  from?: string | undefined;
  until?: string | undefined;
}

const place = z.strictObject({ at: z.iso.datetime(), id: z.int32() });
type Place = z.infer<typeof place>;

/**
 * A page of the history, the latest entry first.
 *
 * Entries of each kind lie in the order of the list in an index of their own, everybody's and one person's; a page takes
 * a short stretch of each and merges them, however many others there are. Of one record there are few, and they are put
 * in order.
 */
export async function listHistory(
  db: Db,
  filter: HistoryFilter,
  { limit = HISTORY_PAGE.usual, cursor }: { limit?: number | undefined; cursor?: string | undefined },
): Promise<HistoryPage> {
  const after = readCursor(cursor);
  const entries = filter.entities ?? HISTORY_ENTITIES;
  const actions = filter.action === undefined ? HISTORY_ACTIONS : [filter.action];
  const stretches =
    filter.entityId === undefined
      ? entries.flatMap((entity) =>
          actions.map((action) => stretch({ ...filter, entity, action }, after, limit)),
        )
      : entries.map((entity) => stretch({ ...filter, entity }, after, limit));
  const { rows: places } = await sql<Place>`
    select id, at from (${sql.join(stretches, sql` union all `)}) s order by at desc, id desc limit ${limit + 1}`.execute(
    db,
  );
  const shown = places.slice(0, limit);
  const last = shown.at(-1);
  return {
    entries: await presentEntries(await entriesAt(db, shown)),
    next_cursor: places.length > limit && last !== undefined ? cursorOf(last) : null,
  };
}

/** The next places of one kind of entry, by the index that holds them in this order. */
function stretch(
  {
    entity,
    entityId,
    since,
    action,
    user,
    from,
    until,
  }: Omit<HistoryFilter, 'entities'> & { entity: HistoryEntity },
  after: Place | undefined,
  limit: number,
): RawBuilder<unknown> {
  const conditions = [
    ...(user === undefined ? [] : [sql`user_id = ${user}`]),
    sql`entity = ${entity}`,
    ...(entityId === undefined ? [] : [sql`entity_id = ${entityId}`]),
    ...(since === undefined ? [] : [sql`id >= ${since}`]),
    ...(action === undefined ? [] : [sql`action = ${action}`]),
    ...(from === undefined ? [] : [sql`at >= ${from}`]),
    ...(until === undefined ? [] : [sql`at < ${until}`]),
    ...(after === undefined ? [] : [sql`(at, id) < (${after.at}, ${after.id})`]),
  ];
  return sql`select * from (select id, at from history where ${sql.join(conditions, sql` and `)}
    order by at desc, id desc limit ${limit + 1}) e`;
}

function entriesAt(db: Db, places: readonly Place[]) {
  const ids = places.map(({ id }) => id);
  if (ids.length === 0) return [];
  return db
    .selectFrom('history')
    .leftJoin('bulk_changes', 'bulk_changes.id', 'history.bulk_id')
    .selectAll('history')
    .select('bulk_changes.students')
    .where('history.id', 'in', ids)
    .orderBy('history.at', 'desc')
    .orderBy('history.id', 'desc')
    .execute();
}

const cursorOf = ({ at, id }: Place) => Buffer.from(JSON.stringify({ at, id })).toString('base64url');

function readCursor(text: string | undefined): Place | undefined {
  if (text === undefined) return undefined;
  try {
    return place.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  } catch {
    throw invalid('cursor', 'The cursor must be the next_cursor of a page with the same filters.');
  }
}
