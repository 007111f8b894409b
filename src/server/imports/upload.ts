import { setImmediate } from 'node:timers/promises';
import { type ImportInput, MAX_IMPORT_BYTES } from '../../contract/imports.ts';
import { findCourse } from '../courses/queries.ts';
import type { Database } from '../db/database.ts';
import { analyzeTable } from '../db/dialect/sql.ts';
import type { Db, Tx } from '../db/schema.ts';
import { retryTransaction } from '../db/transaction.ts';
import { invalidField } from '../errors.ts';
import { findScheme } from '../schemes/present-scheme.ts';
import { inTurn, isReadAtOnce } from '../workbook/reader-limits.ts';
import { earliestKept, findImport, type ImportFile, type ImportRecord, noSuchImport } from './imports.ts';
import { ColumnScanner } from './reading/column-scanner.ts';
import { type ImportRowCells, type ImportUpload, UnreadableImport } from './reading/import-file.ts';
import { getContent, readImportFile } from './reading/read-import-file.ts';
import { PAGE, storeRows } from './stored-rows.ts';

/** The number of rows from which a preview takes seconds if its statements are planned for a small table. */
const MANY_ROWS = 1_000;

export interface UploadedFile {
  bytes: Buffer;
  name: string;
}

/** A file whose rows are stored. It is no import until {@link completeUpload}. */
export interface StoredUpload {
  importId: number;
  rows: number;
  file: ImportFile;
}

/**
 * Reads a file or text and stores its rows, a piece at a time.
 *
 * @param signal ends it, since its sender has left
 * @throws ValidationError on the field that can't be read
 */
export async function storeUpload(
  { read, write }: Database,
  input: ImportInput,
  {
    upload,
    userId,
    signal,
  }: { upload: UploadedFile | undefined; userId: number | null; signal?: AbortSignal | undefined },
): Promise<StoredUpload> {
  const { kind } = input;
  const field = upload === undefined ? 'text' : 'file';
  const source = requireUpload(input, upload);
  const courseId = await requireCourse(read, input);
  const schemeId = await requireDraft(read, input);
  const importId = await beginUpload(write, {
    kind,
    course_id: courseId,
    scheme_id: schemeId,
    file_name: upload?.name || null,
    user_id: userId,
  });
  try {
    const remembered = await rememberedColumns(read, userId, kind);
    const request = { kind, upload: source, sheet: input.sheet ?? undefined };
    const store = async () => {
      const head = await readImportFile(request, signal);
      try {
        const scanner = new ColumnScanner(kind, head.headings, remembered);
        const rows = await storePieces(write, importId, head.rows, scanner);
        return { head, rows, columns: scanner.columns() };
      } finally {
        await head.close();
      }
    };
    const { head, rows, columns } = await (isReadAtOnce(getContent(source)) ? store() : inTurn(store));
    const file: ImportFile = {
      encoding: head.encoding,
      encoding_samples: head.encodingSamples,
      delimiter: head.delimiter,
      sheets: head.sheets,
      sheet: head.sheet,
      hidden_lines: head.hiddenLines,
      is_1904: head.is1904,
      decimal_sample: head.decimalSample,
      decimal: input.decimal ?? null,
      heading_line: head.headingLine,
      columns,
    };
    return { importId, rows, file };
  } catch (error) {
    await deleteImport(write, importId);
    if (!(error instanceof UnreadableImport)) throw error;
    throw invalidField(error.field === 'sheet' ? 'sheet' : field, error.message);
  }
}

/**
 * Stores the rows of a file while they are read.
 *
 * @returns their number
 */
async function storePieces(
  db: Db,
  importId: number,
  pieces: AsyncIterable<ImportRowCells[]>,
  scanner: ColumnScanner,
): Promise<number> {
  let rows = 0;
  for await (const piece of pieces) {
    scanner.add(piece);
    await retryTransaction(db, (tx) => storeRows(tx, importId, piece));
    rows += piece.length;
    await setImmediate();
  }
  if (rows === 0) throw new UnreadableImport('The file has no rows below its headings.');
  // A server takes the table for as small as it was when it last looked, and reads all of it for every few rows.
  if (rows >= MANY_ROWS) await analyzeTable(db, 'import_rows');
  return rows;
}

