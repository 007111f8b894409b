import { MAX_IMPORT_BYTES } from '../../../contract/imports.ts';
import { iterateInWorker } from '../../run-in-worker.ts';
import { isBeyondLimits, isReadAtOnce, READER_LIMITS } from '../../workbook/reader-limits.ts';
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

/**
 * Reads the headings of a file, and its rows while they are iterated; in a worker unless it is a short text. The bytes of the
 * file are handed over to the worker, and are gone for the caller: a large file is not in memory twice.
 *
 * @param signal ends the worker
 * @throws UnreadableImport
 */
export async function readImportFile(request: ImportFileRequest, signal?: AbortSignal): Promise<ImportFile> {
  const content = getContent(request.upload);
  if (content.length > MAX_IMPORT_BYTES) throw tooLarge();
  return toFile(isReadAtOnce(content) ? readPieces(request) : piecesFromWorker(request, signal));
}

async function toFile(pieces: AsyncGenerator<ImportPiece>): Promise<ImportFile> {
  const first = await pieces.next();
  if (first.done === true || Array.isArray(first.value)) throw new Error('A file begins with its headings.');
  return { ...first.value, rows: toRows(pieces), close: async () => void (await pieces.return(undefined)) };
}

export const getContent = (upload: ImportUpload) => ('text' in upload ? upload.text : upload.bytes);

async function* toRows(pieces: AsyncGenerator<ImportPiece>): AsyncGenerator<ImportRowCells[]> {
  for await (const piece of pieces) if (Array.isArray(piece)) yield piece;
}

async function* piecesFromWorker(
  request: ImportFileRequest,
  signal: AbortSignal | undefined,
): AsyncGenerator<ImportPiece> {
  const { upload } = request;
  const bytes = 'bytes' in upload ? toTransferable(upload.bytes) : undefined;
  const message: ImportFileRequest = bytes === undefined ? request : { ...request, upload: { bytes } };
  try {
    const results = iterateInWorker<WorkerPiece>('./imports/reading/import-file-worker', message, {
      ...READER_LIMITS,
      signal,
      transferList: bytes === undefined ? [] : [bytes.buffer],
    });
    for await (const result of results) {
      if (result.kind === 'end') return;
      if (result.kind === 'refused') throw new UnreadableImport(result.text, result.field);
      yield result.kind === 'head' ? result.head : result.packed.map(unpackRow);
    }
  } catch (error) {
    throw isBeyondLimits(error) ? tooLarge() : error;
  }
}

/** The same bytes, unless they share their memory with others: then a copy. */
function toTransferable(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = bytes;
  const isWhole = buffer instanceof ArrayBuffer && byteLength === buffer.byteLength;
  return isWhole ? new Uint8Array(buffer, byteOffset, byteLength) : new Uint8Array(bytes);
}

const tooLarge = () =>
  new UnreadableImport(
    `The file is too large: ${MAX_IMPORT_BYTES / 2 ** 20} MiB are possible. Divide it into several files, and import one after the other.`,
  );
