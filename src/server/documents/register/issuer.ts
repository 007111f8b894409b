import { DOCUMENTS_AT_ONCE, type RefusedStudent } from '../../../contract/documents/documents.ts';
import type { Institution } from '../../../contract/installation/institution.ts';
import { calendarDate } from '../../../domain/age.ts';
import { computeFigures } from '../../../domain/documents/figures.ts';
import { serialNumber } from '../../../domain/documents/serial.ts';
import { documentBlock } from '../../../domain/holds.ts';
import { chunks } from '../../chunks.ts';
import type { Database } from '../../db/database.ts';
import { advisoryLock, forShareOf } from '../../db/dialect/locks.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { AppError } from '../../errors.ts';
import { type Author, recordChanges } from '../../history/record-change.ts';
import { transact } from '../../history/transaction.ts';
import { type Blocked, findBlocked } from '../../students/holds/blocks.ts';
import { noteOverride } from '../../students/holds/write-holds.ts';
import { studentName } from '../content/content.ts';
import { hashFigures, readRecords, type StoredRecord } from '../content/records.ts';
import type { Printer } from '../pdf/printer.ts';
import type { SigningKey } from '../verification/signing-keys.ts';
import { parseRefused, requireBatch } from './batches.ts';
import { hashCodes, hashFile } from './document-hashes.ts';
import type { DocumentOverride } from './documents.ts';
import {
  type DocumentOrder,
  makeContents,
  Pictures,
  type SignedDocument,
  signDocuments,
  toPrintJob,
} from './make-documents.ts';
import { toHeldStudent } from './selection.ts';

/** Attempts to issue documents whose serials were taken, or whose records changed, while they were printed. */
const MAX_ATTEMPTS = 10;

type PrintedDocument = SignedDocument & { pdf: Uint8Array };

interface PrintedDocuments {
  documents: PrintedDocument[];
  /** Students whose document can't be printed, or whose results are gone. */
  refused: RefusedStudent[];
}

/** The documents to issue, with which key, and the institution as it was when they were asked for. */
interface IssueTask {
  order: DocumentOrder;
  key: SigningKey;
  institution: Institution;
}

/** The prepared documents can't be registered as they are: they have to be made again, but for students with a hold. */
class Outdated extends Error {
  readonly held: readonly RefusedStudent[];

  constructor(held: readonly RefusedStudent[] = []) {
    super('The documents are outdated.');
    this.held = held;
  }
}

/** The next number in the register of a year. */
async function nextNumber(db: Db, year: string): Promise<number> {
  const { last } = await db
    .selectFrom('documents')
    .select((eb) => eb.fn.max('serial').as('last'))
    .where('serial', '>', `${year}-`)
    .where('serial', '<', `${year}.`)
    .executeTakeFirstOrThrow();
  return last === null ? 1 : serialNumber(last) + 1;
}

/**
 * Issues documents: makes them with the next serials, prints them, and registers all of them in one transaction if the serials are
 * still free and the records unchanged; otherwise it makes them again. So the register has no gaps and no half documents, and no
 * transaction waits for the printer.
 */
export class Issuer {
  readonly #db: Database;
  readonly #printer: Printer;
  /** The documents of this process are issued one after the other: they need serials that follow each other. */
  #last: Promise<unknown> = Promise.resolve();
  #isStopping = false;

  constructor(db: Database, printer: Printer) {
    this.#db = db;
    this.#printer = printer;
  }

  /** Batches end after the documents that are being issued. */
  stop(): void {
    this.#isStopping = true;
  }

