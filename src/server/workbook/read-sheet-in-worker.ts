import { runInWorker } from '../run-in-worker.ts';
import { UnreadableWorkbook } from './archive.ts';
import type { WorkbookSheet } from './read-sheet.ts';

export interface SheetRequest {
  archive: Uint8Array;
  /** The first sheet with rows if undefined. */
  name: string | undefined;
}

export type SheetResult = { kind: 'sheet'; sheet: WorkbookSheet } | { kind: 'refused'; text: string };

const MAX_HEAP_MB = 1024;

/** The last workbook being read: one at a time, so that several large ones do not need their memory together. */
let last: Promise<unknown> = Promise.resolve();

/**
 * {@link readSheet} in a worker, one workbook at a time.
 *
 * @throws UnreadableWorkbook
 */
export async function readSheetInWorker(archive: Uint8Array, name?: string): Promise<WorkbookSheet> {
  const request: SheetRequest = { archive, name };
  const reading = last.then(() =>
    runInWorker<SheetResult>('./workbook/workbook-worker', request, { maxOldGenerationSizeMb: MAX_HEAP_MB }),
  );
  last = reading.catch(() => undefined);
  const result = await reading.catch((error: unknown) => {
    if (!isOutOfMemory(error)) throw error;
    throw new UnreadableWorkbook('is too large when it is unpacked.');
  });
  if (result.kind === 'refused') throw new UnreadableWorkbook(result.text);
  return result.sheet;
}

const isOutOfMemory = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
