import { calendarDate } from '../../../domain/age.ts';
import { batchFileName, documentFileName } from '../../../domain/documents/file-name.ts';
import { chunks } from '../../chunks.ts';
import type { Database } from '../../db/database.ts';
import type { Db } from '../../db/schema.ts';
import { AppError } from '../../errors.ts';
import { getInstitution } from '../../institution/institution.ts';
import { type ZipEntry, zip } from '../../students/export/zip.ts';
import { readContent } from '../content/content.ts';
import type { PrintJob } from '../pdf/print-job.ts';
import type { Printer } from '../pdf/printer.ts';
import { type BatchRow, parseOrder, parseStudents, presentBatch } from './batches.ts';
import { readFile } from './documents.ts';
import { makeContents, Pictures, toPrintJob } from './make-documents.ts';
import { findHeld } from './selection.ts';

const PAGE = 50;

/** @throws AppError conflict while documents are being issued, or when there are none */
async function requireFiles({ read }: Database, row: BatchRow): Promise<void> {
  const { state, documents } = await presentBatch(read, row);
  if (state === 'running') throw new AppError('conflict', 'The documents are still being issued.');
  if (documents === 0) throw new AppError('conflict', 'This batch has no documents.');
}

/** The documents of a batch in the order of their serials; unofficial ones as they are now, in the order of the IDs. */
async function* readJobs({ read }: Database, row: BatchRow): AsyncGenerator<PrintJob> {
  const order = parseOrder(row);
  const pictures = new Pictures(read);
  if (row.is_official === 0) {
    const day = calendarDate(new Date());
    const institution = await getInstitution(read);
    for (const students of chunks(parseStudents(row), PAGE)) {
      // They are made anew, so a hold that was placed since the order counts.
      const held = await findHeld(read, students, order);
      const left = students.filter((id) => !held.has(id));
      for (const content of await makeContents(read, left, { order, institution, day })) {
        yield toPrintJob(pictures, content, null, order);
      }
    }
    return;
  }
  for await (const { content, code, hand_code } of readRegistered(read, row)) {
    yield toPrintJob(pictures, readContent(content), { code, handCode: hand_code }, order);
  }
}

async function* readRegistered(read: Database['read'], { batch_id }: BatchRow) {
  for (let last = ''; ; ) {
    const rows = await read
      .selectFrom('documents')
      .select(['serial', 'student_id', 'content', 'code', 'hand_code'])
      .where('batch_id', '=', batch_id)
      .where('serial', '>', last)
      .orderBy('serial')
      .limit(PAGE)
      .execute();
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end.serial;
    yield* rows;
  }
}

/** The documents of a batch as one PDF, in pieces: with an index when there are several. */
export async function batchPdf(
  db: Database,
  printer: Printer,
  row: BatchRow,
): Promise<AsyncIterable<Uint8Array>> {
  await requireFiles(db, row);
  const jobs: PrintJob[] = [];
  for await (const job of readJobs(db, row)) jobs.push(job);
  const [first, ...more] = jobs;
  if (first === undefined) throw new AppError('conflict', 'This batch has no documents any more.');
  if (more.length > 0) return printer.printBatch(jobs);
  const { serial } = first.content;
  const file = serial === null ? (await printer.print(first)).pdf : (await readFile(db.read, serial)).pdf;
  return onePiece(file);
}

async function* onePiece(file: Uint8Array): AsyncGenerator<Uint8Array> {
  yield file;
}

/** The documents of a batch as single files of an archive; of official ones the bytes that were issued. */
export async function batchZip(
  db: Database,
  printer: Printer,
  row: BatchRow,
): Promise<AsyncIterable<Uint8Array>> {
  await requireFiles(db, row);
  return zip(zipEntries(db, printer, row));
}

async function* zipEntries(db: Database, printer: Printer, row: BatchRow): AsyncGenerator<ZipEntry> {
  if (row.is_official === 1) {
    for await (const { serial, student_id } of readRegistered(db.read, row)) {
      yield {
        name: documentFileName(row.kind, student_id, serial),
        content: [(await readFile(db.read, serial)).pdf],
      };
    }
    return;
  }
  for await (const job of readJobs(db, row)) {
    const { pdf } = await printer.print(job);
    yield { name: documentFileName(row.kind, job.content.figures.student.id, null), content: [pdf] };
  }
}

/** The name of the file of a batch. */
export const readFileName = async (db: Db, row: BatchRow, format: 'pdf' | 'zip'): Promise<string> =>
  `${batchFileName(await presentBatch(db, row))}.${format}`;
