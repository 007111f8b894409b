import { parentPort } from 'node:worker_threads';
import { type ImportFileRequest, UnreadableImport } from './import-file.ts';
import { type ImportPiece, readPieces } from './read-pieces.ts';

/** A piece, or why there are no more: the file is at its end, or it can't be read. */
export type WorkerPiece =
  | {
      kind: 'piece' /** As JSON: a text is copied in a fraction of the time of thousands of objects. */;
      json: string;
    }
  | { kind: 'end' }
  | { kind: 'refused'; text: string };

parentPort?.once('message', (request: ImportFileRequest) => {
  const pieces = readPieces(request);
  const answer = async () => parentPort?.postMessage(await nextPiece(pieces));
  parentPort?.on('message', () => void answer());
  void answer();
});

async function nextPiece(pieces: AsyncGenerator<ImportPiece>): Promise<WorkerPiece> {
  try {
    const { done, value } = await pieces.next();
    return done === true ? { kind: 'end' } : { kind: 'piece', json: JSON.stringify(value) };
  } catch (error) {
    if (error instanceof UnreadableImport) return { kind: 'refused', text: error.message };
    throw error;
  }
}
