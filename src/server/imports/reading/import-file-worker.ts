import { parentPort } from 'node:worker_threads';
import { type ImportFileHead, type ImportFileRequest, packRow, UnreadableImport } from './import-file.ts';
import { type ImportPiece, readPieces } from './read-pieces.ts';

/** A piece, or why there are no more: the file is at its end, or it can't be read. */
export type WorkerPiece =
  | { kind: 'head'; head: ImportFileHead }
  | { kind: 'rows'; packed: string[] }
  | { kind: 'end' }
  | { kind: 'refused'; text: string; field: UnreadableImport['field'] };

parentPort?.once('message', (request: ImportFileRequest) => {
  const pieces = readPieces(request);
  const answer = async () => parentPort?.postMessage(await nextPiece(pieces));
  parentPort?.on('message', () => void answer());
  void answer();
});

async function nextPiece(pieces: AsyncGenerator<ImportPiece>): Promise<WorkerPiece> {
  try {
    const { done, value } = await pieces.next();
    if (done === true) return { kind: 'end' };
    if (!Array.isArray(value)) return { kind: 'head', head: value };
    return { kind: 'rows', packed: value.map(packRow) };
  } catch (error) {
    if (error instanceof UnreadableImport)
      return { kind: 'refused', text: error.message, field: error.field };
    throw error;
  }
}
