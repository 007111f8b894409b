import type { DocumentsPreviewInput } from '../../contract/documents/documents.ts';
import type { DOCUMENT_STATES, DocumentKind } from '../../domain/documents/kinds.ts';
import { plural } from '../lib/format.ts';

/** The students of documents as the API takes them. */
export type DocumentStudents = Pick<DocumentsPreviewInput, 'ids' | 'filter' | 'except'>;

const NAMES: Readonly<Record<DocumentKind, string>> = {
  transcript: 'transcript',
  'result-card': 'result card',
};

/** Such as `3 transcripts` or `1 unofficial result card`. */
export function documentsText(kind: DocumentKind, count: number, isOfficial = true): string {
  return plural(count, `${isOfficial ? '' : 'unofficial '}${NAMES[kind]}`);
}

/** The semesters of a document, given its last one. */
export function semestersText(kind: DocumentKind, semester: number): string {
  return kind === 'result-card' || semester === 1 ? `semester ${semester}` : `semesters 1 to ${semester}`;
}

export const STATE_NAMES = {
  valid: 'Valid',
  superseded: 'Superseded',
  revoked: 'Revoked',
} as const satisfies Record<(typeof DOCUMENT_STATES)[number], string>;