  /**
   * Issues a few documents in the transaction that `commit` runs.
   *
   * @param task.records of the students with their terms, as they have just been read
   * @param commit may be called again when the documents were outdated; `store` registers them for a batch
   */
  issue<Result>(
    students: readonly string[],
    { records, ...task }: IssueTask & { records?: Records },
    commit: (store: StoreDocuments, refused: readonly RefusedStudent[]) => Promise<Result>,
  ): Promise<Result> {
    const issued = this.#last.then(async () => {
      let left = students;
      let held: readonly RefusedStudent[] = [];
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        const printed = await printDocuments(
          { db: this.#db.read, printer: this.#printer },
          left,
          task,
          attempt === 0 ? records : undefined,
        );
        try {
          return await commit(
            (tx, author, batchId) => storeDocuments(tx, author, { ...printed, order: task.order, batchId }),
            [...held, ...printed.refused],
          );
        } catch (error) {
          if (!(error instanceof Outdated)) throw error;
          held = [...held, ...error.held];
          left = left.filter((id) => !error.held.some(({ student_id }) => student_id === id));
        }
      }
      throw new AppError('unavailable', 'Many documents are being issued at the moment. Try again.', {
        retryAfter: 5,
      });
    });
    this.#last = issued.catch(() => {});
    return issued;
  }

  /** Issues all documents of a batch, some at a time, until it is cancelled: after the reply, so it opens its own transactions. */
  async run(
    batchId: number,
    students: readonly string[],
    { author, ...task }: IssueTask & { author: Author },
  ): Promise<void> {
    try {
      let done = 0;
      for (const some of chunks(students, DOCUMENTS_AT_ONCE)) {
        if (this.#isStopping) return await this.#end(batchId, 'interrupted');
        done += some.length;
        const goesOn = await this.issue(some, task, (store, refused) =>
          transact(this.#db.write, async (tx) => {
            const batch = await requireBatch(tx, batchId);
            if (batch.state !== 'running') return false;
            await store(tx, author, batchId);
            await tx
              .updateTable('document_batches')
              .set({
                done,
                seen_at: new Date().toISOString(),
                ...(refused.length > 0 && { refused: JSON.stringify([...parseRefused(batch), ...refused]) }),
              })
              .where('batch_id', '=', batchId)
              .execute();
            return true;
          }),
        );
        if (!goesOn) return;
      }
      await this.#end(batchId, 'done');
    } catch (error) {
      await this.#end(batchId, 'interrupted').catch(() => {});
      throw error;
    }
  }

  async #end(batchId: number, state: 'done' | 'interrupted'): Promise<void> {
    await this.#db.write
      .updateTable('document_batches')
      .set({ state })
      .where('batch_id', '=', batchId)
      .where('state', '=', 'running')
      .execute();
  }
}

/** Makes documents with the next serials, which are not registered yet. */
export async function printDocuments(
  { db, printer }: { db: Db; printer: Printer },
  students: readonly string[],
  task: IssueTask,
  records?: Records,
): Promise<PrintedDocuments> {
  const { order, key, institution } = task;
  const day = calendarDate(new Date());
  const contents = await makeContents(db, students, { order, institution, day, records });
  const documents = signDocuments(contents, await nextNumber(db, day.slice(0, 4)), key);
  const pictures = new Pictures(db);
  const printed = await Promise.all(
    documents.map(async (document) => ({
      document,
      ...(await printer.print(await toPrintJob(pictures, document.content, document, order))),
    })),
  );
  const unprintable = printed.filter(({ missing }) => missing.length > 0);
  if (unprintable.length === 0) {
    return { documents: printed.map(({ document, pdf }) => ({ ...document, pdf })), refused: [] };
  }
  const refused = unprintable.map(({ document: { content }, missing }): RefusedStudent => {
    const { id, first_name, last_name } = content.figures.student;
    const reason = `The documents have no letter for ${missing.join(' ')}. Write it in another way.`;
    return { student_id: id, first_name, last_name, reason };
  });
  const left = students.filter((id) => !refused.some(({ student_id }) => student_id === id));
  if (left.length === 0) return { documents: [], refused };
  const others = await printDocuments({ db, printer }, left, task, records);
  return { documents: others.documents, refused: [...refused, ...others.refused] };
}

export type Records = ReadonlyMap<string, StoredRecord>;
type StoreDocuments = (tx: Tx, author: Author, batchId: number) => Promise<Records>;

