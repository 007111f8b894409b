import { randomUUID } from 'node:crypto';
import type { Tx } from '../db/schema.ts';
import { type Author, recordChange } from './record-change.ts';

/** A report, list or class document that is sent as a file. */
interface ExportedFile {
  report: string;
  format: 'csv' | 'xlsx' | 'pdf';
  /** Rows in the file, without its headings. */
  rows: number;
  /** What was asked for. */
  view: object;
}

/** Adds the history entry of a file that is made in one piece. */
export async function recordExport(
  tx: Tx,
  reader: Author,
  { report, format, view, rows }: ExportedFile,
): Promise<void> {
  await recordChange(tx, reader, {
    action: 'create',
    entity: 'export',
    entityId: randomUUID(),
    after: { report, format, view, rows },
  });
}
