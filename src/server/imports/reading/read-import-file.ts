import type { ImportFile, ImportFileRequest } from './import-file.ts';

/**
 * Reads a file, in a worker unless it is short.
 *
 * @throws UnreadableImport
 */
export async function readImportFile(_request: ImportFileRequest): Promise<ImportFile> {
  throw new Error('not yet');
}
