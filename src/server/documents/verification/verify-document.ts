import { timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import type { Verification } from '../../../contract/documents/verification.ts';
import { readHandCode } from '../../../domain/documents/hand-code.ts';
import { SERIAL_PATTERN } from '../../../domain/documents/serial.ts';
import { preparedQuery } from '../../db/prepared-query.ts';
import type { Db, DocumentsTable } from '../../db/schema.ts';
import { programmeName, readSummary, studentName } from '../content/content.ts';
import { findRecord } from '../content/records.ts';
import { documentState } from '../content/state.ts';
import { readCode } from './code.ts';
import { parsePublicKey } from './signing-keys.ts';

type FoundDocument = DocumentsTable & {
  public_key: string | null;
  institution_name: string | null;
  institution_address: string | null;
};

/** By primary keys. The record is read on its own: joined to these, SQLite reads it several times as slowly. */
const findDocument = preparedQuery<FoundDocument, [keyId: number, serial: string]>(
  () => sql`
    select d.*, k.public_key, i.name as institution_name, i.address as institution_address
    from documents d
      left join signing_keys k on k.key_id = ${0}
      left join institution i on i.id = 1
    where d.serial = ${''}`,
);

/** The document that has this code, or undefined: the code is wrong, or this installation has not issued it. */
export async function verifyDocument(db: Db, code: string): Promise<Verification | undefined> {
  const found = code.includes('.') ? await findByHandCode(db, code) : await findBySignature(db, code);
  return found && present(db, found);
}

/** `serial.characters`. */
async function findByHandCode(db: Db, code: string): Promise<FoundDocument | undefined> {
  const [serial = '', typed = ''] = code.split('.', 2);
  const handCode = readHandCode(typed);
  if (!SERIAL_PATTERN.test(serial) || handCode === undefined) return undefined;
  const document = await findDocument(db, 0, serial);
  if (document === undefined) return undefined;
  const [stored, given] = [Buffer.from(document.hand_code), Buffer.from(handCode)];
  return stored.length === given.length && timingSafeEqual(stored, given) ? document : undefined;
}

async function findBySignature(db: Db, code: string): Promise<FoundDocument | undefined> {
  const read = readCode(code);
  if (read === undefined) return undefined;
  const document = await findDocument(db, read.summary.keyId, read.summary.serial);
  // The stored code is compared too: of the documents that were signed only those in the register are known.
  if (document === undefined || document.public_key === null || document.code !== code) return undefined;
  return read.isSignedBy(parsePublicKey(document.public_key)) ? document : undefined;
}

async function present(db: Db, document: FoundDocument): Promise<Verification> {
  const content = readSummary(document.content);
  const state = documentState(document, await findRecord(db, document.student_id));
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
      ...{ semester: null, student_name: null, student_id: null, programme: null, credits: null, cgpa: null },
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
    credits: credits_earned,
    cgpa,
    provisional: document.kind === 'transcript' ? !content.is_final : null,
    sgpas: semesters.flatMap(({ semester, sgpa, subjects }) =>
      subjects.length === 0 ? [] : { semester, sgpa },
    ),
  };
}
