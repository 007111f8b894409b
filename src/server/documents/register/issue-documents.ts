import type { CallReply } from '../../../contract/calls.ts';
import {
  DOCUMENTS_AT_ONCE,
  type DocumentsInput,
  type documentCalls,
  type RefusedStudent,
} from '../../../contract/documents/documents.ts';
import type { Institution } from '../../../contract/installation/institution.ts';
import { DOCUMENT_TITLES } from '../../../domain/documents/kinds.ts';
import { plural } from '../../../domain/format-count.ts';
import type { Deps } from '../../app-types.ts';
import type { Tx } from '../../db/schema.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { Actor } from '../../http/actor.ts';
import { transactAs, type VerifiedActor } from '../../http/transact-as.ts';
import { findSigningKey, getSigningKey, type SigningKey } from '../verification/signing-keys.ts';
import { addBatch, type BatchRow, presentWithSerials } from './batches.ts';
import { presentWithRecords } from './documents.ts';
import type { Issuer, Records } from './issuer.ts';
import type { DocumentOrder } from './make-documents.ts';
import { findHeld, selectStudents, toHeldStudent } from './selection.ts';

export const UNNAMED_TEXT = 'An administrator names the institution in the settings first.';

interface IssueRequest {
  input: DocumentsInput;
  actor: Actor;
  institution: Institution;
  /** Address of this installation. */
  site: string;
}

interface CreatedBatch {
  etag: string;
  reply: CallReply<(typeof documentCalls.calls)['POST /api/documents']>;
}

/** Runs the transaction that makes the batch, and sends its reply. */
type Commit = (act: (tx: Tx, author: VerifiedActor) => Promise<CreatedBatch>) => Promise<unknown>;

interface Issued {
  /** Undefined for a call that was answered as before. */
  batchId: number | undefined;
  /** Issues the documents of a large batch, which go on after the reply. */
  issueLater?: () => Promise<void>;
}

/**
 * Makes a batch of documents. Few official ones are issued with it, in one transaction; more of them afterwards. Unofficial ones are only
 * noted, and made whenever they are fetched.
 *
 * @param commit may be called again when the documents were outdated
 * @throws ValidationError where no student gets a document, and for official ones while the institution has no name; AppError
 * forbidden where somebody else than an administrator overrides a hold
 */
export async function issueDocuments(
  { db, secrets, issuer }: Pick<Deps, 'db' | 'secrets'> & { issuer: Issuer },
  { input, actor, institution, site }: IssueRequest,
  commit: Commit,
): Promise<Issued> {
  if (input.override != null && actor.role !== 'admin')
    throw new AppError('forbidden', 'Only an administrator can issue a paper in spite of a hold.');
  if (input.official && institution.name === null) throw invalidField('official', UNNAMED_TEXT);
  const { students, refused, records } = await selectStudents(db.read, input);
  if (students.length === 0) throw noStudentsError(input, refused);
  const order: DocumentOrder = {
    kind: input.kind,
    semester: input.semester ?? null,
    official: input.official,
    portrait: input.portrait ?? false,
    purpose: input.purpose,
    to: input.to,
    site,
    printedBy: actor.name,
    ...(input.override != null && { override: input.override }),
  };
  const addOnly = async () => {
    let batchId: number | undefined;
    await commit(async (tx, author) => {
      const batch = await addBatch(tx, author, order, await leaveOutHeld(tx, input, { students, refused }));
      batchId = batch.batch_id;
      return toReply(tx, order, batch, new Map());
    });
    return batchId;
  };
  if (!order.official) return { batchId: await addOnly() };
  const key = await requireSigningKey({ db, secrets }, actor);
  if (students.length > DOCUMENTS_AT_ONCE) {
    const batchId = await addOnly();
    // A repeated call is answered as before: the first one issues them.
    if (batchId === undefined) return { batchId };
    const author = { id: actor.id, name: actor.name };
    return { batchId, issueLater: () => issuer.run(batchId, students, { order, key, institution, author }) };
  }
  let batchId: number | undefined;
  await issuer.issue(students, { order, key, institution, records }, (store, unprintable) =>
    commit(async (tx, author) => {
      const left = [...refused, ...unprintable];
      const printable = students.filter((id) => !unprintable.some(({ student_id }) => student_id === id));
      if (printable.length === 0) throw noStudentsError(input, left);
      const batch = await addBatch(tx, author, order, { students: printable, refused: left }, true);
      batchId = batch.batch_id;
      return toReply(tx, order, batch, await store(tx, author, batchId));
    }),
  );
  return { batchId };
}

