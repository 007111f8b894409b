import type { DocumentsTable } from '../../db/schema.ts';
import { hashContent } from '../content/content.ts';
import { readCode } from './code.ts';
import { parsePublicKey } from './signing-keys.ts';

export type SignedColumns = Pick<
  DocumentsTable,
  'serial' | 'kind' | 'semester' | 'content' | 'content_hash' | 'code'
>;

/**
 * The columns of a registered document that are not as they were signed; none where all are. `code`: no key of the register has
 * signed it.
 *
 * @param getPublicKey in PEM, by the number of the key
 */
export function findAlteredParts(
  document: SignedColumns,
  getPublicKey: (keyId: number) => string | null | undefined,
): (keyof SignedColumns)[] {
  const read = readCode(document.code);
  if (read === undefined) return ['code'];
  const { summary } = read;
  const hash = hashContent(document.content);
  const isSame = {
    serial: document.serial === summary.serial,
    kind: document.kind === summary.kind,
    semester: document.semester === summary.semester,
    content: hash.startsWith(summary.contentHash),
    content_hash: document.content_hash === hash || !hash.startsWith(summary.contentHash),
    code: isSigned(read, getPublicKey(summary.keyId)),
  };
  return Object.entries(isSame).flatMap(([column, is]) => (is ? [] : (column as keyof SignedColumns)));
}

function isSigned({ isSignedBy }: NonNullable<ReturnType<typeof readCode>>, pem: string | null | undefined) {
  try {
    return pem !== null && pem !== undefined && isSignedBy(parsePublicKey(pem));
  } catch {
    // It has been changed to what is no public key, or one of another kind.
    return false;
  }
}
