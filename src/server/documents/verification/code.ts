import { type KeyObject, sign, verify } from 'node:crypto';
import { z } from 'zod';
import { DOCUMENT_KINDS, type DocumentKind } from '../../../domain/documents/kinds.ts';
import { SERIAL_PATTERN } from '../../../domain/documents/serial.ts';

/*
 * The signed code of a document; docs/verification-codes.md has the format. Documents keep their codes for decades, so a form that has
 * been released is never changed: another one gets the next version.
 */

const VERSION = '1';
const HASH_BYTES = 16;
const SIGNATURE_BYTES = 64;
/** Longer names and programmes are cut, so that the QR code stays small enough to be read from paper. */
const MAX_TEXT_BYTES = 96;

/** The figures that are signed. */
export interface SignedSummary {
  keyId: number;
  kind: DocumentKind;
  /** The last semester on the document. */
  semester: number;
  serial: string;
  studentId: string;
  studentName: string;
  programme: string;
  /** Credit hours earned. */
  credits: number;
  /** Two decimals; null while nothing is graded. */
  cgpa: number | null;
  /** A day, `YYYY-MM-DD`. */
  issuedOn: string;
  /** SHA-256 of the content of the document, hexadecimal; the code has its first 16 bytes. */
  contentHash: string;
}

/** At most {@link MAX_TEXT_BYTES} in UTF-8; a cut text ends in an ellipsis. */
function shorten(text: string): string {
  if (Buffer.byteLength(text) <= MAX_TEXT_BYTES) return text;
  let short = '';
  for (const character of text) {
    if (Buffer.byteLength(`${short}${character}…`) > MAX_TEXT_BYTES) break;
    short += character;
  }
  return `${short}…`;
}

/** The code: the summary and its signature in base64url. */
export function signCode(summary: SignedSummary, privateKey: KeyObject): string {
  const { keyId, kind, semester, serial, studentId, studentName, programme, credits, cgpa } = summary;
  const lines = [
    VERSION,
    keyId,
    kind,
    semester,
    serial,
    studentId,
    shorten(studentName),
    shorten(programme),
    credits,
    cgpa === null ? '' : cgpa.toFixed(2),
    summary.issuedOn,
    '',
  ];
  const signed = Buffer.concat([
    Buffer.from(lines.join('\n')),
    Buffer.from(summary.contentHash, 'hex').subarray(0, HASH_BYTES),
  ]);
  return Buffer.concat([signed, sign(null, signed, privateKey)]).toString('base64url');
}

const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number);

const summaryLines = z.tuple([
  z.literal(VERSION),
  wholeNumber,
  z.enum(DOCUMENT_KINDS),
  wholeNumber,
  z.string().regex(SERIAL_PATTERN),
  z.string(),
  z.string(),
  z.string(),
  wholeNumber,
  z.string().regex(/^(\d\.\d\d)?$/),
  z.iso.date(),
  z.literal(''),
]);

export interface ReadCode {
  /** With the first 16 bytes of the content hash, hexadecimal. */
  summary: SignedSummary;
  /** Whether the key has signed exactly this summary. */
  isSignedBy(publicKey: KeyObject): boolean;
}

/** A code of any origin: its signature is still to be checked. Undefined if it has another form. */
export function readCode(code: string): ReadCode | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(code)) return undefined;
  const bytes = Buffer.from(code, 'base64url');
  // Buffer.from ignores the bits after the last byte, so a changed last character could go unnoticed.
  if (bytes.toString('base64url') !== code) return undefined;
  const signed = bytes.subarray(0, -SIGNATURE_BYTES);
  const lines = summaryLines.safeParse(signed.subarray(0, -HASH_BYTES).toString().split('\n'));
  if (!lines.success) return undefined;
  const [, keyId, kind, semester, serial, studentId, studentName, programme, credits, cgpa, issuedOn] =
    lines.data;
  return {
    summary: {
      keyId,
      kind,
      semester,
      serial,
      studentId,
      studentName,
      programme,
      credits,
      issuedOn,
      cgpa: cgpa === '' ? null : Number(cgpa),
      contentHash: signed.subarray(-HASH_BYTES).toString('hex'),
    },
    isSignedBy: (publicKey) => verify(null, signed, publicKey, bytes.subarray(-SIGNATURE_BYTES)),
  };
}
