import type { RefusedStudent } from '../../../contract/documents/documents.ts';
import { paperFigures } from '../../../domain/documents/paper.ts';
import { serialNumber } from '../../../domain/documents/serial.ts';
import type { Database } from '../../db/database.ts';
import { advisoryLock } from '../../db/dialect/locks.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { AppError } from '../../errors.ts';
import { type Author, recordChanges } from '../../history/record-change.ts';
import { transact } from '../../history/transaction.ts';
import type { Printer } from '../papers/printer.ts';
import type { SigningKey } from '../verification/signing-keys.ts';
import { refusedOf, requireBatch } from './batches.ts';
import { studentName } from './content.ts';
import {
  makeContents,
  type PaperOrder,
  Pictures,
  type SignedPaper,
  signPapers,
  toPrintJob,
} from './make-papers.ts';
import { hashFigures, readRecords } from './paper-records.ts';

/** Papers of one transaction. They are printed before it, so that others wait a few milliseconds only. */
export const PAPERS_AT_ONCE = 8;
/** Somebody else took the serials meanwhile, or changed a record. */
const MAX_ATTEMPTS = 10;

type PrintedPaper = SignedPaper & { pdf: Uint8Array };

interface PrintedPapers {
  papers: PrintedPaper[];
  /** Students whose paper can't be printed, or whose results are gone. */
  refused: RefusedStudent[];
}

/** The prepared papers can't be registered as they are: they have to be made again. */
class Outdated extends Error {}

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
 * Issues papers: makes them with the next serials, prints them, and registers all of them in one transaction if the serials are
 * still free and the records unchanged; otherwise it makes them again. So the register has no gaps and no half papers, and no
 * transaction waits for the printer.
 */
export class Issuer {
  readonly #db: Database;
  readonly #printer: Printer;
  /** The papers of this process are issued one after the other: they need serials that follow each other. */
  #last: Promise<unknown> = Promise.resolve();
  #isStopping = false;

  constructor(db: Database, printer: Printer) {
    this.#db = db;
    this.#printer = printer;
  }

  /** Batches end after the papers that are being issued. */
  stop(): void {
    this.#isStopping = true;
  }

  /**
   * Issues a few papers in the transaction that `commit` runs.
   *
   * @param commit may be called again when the papers were outdated; `store` registers them for a batch
   */
  issue<Result>(
    students: readonly string[],
    { order, key }: { order: PaperOrder; key: SigningKey },
    commit: (store: StorePapers, refused: readonly RefusedStudent[]) => Promise<Result>,
  ): Promise<Result> {
    const issued = this.#last.then(async () => {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        const printed = await this.#print(students, order, key);
        try {
          return await commit(
            (tx, author, batchId) => storePapers(tx, author, { ...printed, order, batchId }),
            printed.refused,
          );
        } catch (error) {
          if (!(error instanceof Outdated)) throw error;
        }
      }
      throw new AppError('unavailable', 'Many papers are being issued at the moment. Try again.', {
        retryAfter: 5,
      });
    });
    this.#last = issued.catch(() => {});
    return issued;
  }

  /** Issues all papers of a batch, some at a time, until it is cancelled. */
  async run(
    batchId: number,
    students: readonly string[],
    { order, key, author }: { order: PaperOrder; key: SigningKey; author: Author },
  ): Promise<void> {
    try {
      for (let i = 0; i < students.length; i += PAPERS_AT_ONCE) {
        if (this.#isStopping) return await this.#end(batchId, 'interrupted');
        const some = students.slice(i, i + PAPERS_AT_ONCE);
        const goesOn = await this.issue(some, { order, key }, (store, refused) =>
          transact(this.#db.write, async (tx) => {
            const batch = await requireBatch(tx, batchId);
            if (batch.state !== 'running') return false;
            await store(tx, author, batchId);
            await tx
              .updateTable('document_batches')
              .set({
                done: Math.min(students.length, i + some.length),
                seen_at: new Date().toISOString(),
                ...(refused.length > 0 && { refused: JSON.stringify([...refusedOf(batch), ...refused]) }),
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

  async #print(students: readonly string[], order: PaperOrder, key: SigningKey): Promise<PrintedPapers> {
    const { read } = this.#db;
    const day = new Date().toISOString().slice(0, 10);
    const contents = await makeContents(read, students, order, day);
    const papers = signPapers(contents, await nextNumber(read, day.slice(0, 4)), key);
    const pictures = new Pictures(read);
    const printed = await Promise.all(
      papers.map(async (paper) => ({
        paper,
        ...(await this.#printer.print(await toPrintJob(pictures, paper.content, paper, order))),
      })),
    );
    const unprintable = printed.filter(({ missing }) => missing.length > 0);
    if (unprintable.length === 0) {
      return { papers: printed.map(({ paper, pdf }) => ({ ...paper, pdf })), refused: [] };
    }
    const refused = unprintable.map(({ paper: { content }, missing }): RefusedStudent => {
      const { id, first_name, last_name } = content.figures.student;
      const reason = `The papers have no letter for ${missing.join(' ')}. Write it in another way.`;
      return { student_id: id, first_name, last_name, reason };
    });
    const left = students.filter((id) => !refused.some(({ student_id }) => student_id === id));
    if (left.length === 0) return { papers: [], refused };
    const others = await this.#print(left, order, key);
    return { papers: others.papers, refused: [...refused, ...others.refused] };
  }
}

type StorePapers = (tx: Tx, author: Author, batchId: number) => Promise<void>;

/** @throws Outdated */
async function storePapers(
  tx: Tx,
  author: Author,
  { papers, order, batchId }: { papers: readonly PrintedPaper[]; order: PaperOrder; batchId: number },
): Promise<void> {
  const [first] = papers;
  if (first === undefined) return;
  await advisoryLock(tx, 'documents');
  if ((await nextNumber(tx, first.serial.slice(0, 4))) !== serialNumber(first.serial)) throw new Outdated();
  const records = await readRecords(
    tx,
    papers.map(({ content }) => content.figures.student.id),
  );
  for (const { content, figures } of papers) {
    const record = records.get(content.figures.student.id);
    const isSame =
      record !== undefined && hashFigures(paperFigures(record, content.kind, content.semester)) === figures;
    if (!isSame) throw new Outdated();
  }
  const at = new Date().toISOString();
  for (const paper of papers) {
    const { serial, content, json, contentHash, figures, code, handCode } = paper;
    await tx
      .insertInto('documents')
      .values({
        ...{ serial, kind: content.kind, semester: content.semester, batch_id: batchId, figures, code },
        ...{ student_id: content.figures.student.id, issued_at: at, issued_to: order.to },
        ...{ user_id: author.id, user_name: author.name, purpose: order.purpose },
        ...{ content: json, content_hash: contentHash, hand_code: handCode, revocation: null },
      })
      .execute();
    await tx.insertInto('document_files').values({ serial, pdf: paper.pdf }).execute();
  }
  await recordChanges(
    tx,
    author,
    papers.map(({ serial, content, contentHash }) => ({
      ...{ action: 'create', entity: 'document', entityId: serial },
      after: {
        kind: content.kind,
        semester: content.semester,
        student_id: content.figures.student.id,
        name: studentName(content.figures.student),
        to: order.to,
        purpose: order.purpose,
        content_hash: contentHash,
      },
    })),
    null,
  );
}
