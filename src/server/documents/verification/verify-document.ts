import { timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import type { Verification } from '../../../contract/documents/verification.ts';
import { outsideCredits } from '../../../domain/documents/figures.ts';
import { readHandCode } from '../../../domain/documents/hand-code.ts';
import { SERIAL_PATTERN } from '../../../domain/documents/serial.ts';
import { preparedQuery } from '../../db/prepared-query.ts';
import type { Db, DocumentsTable } from '../../db/schema.ts';
import { programmeName, readSummary, studentName } from '../content/content.ts';
import { findRecord, hashFiguresOf } from '../content/records.ts';
import { documentState } from '../content/state.ts';
import { findAlteredParts } from './altered-parts.ts';
import { readCode } from './code.ts';

type FoundDocument = DocumentsTable & {
  institution_name: string | null;
  institution_address: string | null;
};

/** Finds a document by primary keys. The record is read on its own: joined to these, SQLite reads it several times as slowly. */
const findDocument = preparedQuery<FoundDocument, [serial: string]>(
  () => sql`
    select d.*, i.name as institution_name, i.address as institution_address
    from documents d left join institution i on i.id = 1
    where d.serial = ${''}`,
);

const findKey = preparedQuery<{ public_key: string }, [keyId: number]>(
  () => sql`select public_key from signing_keys where key_id = ${0}`,
);

/** The register has another content for a document than was signed. */
export interface AlteredDocument {
  state: 'altered';
  serial: string;
}

/**
 * The document that has this code, or undefined: the code is wrong, or this installation has not issued it. What is answered was
 * signed: somebody may have changed the register in the database.
 */
export async function verifyDocument(
  db: Db,
  code: string,
): Promise<Verification | AlteredDocument | undefined> {
  const found = code.includes('.') ? await findByHandCode(db, code) : await findBySignature(db, code);
  if (found === undefined) return undefined;
  const { keyId = 0 } = readCode(found.code)?.summary ?? {};
  const key = await findKey(db, keyId);
  return findAlteredParts(found, () => key?.public_key).length > 0
    ? { state: 'altered', serial: found.serial }
    : present(db, found);
}

/** `serial.characters`. */
async function findByHandCode(db: Db, code: string): Promise<FoundDocument | undefined> {
  const [serial = '', typed = ''] = code.split('.', 2);
  const handCode = readHandCode(typed);
  if (!SERIAL_PATTERN.test(serial) || handCode === undefined) return undefined;
  const document = await findDocument(db, serial);
  if (document === undefined) return undefined;
  const [stored, given] = [Buffer.from(document.hand_code), Buffer.from(handCode)];
  return stored.length === given.length && timingSafeEqual(stored, given) ? document : undefined;
}

async function findBySignature(db: Db, code: string): Promise<FoundDocument | undefined> {
  const read = readCode(code);
  if (read === undefined) return undefined;
  const document = await findDocument(db, read.summary.serial);
  // Of the documents that were signed only those in the register are known.
  return document?.code === code ? document : undefined;
}

async function present(db: Db, document: FoundDocument): Promise<Verification> {
  const content = readSummary(document.content);
  const state = documentState(
    { ...document, figures: hashFiguresOf(document.content) },
    await findRecord(db, document.student_id),
  );
  const { student, credits_earned, cgpa, semesters } = content.figures;
  const shown = {
    state,
    kind: document.kind,
    serial: document.serial,
    issued_on: content.issued_on,
    institution: { name: document.institution_name, address: document.institution_address },
  };
  if (state === 'revoked') {
    return {
      ...shown,
      semester: null,
      student_name: null,
      student_id: null,
      programme: null,
      credits: null,
      cgpa: null,
      provisional: null,
      sgpas: [],
    };
  }
  return {
    ...shown,
    semester: document.semester,
    student_name: studentName(student),
    student_id: student.id,
    programme: programmeName(content),
    credits: credits_earned + outsideCredits(content.figures),
    cgpa,
    provisional: document.kind === 'transcript' ? !content.is_final : null,
    sgpas: semesters.flatMap(({ semester, sgpa, subjects }) =>
      subjects.length === 0 ? [] : { semester, sgpa },
    ),
  };
}
