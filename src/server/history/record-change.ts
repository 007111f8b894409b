import { isDeepStrictEqual } from 'node:util';
import { type Expression, sql } from 'kysely';
import type { HistoryAction, HistoryEntity } from '../../contract/history.ts';
import { serverSha256 } from '../db/dialect/sql.ts';
import { preparedChange, preparedQuery, preparedRowsQuery } from '../db/prepared-query.ts';
import type { Tx } from '../db/schema.ts';
import { canonicalTextAfterId, type Entry } from './chain.ts';
import { addUnlinked, isDeferring } from './links.ts';

/** The maker of a change: a signed-in user, or a program such as the seed, which has no id. */
export interface Author {
  id: number | null;
  name: string;
  /** The entry whose state the change restores. */
  restores?: number;
  /** Excludes the type `Actor`: only a transaction that has verified the actor's rights may pass them as the author. */
  tokenHash?: never;
}

export interface Change {
  action: HistoryAction;
  entity: HistoryEntity;
  entityId: string | number;
  before?: unknown;
  after?: unknown;
  /** Why an administrator made it. It stands beside the state after the change, which a deletion has not. */
  reason?: string | null;
}

/** An entry as it is stored, without its number. */
const toEntry = (author: Author, change: Change, bulkId: number | null): Omit<Entry, 'id'> => ({
  at: new Date().toISOString(),
  user_id: author.id,
  user_name: author.name,
  action: change.action,
  entity: change.entity,
  entity_id: String(change.entityId),
  before: change.before === undefined ? null : JSON.stringify(change.before),
  after: toAfter(author, change),
  bulk_id: bulkId,
});

function toAfter({ restores }: Author, { after, reason = null }: Change): string | null {
  if (after === undefined && reason === null) return null;
  if (restores === undefined && reason === null) return JSON.stringify(after);
  return JSON.stringify({
    ...Object(after),
    ...(restores !== undefined && { restored_from: restores }),
    ...(reason !== null && { reason }),
  });
}

/**
 * Whether an update changes nothing. Such an update stores nothing: it would add an empty entry to the history, and a version
 * without an entry could be given out twice (see {@link firstVersion}). A restore always gets an entry.
 */
export const isNoOp = <Row extends object>(
  { restores }: Author,
  row: Row,
  columns: NoInfer<Partial<Row>>,
): boolean => restores === undefined && isDeepStrictEqual({ ...row, ...columns }, { ...row });

/**
 * Appends who changed what to the history, within the transaction of the change itself.
 *
 * @param bulkId the bulk change that it is part of
 */
export async function recordChange(
  tx: Tx,
  author: Author,
  change: Change,
  bulkId: number | null = null,
): Promise<void> {
  const entry = toEntry(author, change, bulkId);
  if (isDeferring(tx)) await insertPendingEntry(tx, ...toValues(entry), canonicalTextAfterId(entry));
  else await storeEntry(tx, entry);
}

/** The same as {@link recordChange}. @returns the entry's number */
export const recordNumberedChange = (
  tx: Tx,
  author: Author,
  change: Change,
  bulkId: number | null = null,
): Promise<number> => storeEntry(tx, toEntry(author, change, bulkId));

async function storeEntry(tx: Tx, entry: Omit<Entry, 'id'>): Promise<number> {
  const stored = await insertEntry(tx, ...toValues(entry));
  if (stored === undefined) throw new Error('An entry of the history has no number.');
  addUnlinked(tx, { ...entry, ...stored });
  return stored.id;
}

const toValues = (entry: Omit<Entry, 'id'>): EntryValues => [
  ...[entry.at, entry.user_id, entry.user_name, entry.action, entry.entity, entry.entity_id],
  ...[entry.before, entry.after, entry.bulk_id],
];

type Value = string | number | null;
type EntryValues = readonly Value[];

const INSERT_ENTRY = sql<{ id: number }>`
  insert into history (at, user_id, user_name, action, entity, entity_id, "before", "after", bulk_id)
  values (${sql.join(Array.from({ length: 9 }, () => null))}) returning id`;

