import { runInWorker } from '../run-in-worker.ts';
import { UnreadableWorkbook } from './archive.ts';
import type { WorkbookSheet } from './read-sheet.ts';
import { inTurn, isBeyondLimits, READER_LIMITS } from './reader-limits.ts';

export interface SheetRequest {
  archive: Uint8Array;
  /** The first sheet with rows if undefined. */
  name: string | undefined;
}

export type SheetResult = { kind: 'sheet'; sheet: WorkbookSheet } | { kind: 'refused'; text: string };

/**
 * `readSheet` in a worker.
 *
 * @param signal ends it
 * @throws UnreadableWorkbook
 */
export async function readSheetInWorker(
  archive: Uint8Array,
  { name, signal }: { name?: string | undefined; signal?: AbortSignal | undefined } = {},
): Promise<WorkbookSheet> {
  const request: SheetRequest = { archive, name };
  try {
    const result = await inTurn(() =>
      runInWorker<SheetResult>('./workbook/workbook-worker', request, { ...READER_LIMITS, signal }),
    );
    if (result.kind === 'refused') throw new UnreadableWorkbook(result.text);
    return result.sheet;
  } catch (error) {
    if (!isBeyondLimits(error)) throw error;
    throw new UnreadableWorkbook('is too large when it is unpacked.');
  }
}
