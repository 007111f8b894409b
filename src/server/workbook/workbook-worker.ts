import { parentPort } from 'node:worker_threads';
import { UnreadableWorkbook } from './archive.ts';
import { readSheet } from './read-sheet.ts';
import type { SheetRequest, SheetResult } from './read-sheet-in-worker.ts';

parentPort?.once('message', ({ archive, name }: SheetRequest) => void answer(archive, name));

async function answer(archive: Uint8Array, name: string | undefined) {
  parentPort?.postMessage(await read(archive, name));
}

async function read(archive: Uint8Array, name: string | undefined): Promise<SheetResult> {
  try {
    return { kind: 'sheet', sheet: await readSheet(archive, { name }) };
  } catch (error) {
    if (error instanceof UnreadableWorkbook) return { kind: 'refused', text: error.message };
    throw error;
  }
}