async function requireSigningKey(
  { db, secrets }: Pick<Deps, 'db' | 'secrets'>,
  actor: Actor,
): Promise<SigningKey> {
  return (
    (await findSigningKey(db.write, secrets)) ??
    transactAs(db.write, actor, (tx, author) => getSigningKey(tx, secrets, author))
  );
}

/** @param records of the students whose documents were issued in this transaction */
async function toReply(tx: Tx, order: DocumentOrder, row: BatchRow, records: Records): Promise<CreatedBatch> {
  const batchId = row.batch_id;
  const rows =
    records.size === 0
      ? []
      : await tx
          .selectFrom('documents')
          .selectAll()
          .where('batch_id', '=', batchId)
          .orderBy('serial')
          .execute();
  const documents = presentWithRecords(rows, records);
  const [first = null, last = null] = [rows.at(0)?.serial, rows.at(-1)?.serial];
  const batch = presentWithSerials(row, { count: rows.length, first, last });
  const message = createdText(order, { documents: documents.length, students: batch.progress.of });
  return { etag: `"batch${batchId}"`, reply: { message, batch_id: batchId, documents, batch } };
}

/**
 * Unofficial papers have no other transaction, so holds that were placed meanwhile are looked for in this one. Official ones are
 * checked when they are registered.
 */
async function leaveOutHeld(
  tx: Tx,
  input: DocumentsInput,
  { students, refused }: { students: readonly string[]; refused: readonly RefusedStudent[] },
) {
  const held = input.official ? new Map() : await findHeld(tx, students, input);
  if (held.size === 0) return { students, refused };
  const named = await tx
    .selectFrom('students')
    .select(['id', 'first_name', 'last_name'])
    .where('id', 'in', [...held.keys()])
    .execute();
  const all = [
    ...refused,
    ...named.map(({ id, ...names }) => toHeldStudent({ student_id: id, ...names }, held.get(id))),
  ];
  const left = students.filter((id) => !held.has(id));
  if (left.length === 0) throw noStudentsError(input, all);
  return { students: left, refused: all };
}

/** Why there is no document at all, on the field that named the students. */
function noStudentsError({ ids }: DocumentsInput, refused: readonly RefusedStudent[]) {
  const field = ids === undefined ? 'filter' : 'ids';
  const [first] = refused;
  if (first === undefined) return invalidField(field, 'No student matches.');
  const others = refused.length > 1 ? ` The same or similar for ${refused.length - 1} more.` : '';
  return invalidField(field, `${first.student_id}: ${first.reason}${others}`, { refused });
}

/** `3 transcripts` */
export const documentsText = (
  { kind, official }: Pick<DocumentOrder, 'kind' | 'official'>,
  count: number,
): string => {
  const name = DOCUMENT_TITLES[kind].split(' ').slice(1).join(' ');
  return plural(count, `${official ? '' : 'unofficial '}${name}`);
};

function createdText(
  ordered: Pick<DocumentOrder, 'kind' | 'official'>,
  { documents, students }: { documents: number; students: number },
): string {
  if (!ordered.official) return `${documentsText(ordered, students)} can be fetched.`;
  return documents > 0
    ? `${documentsText(ordered, documents)} issued.`
    : `${documentsText(ordered, students)} are being issued.`;
}
