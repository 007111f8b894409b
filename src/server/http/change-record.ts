import type { HistoryEntity } from '../../contract/history.ts';
import type { Tx } from '../db/schema.ts';
import { type Author, isNoOp, recordChange } from '../history/record-change.ts';
import { requireVersion } from './etags.ts';

/** A plain record: a row with a version, whose history is kept under its id. */
export interface RecordKind<Row extends { version: number }> {
  entity: HistoryEntity;
  /** All that its history is about; by default the entity alone. */
  entities?: readonly HistoryEntity[];
  /** The part of the entity tag for a version. */
  versionPart: (version: number) => string;
  /** The row as it goes over the wire and into the history. */
  present: (row: Row) => object;
}

/** A row that is locked until the transaction ends. */
interface LockedRecord<Row> {
  id: string | number;
  row: Row;
}

/**
 * Rejects a change that is based on an outdated version of a record.
 *
 * @throws AppError stale, with the current record
 */
export const requireCurrent = <Row extends { version: number }>(
  tx: Tx,
  { entity, entities = [entity], versionPart, present }: RecordKind<Row>,
  { id, row }: LockedRecord<Row>,
  ifMatch: string | undefined,
): Promise<void> =>
  requireVersion(tx, ifMatch, { part: versionPart(row.version), current: present(row), entities, id });

/**
 * Stores these columns under the next version, with an entry in the history. A change of nothing stores nothing, see
 * {@link isNoOp}.
 *
 * @param store checks what the change requires, writes the row and answers it
 * @returns the row as it is stored now
 */
export async function changeRecord<Row extends { version: number }>(
  tx: Tx,
  author: Author,
  { entity, present }: RecordKind<Row>,
  {
    id,
    row,
    columns,
    store,
  }: LockedRecord<Row> & { columns: NoInfer<Partial<Row>>; store: (version: number) => Promise<Row> },
): Promise<Row> {
  if (isNoOp(author, row, columns)) return row;
  const after = await store(row.version + 1);
  await recordChange(tx, author, {
    action: 'update',
    entity,
    entityId: id,
    before: present(row),
    after: present(after),
  });
  return after;
}