/**
 * Registers printed documents.
 *
 * @returns the records that they were compared with
 * @throws Outdated
 */
export async function storeDocuments(
  tx: Tx,
  author: Author,
  {
    documents,
    order,
    batchId,
  }: { documents: readonly PrintedDocument[]; order: DocumentOrder; batchId: number },
): Promise<Records> {
  const [first] = documents;
  if (first === undefined) return new Map();
  await advisoryLock(tx, 'documents');
  if ((await nextNumber(tx, first.serial.slice(0, 4))) !== serialNumber(first.serial)) throw new Outdated();
  const ids = documents.map(({ content }) => content.figures.student.id);
  const blocked = await lockHolds(tx, ids, order);
  if (order.override === undefined && blocked.size > 0) {
    const named = documents.map(({ content }) => content.figures.student);
    throw new Outdated(
      named.flatMap(({ id, first_name, last_name }) => {
        const hold = blocked.get(id);
        return hold === undefined ? [] : toHeldStudent({ student_id: id, first_name, last_name }, hold);
      }),
    );
  }
  const records = await readRecords(tx, ids);
  for (const { content, figures } of documents) {
    const record = records.get(content.figures.student.id);
    const isSame =
      record !== undefined && hashFigures(computeFigures(record, content.kind, content.semester)) === figures;
    if (!isSame) throw new Outdated();
  }
  const at = new Date().toISOString();
  for (const document of documents) {
    const { serial, content, json, contentHash, figures, code, handCode } = document;
    const override = toOverride(order, author, blocked.get(content.figures.student.id));
    if (override !== null) await noteOverride(tx, author, override.holds, serial);
    await tx
      .insertInto('documents')
      .values({
        serial,
        kind: content.kind,
        semester: content.semester,
        batch_id: batchId,
        figures,
        code,
        student_id: content.figures.student.id,
        issued_at: at,
        issued_to: order.to,
        user_id: author.id,
        user_name: author.name,
        purpose: order.purpose,
        content: json,
        content_hash: contentHash,
        hand_code: handCode,
        revocation: null,
        override: override && JSON.stringify(override),
      })
      .execute();
    await tx.insertInto('document_files').values({ serial, pdf: document.pdf }).execute();
  }
  await recordChanges(
    tx,
    author,
    documents.map(({ serial, content, contentHash, code, handCode, pdf }) => ({
      action: 'create',
      entity: 'document',
      entityId: serial,
      after: {
        kind: content.kind,
        semester: content.semester,
        student_id: content.figures.student.id,
        name: studentName(content.figures.student),
        to: order.to,
        purpose: order.purpose,
        content_hash: contentHash,
        codes_hash: hashCodes(code, handCode),
        file_hash: hashFile(pdf),
        ...overrideState(order, blocked.get(content.figures.student.id)),
      },
    })),
    null,
  );
  return records;
}

/**
 * Why the document is blocked, by student. No hold is placed on the students until the transaction ends: that would wait for
 * their rows.
 */
async function lockHolds(
  tx: Tx,
  ids: readonly string[],
  { kind, official }: DocumentOrder,
): Promise<ReadonlyMap<string, Blocked>> {
  const block = documentBlock(kind, official);
  if (block === undefined) return new Map();
  await tx
    .selectFrom('students')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .modifyEnd(forShareOf(tx, 'students'))
    .execute();
  return findBlocked(tx, ids, block);
}

/** A hold that is gone by now is not overridden. */
const toOverride = (
  { override }: DocumentOrder,
  { id, name }: Author,
  blocked: Blocked | undefined,
): DocumentOverride | null =>
  override === undefined || blocked === undefined
    ? null
    : { reason: override, by: { id, name }, holds: blocked.holdIds };

/** What the entry of the issue says of it. */
const overrideState = ({ override }: DocumentOrder, blocked: Blocked | undefined) =>
  override === undefined || blocked === undefined ? {} : { override, holds: blocked.holdIds };
