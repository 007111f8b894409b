import type { DocumentKind } from './kinds.ts';

/** The file of a document, so that a folder of them is in order: `transcript-2023345-2026-000001.pdf`. */
export const documentFileName = (kind: DocumentKind, studentId: string, serial: string | null): string =>
  `${kind}-${studentId}-${serial ?? 'unofficial'}.pdf`;

interface Batch {
  kind: DocumentKind;
  batch_id: number;
  first_serial: string | null;
  last_serial: string | null;
  /** The only student of the batch; null for several. */
  student_id: string | null;
}

/** The file of documents that were issued together, without its ending. */
export function batchFileName({ kind, batch_id, first_serial, last_serial, student_id }: Batch): string {
  if (student_id !== null) return documentFileName(kind, student_id, first_serial).replace(/\.pdf$/, '');
  return first_serial === null
    ? `${kind}s-unofficial-${batch_id}`
    : `${kind}s-${first_serial}-to-${last_serial}`;
}