function requireUpload({ text }: ImportInput, upload: UploadedFile | undefined): ImportUpload {
  if (upload !== undefined && text) {
    throw invalidField('text', 'The rows must be sent as text or as a file, not both.');
  }
  if (upload === undefined && !text?.trim()) throw invalidField('file', 'The file field is required.');
  const bytes = upload?.bytes.length ?? Buffer.byteLength(text ?? '');
  if (bytes > MAX_IMPORT_BYTES) {
    throw invalidField(
      upload === undefined ? 'text' : 'file',
      'The file is larger than 20 MiB. Divide it into several files.',
    );
  }
  return upload === undefined ? { text: text ?? '' } : { bytes: upload.bytes };
}

/** The course of an import of marks; other kinds have none. */
async function requireCourse(db: Db, { kind, course_id }: ImportInput): Promise<number | null> {
  if (kind !== 'marks') return null;
  if (course_id === null) throw invalidField('course_id', 'The course id field is required.');
  if ((await findCourse(db, course_id)) === undefined) {
    throw invalidField('course_id', 'The course id must be that of an existing course.');
  }
  return course_id;
}

/** The draft of an import of a scheme; other kinds have none. */
async function requireDraft(db: Db, { kind, scheme_id }: ImportInput): Promise<number | null> {
  if (kind !== 'scheme') return null;
  if (scheme_id === null) throw invalidField('scheme_id', 'The scheme id field is required.');
  const scheme = await findScheme(db, scheme_id);
  if (scheme === undefined || scheme.number !== null)
    throw invalidField('scheme_id', 'The scheme id must be that of a draft.');
  return scheme_id;
}

async function beginUpload(
  db: Db,
  upload: Pick<ImportRecord, 'kind' | 'course_id' | 'scheme_id' | 'file_name' | 'user_id'>,
): Promise<number> {
  const { id } = await db
    .insertInto('imports')
    .values({
      ...upload,
      state: 'uploaded',
      rows: 0,
      created_at: new Date().toISOString(),
      preview: 0,
      done: 0,
      is_partial: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Makes stored rows an import. */
export async function completeUpload(tx: Tx, { importId, rows, file }: StoredUpload): Promise<ImportRecord> {
  await tx
    .updateTable('imports')
    .set({ rows, file: JSON.stringify(file) })
    .where('id', '=', importId)
    .execute();
  const found = await findImport(tx, importId);
  if (found === undefined) throw noSuchImport();
  return found;
}

async function rememberedColumns(db: Db, userId: number | null, kind: ImportInput['kind']) {
  if (userId === null) return new Map();
  const rows = await db
    .selectFrom('import_columns')
    .select(['heading', 'field'])
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .execute();
  return new Map(rows.map(({ heading, field }) => [heading, field]));
}

/** Deletes an import with its rows, a piece at a time. */
export async function deleteImport(db: Db, importId: number): Promise<void> {
  for (;;) {
    const end = await db
      .selectFrom('import_rows')
      .select('line')
      .where('import_id', '=', importId)
      .orderBy('line')
      .offset(PAGE)
      .limit(1)
      .executeTakeFirst();
    if (end === undefined) break;
    await db
      .deleteFrom('import_rows')
      .where('import_id', '=', importId)
      .where('line', '<', end.line)
      .execute();
    await setImmediate();
  }
  await db.deleteFrom('imports').where('id', '=', importId).where('bulk_id', 'is', null).execute();
}

/** Deletes the imports that were not applied in time, and files that were not read to their end. */
export async function deleteExpiredImports(db: Db, isStopping: () => boolean): Promise<void> {
  while (!isStopping()) {
    const expired = await db
      .selectFrom('imports')
      .select('id')
      .where('state', 'not in', ['applied', 'undone'])
      .where('created_at', '<=', earliestKept())
      // It may be being applied.
      .where((eb) => eb.or([eb('seen_at', 'is', null), eb('seen_at', '<=', earliestKept())]))
      .limit(1)
      .executeTakeFirst();
    if (expired === undefined) return;
    await deleteImport(db, expired.id);
  }
}