const insertEntry = preparedQuery<{ id: number }, EntryValues>(() => INSERT_ENTRY);

/** Stores the entry as pending too, in one statement; the server computes the digest, since it assigns the number. */
const insertPendingEntry = preparedChange<[...EntryValues, textAfterId: string]>(() => {
  const text = sql`'[' || id || cast(${''} as text)`;
  return sql`with stored as (${INSERT_ENTRY})
    insert into history_pending (history_id, digest) select id, ${serverSha256(text)} from stored`;
});

/** The same as {@link recordChange}, for many changes with one entry each. */
export async function recordChanges(
  tx: Tx,
  author: Author,
  changes: readonly Change[],
  bulkId: number | null,
): Promise<void> {
  const [first, ...others] = changes;
  if (first === undefined) return;
  if (others.length === 0) return recordChange(tx, author, first, bulkId);
  const entries = changes.map((change) => toEntry(author, change, bulkId));
  const stored = await insertEntries(
    tx,
    entries.map((entry, position) => Object.assign({ position }, entry)),
  );
  // The ids are assigned in the order of the rows, but may be returned in any order.
  const ids = stored.map(({ id }) => id).sort((a, b) => a - b);
  for (const [i, entry] of entries.entries()) {
    const id = ids[i];
    if (id === undefined) throw new Error('An entry of the history has no number.');
    addUnlinked(tx, { ...entry, id });
  }
}

const insertEntries = preparedRowsQuery<'position' | keyof Omit<Entry, 'id'>, { id: number }>(
  {
    position: 'integer',
    at: 'text',
    user_id: 'integer',
    user_name: 'text',
    action: 'text',
    entity: 'text',
    entity_id: 'text',
    before: 'text',
    after: 'text',
    bulk_id: 'integer',
  },
  (_, rows) => sql`
    insert into history (at, user_id, user_name, action, entity, entity_id, "before", "after", bulk_id)
    select at, user_id, user_name, action, entity, entity_id, "before", "after", bulk_id
    from ${rows} e order by position returning id`,
);

/**
 * The first version of a new record: higher than any version of deleted records with the same id, so that an old ETag never
 * matches the new record. Every change of a version has an entry in the history, so their number is enough.
 */
export async function firstVersion(
  tx: Tx,
  entities: readonly Change['entity'][],
  id: string | number,
): Promise<number> {
  const versions = await firstVersions(tx, entities, [String(id)]);
  return versions.get(String(id)) ?? 1;
}

/** {@link firstVersion} of many records. */
export async function firstVersions(
  tx: Tx,
  entities: readonly Change['entity'][],
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const versions = new Map(ids.map((id) => [id, 1]));
  const kinds = [...versions.keys()].flatMap((id) => entities.map((entity) => ({ entity, id })));
  const rows = await findCounts(tx, kinds);
  for (const { entity_id, changes } of rows)
    versions.set(entity_id, (versions.get(entity_id) ?? 1) + Number(changes));
  return versions;
}

/** Counts entries by entity and ID: a range of an index each. */
const findCounts = preparedRowsQuery<'entity' | 'id', { entity_id: string; changes: number }>(
  { entity: 'text', id: 'text' },
  (_, rows) => sql`
    select l.id as entity_id,
      (select count(*) from history h where h.entity = l.entity and h.entity_id = l.id) as changes
    from ${rows} l`,
);

/** The number of entries of a record, for a statement that stores a {@link firstVersion} itself. */
export const countEntries = (entities: readonly HistoryEntity[], id: Expression<unknown>) => sql<number>`
  (select count(*) from history h
    where h.entity in (${sql.join(entities.map((entity) => sql.lit(entity)))}) and h.entity_id = ${id})`;

/** The entities whose history is kept under a student's id. */
export const STUDENT_ENTITIES = [
  'student',
  'family',
  'semester',
  'exception',
  'outside-credit',
  'hold',
] as const;
export const COURSE_ENTITIES = ['course', 'marks'] as const;
