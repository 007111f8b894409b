import { MAX_IMPORT_BYTES } from '../../../contract/imports.ts';
import { iterateInWorker } from '../../run-in-worker.ts';
import { isArchive } from '../../workbook/archive.ts';
import {
  type ImportFile,
  type ImportFileRequest,
  type ImportRowCells,
  type ImportUpload,
  UnreadableImport,
  unpackRow,
} from './import-file.ts';
import type { WorkerPiece } from './import-file-worker.ts';
import { type ImportPiece, readPieces } from './read-pieces.ts';

/** Shorter texts are read in less time than it takes to start a worker. */
const MIN_WORKER_BYTES = 64 * 1024;
/** The lower the limit, the earlier the engine collects what it does not need any more. */
const TEXT_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 };
const WORKBOOK_LIMITS = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 16 };

/** The last file whose headings are read: one at a time, so that several large workbooks do not need their memory together. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Reads the headings of a file, and its rows while they are iterated; in a worker unless it is a short text.
 *
 * @throws UnreadableImport
 */
export async function readImportFile(request: ImportFileRequest): Promise<ImportFile> {
  if (getSize(request.upload) > MAX_IMPORT_BYTES) throw tooLarge();
  if (isShort(request.upload)) return toFile(readPieces(request));
  const reading = last.then(() => toFile(piecesFromWorker(request)));
  last = reading.catch(() => undefined);
  return reading;
}

async function toFile(pieces: AsyncGenerator<ImportPiece>): Promise<ImportFile> {
  const first = await pieces.next();
  if (first.done === true || Array.isArray(first.value)) throw new Error('A file begins with its headings.');
  return { ...first.value, rows: toRows(pieces) };
}

const getSize = (upload: ImportUpload) => ('text' in upload ? upload.text : upload.bytes).length;

const isShort = (upload: ImportUpload) =>
  getSize(upload) <= MIN_WORKER_BYTES && !('bytes' in upload && isArchive(upload.bytes));

async function* toRows(pieces: AsyncGenerator<ImportPiece>): AsyncGenerator<ImportRowCells[]> {
  for await (const piece of pieces) if (Array.isArray(piece)) yield piece;
}

async function* piecesFromWorker(request: ImportFileRequest): AsyncGenerator<ImportPiece> {
  const { upload } = request;
  const isWorkbook = 'bytes' in upload && isArchive(upload.bytes);
  // A copy for the worker, not cloned once more on its way there.
  const bytes = 'bytes' in upload ? Uint8Array.from(upload.bytes) : undefined;
  const message: ImportFileRequest = bytes === undefined ? request : { ...request, upload: { bytes } };
  const results = iterateInWorker<WorkerPiece>('./imports/reading/import-file-worker', message, {
    resourceLimits: isWorkbook ? WORKBOOK_LIMITS : TEXT_LIMITS,
    transferList: bytes === undefined ? [] : [bytes.buffer],
  });
  try {
    for await (const result of results) {
      if (result.kind === 'end') return;
      if (result.kind === 'refused') throw new UnreadableImport(result.text, result.field);
      yield result.kind === 'head' ? result.head : result.packed.map(unpackRow);
    }
  } catch (error) {
    throw isOutOfMemory(error) ? tooLarge() : error;
  }
}

const isOutOfMemory = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

const tooLarge = () =>
  new UnreadableImport(
    `The file is too large: ${MAX_IMPORT_BYTES / 2 ** 20} MiB are possible. Divide it into several files, and import one after the other.`,
  );
