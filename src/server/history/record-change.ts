import { isDeepStrictEqual } from 'node:util';
import type { HistoryAction, HistoryEntity } from '../../contract/history.ts';
import type { Tx } from '../db/schema.ts';
import type { Entry } from './chain.ts';
import { linkLater } from './link-entries.ts';

/** Who makes a change: a signed-in person, or a program such as the seed, which has a name alone. */
export interface Author {
  id: number | null;
  name: string;
  /** The entry whose state the change brings back. */
  restores?: number;
}

export interface Change {
  action: HistoryAction;
  entity: HistoryEntity;
  entityId: string | number;
  before?: unknown;
  after?: unknown;
}

/** An entry as it is stored, without its number. */
export const entryOf = (author: Author, change: Change, bulkId: number | null = null): Omit<Entry, 'id'> => ({
  at: new Date().toISOString(),
  user_id: author.id,
  user_name: author.name,
  action: change.action,
  entity: change.entity,
  entity_id: String(change.entityId),
  before: change.before === undefined ? null : JSON.stringify(change.before),
  after: change.after === undefined ? null : JSON.stringify(withOrigin(author, change.after)),
  bulk_id: bulkId,
});

const withOrigin = ({ restores }: Author, after: unknown) =>
  restores === undefined ? after : { ...Object(after), restored_from: restores };

/**
 * Whether an update would leave all as it is. Such a one stores nothing and answers what is there: its entry would tell of
 * a change that was none, and a version without an entry could come again with the ID (see `firstVersion`). Bringing back
 * an earlier state is always told.
 */
export const changesNothing = <Row extends object>(
  { restores }: Author,
  row: Row,
  columns: NoInfer<Partial<Row>>,
): boolean => restores === undefined && isDeepStrictEqual({ ...row, ...columns }, { ...row });

/**
 * Appends who changed what to the history, within the transaction of the change itself.
 *
 * @returns the entry's number
 */
export async function recordChange(tx: Tx, author: Author, change: Change): Promise<number> {
  const entry = entryOf(author, change);
  const { id } = await tx.insertInto('history').values(entry).returning('id').executeTakeFirstOrThrow();
  linkLater(tx, { ...entry, id });
  return id;
}
