import type { Selectable } from 'kysely';
import { z } from 'zod';
import {
  type DocumentBatch,
  documentBatch,
  type RefusedStudent,
} from '../../../contract/documents/documents.ts';
import { DOCUMENT_KINDS } from '../../../domain/documents/kinds.ts';
import type { Db, DocumentBatchesTable, Tx } from '../../db/schema.ts';
import { AppError } from '../../errors.ts';
import { type Author, recordChange } from '../../history/record-change.ts';
import type { DocumentOrder } from './make-documents.ts';

export type BatchRow = Selectable<DocumentBatchesTable>;

/** Without a report for this long, the process that issued the documents has ended. Each report follows a few documents. */
const ABANDONED_AFTER_MS = 60_000;

const order = z.object({
  kind: z.enum(DOCUMENT_KINDS),
  semester: z.int().nullable(),
  official: z.boolean(),
  portrait: z.boolean(),
  purpose: z.string().nullable(),
  to: z.string().nullable(),
  site: z.string(),
  printedBy: z.string(),
  override: z.string().optional(),
});

export const parseOrder = ({ choices }: Pick<BatchRow, 'choices'>): DocumentOrder =>
  order.parse(JSON.parse(choices));

export const parseStudents = ({ students }: Pick<BatchRow, 'students'>): string[] =>
  z.array(z.string()).parse(JSON.parse(students));

export const parseRefused = ({ refused }: Pick<BatchRow, 'refused'>): RefusedStudent[] =>
  documentBatch.shape.refused.parse(JSON.parse(refused));

/**
 * Adds a batch. Unofficial documents are ready at once: they are made when they are fetched.
 *
 * @param isIssued the official documents are issued in this transaction
 */
export async function addBatch(
  tx: Tx,
  author: Author & { id: number },
  ordered: DocumentOrder,
  { students, refused }: { students: readonly string[]; refused: readonly RefusedStudent[] },
  isIssued = false,
): Promise<BatchRow> {
  const isDone = isIssued || !ordered.official;
  const at = new Date().toISOString();
  const row = await tx
    .insertInto('document_batches')
    .values({
      kind: ordered.kind,
      semester: ordered.semester,
      is_official: ordered.official ? 1 : 0,
      choices: JSON.stringify(ordered),
      students: JSON.stringify(students),
      refused: JSON.stringify(refused),
      done: isDone ? students.length : 0,
      of: students.length,
      state: isDone ? 'done' : 'running',
      created_at: at,
      seen_at: at,
      user_id: author.id,
      user_name: author.name,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  if (!ordered.official) {
    await recordChange(tx, author, {
      action: 'create',
      entity: 'document',
      entityId: `unofficial ${row.batch_id}`,
      after: {
        kind: ordered.kind,
        ...(ordered.semester !== null && { semester: ordered.semester }),
        students: students.length,
        ids: students.slice(0, 20).join(', '),
        to: ordered.to,
        purpose: ordered.purpose,
        ...(ordered.override !== undefined && { override: ordered.override }),
      },
    });
  }
  return row;
}

/** @throws AppError not-found */
export async function requireBatch(db: Db, batchId: number): Promise<BatchRow> {
  const row = await db
    .selectFrom('document_batches')
    .selectAll()
    .where('batch_id', '=', batchId)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('not-found', 'There is no such batch of documents.');
  return row;
}

const getState = ({ state, seen_at }: BatchRow): BatchRow['state'] =>
  state === 'running' && seen_at < new Date(Date.now() - ABANDONED_AFTER_MS).toISOString()
    ? 'interrupted'
    : state;

export async function presentBatch(db: Db, row: BatchRow): Promise<DocumentBatch> {
  const issued = await db
    .selectFrom('documents')
    .select((eb) => [
      eb.fn.countAll().as('count'),
      eb.fn.min('serial').as('first'),
      eb.fn.max('serial').as('last'),
    ])
    .where('batch_id', '=', row.batch_id)
    .executeTakeFirstOrThrow();
  return presentWithSerials(row, { ...issued, count: Number(issued.count) });
}

/** {@link presentBatch} with how many documents are issued, and the first and last of their serials. */
export function presentWithSerials(
  row: BatchRow,
  issued: { count: number; first: string | null; last: string | null },
): DocumentBatch {
  const { purpose, to } = parseOrder(row);
  const isOfficial = row.is_official === 1;
  return {
    batch_id: row.batch_id,
    kind: row.kind,
    semester: row.semester,
    official: isOfficial,
    state: getState(row),
    progress: { done: row.done, of: row.of },
    refused: parseRefused(row),
    documents: isOfficial ? issued.count : row.done,
    first_serial: issued.first,
    last_serial: issued.last,
    student_id: row.of === 1 ? (parseStudents(row)[0] ?? null) : null,
    to,
    purpose,
    created_at: row.created_at,
    created_by: { id: row.user_id, name: row.user_name },
  };
}

/** Has no further documents issued. Those issued stay. @throws AppError conflict when it has ended */
export async function cancelBatch(tx: Tx, batchId: number): Promise<void> {
  await requireBatch(tx, batchId);
  const cancelled = await tx
    .updateTable('document_batches')
    .set({ state: 'cancelled' })
    .where('batch_id', '=', batchId)
    .where('state', '=', 'running')
    .returning('batch_id')
    .executeTakeFirst();
  if (cancelled === undefined)
    throw new AppError('conflict', 'All documents of this batch have been issued.');
}
