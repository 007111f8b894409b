import { computeFigures } from '../../../domain/documents/figures.ts';
import type { DocumentState } from '../../../domain/documents/kinds.ts';
import type { DocumentsTable } from '../../db/schema.ts';
import { hashFigures, type StoredRecord } from './records.ts';

/**
 * Whether a document still holds. It is compared with the record at each reading: so it is right whatever has changed a figure, and
 * a figure that was changed by mistake and put back supersedes nothing.
 *
 * @param record undefined when the student has been deleted
 */
export function documentState(
  {
    kind,
    semester,
    figures,
    revocation,
  }: Pick<DocumentsTable, 'kind' | 'semester' | 'figures' | 'revocation'>,
  record: StoredRecord | undefined,
): DocumentState {
  if (revocation !== null) return 'revoked';
  if (record === undefined) return 'superseded';
  return hashFigures(computeFigures(record, kind, semester)) === figures ? 'valid' : 'superseded';
}
