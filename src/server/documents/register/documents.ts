import type { Selectable } from 'kysely';
import type { z } from 'zod';
import {
  type IssuedDocument,
  issuedDocument,
  REGISTER_PAGE,
  type RegisterQuery,
} from '../../../contract/documents/documents.ts';
import { documentFileName } from '../../../domain/documents/file-name.ts';
import type { Db, DocumentsTable, Tx } from '../../db/schema.ts';
import { AppError } from '../../errors.ts';
import { type Author, recordChange } from '../../history/record-change.ts';
import { readSummary, studentName } from '../content/content.ts';
import { readRecords, type StoredRecord } from '../content/records.ts';
import { documentState } from '../content/state.ts';

type DocumentRow = Selectable<DocumentsTable>;

const revocation = issuedDocument.shape.revoked;

export const parseRevocation = (row: Pick<DocumentsTable, 'revocation'>) =>
  revocation.parse(JSON.parse(row.revocation ?? 'null'));

export type DocumentOverride = NonNullable<IssuedDocument['override']>;

export const parseOverride = (row: Pick<DocumentsTable, 'override'>): DocumentOverride | null =>
  issuedDocument.shape.override.parse(JSON.parse(row.override ?? 'null'));

/** Documents as the register shows them, with their states as of now. */
export async function presentDocuments(db: Db, rows: readonly DocumentRow[]): Promise<IssuedDocument[]> {
  const records = await readRecords(db, [...new Set(rows.map(({ student_id }) => student_id))]);
  return presentWithRecords(rows, records);
}

/** The same with the records of their students. */
export const presentWithRecords = (
  rows: readonly DocumentRow[],
  records: ReadonlyMap<string, StoredRecord>,
): IssuedDocument[] =>
  rows.map((row) => ({
    serial: row.serial,
    kind: row.kind,
    semester: row.semester,
    student_id: row.student_id,
    student_name: studentName(readSummary(row.content).figures.student),
    issued_at: row.issued_at,
    issued_by: { id: row.user_id, name: row.user_name },
    to: row.issued_to,
    purpose: row.purpose,
    state: documentState(row, records.get(row.student_id)),
    content_hash: row.content_hash,
    revoked: parseRevocation(row),
    override: parseOverride(row),
    batch_id: row.batch_id,
  }));

const noSuchDocument = () => new AppError('not-found', 'There is no document with this serial.');

export async function requireDocument(db: Db, serial: string): Promise<DocumentRow> {
  const row = await db.selectFrom('documents').selectAll().where('serial', '=', serial).executeTakeFirst();
  if (row === undefined) throw noSuchDocument();
  return row;
}

/** The documents of a page, the latest first. Whether one is superseded shows only when it is compared with the record. */
export async function listDocuments(db: Db, asked: RegisterQuery): Promise<IssuedDocument[]> {
  const { limit = REGISTER_PAGE.usual, state, student_id, serial } = asked;
  const found: IssuedDocument[] = [];
  for (let before = asked.before; ; ) {
    let query = db
      .selectFrom('documents')
      .selectAll()
      .orderBy('serial', 'desc')
      .limit(state === undefined ? limit : REGISTER_PAGE.most);
    if (before !== undefined) query = query.where('serial', '<', before);
    if (student_id !== undefined) query = query.where('student_id', '=', student_id);
    if (serial !== undefined) query = query.where('serial', '=', serial);
    if (state !== undefined) query = query.where('revocation', state === 'revoked' ? 'is not' : 'is', null);
    const rows = await query.execute();
    const page = await presentDocuments(db, rows);
    found.push(...page.filter((one) => state === undefined || one.state === state));
    const last = rows.at(-1);
    if (found.length >= limit || state === undefined || last === undefined) return found.slice(0, limit);
    before = last.serial;
  }
}

/** The bytes of a document as it was issued, and the name of the file. @throws AppError not-found */
export async function readFile(db: Db, serial: string): Promise<{ pdf: Buffer; name: string }> {
  const row = await db
    .selectFrom('document_files as f')
    .innerJoin('documents as d', 'd.serial', 'f.serial')
    .select(['f.pdf', 'd.kind', 'd.student_id'])
    .where('f.serial', '=', serial)
    .executeTakeFirst();
  if (row === undefined) throw noSuchDocument();
  return { pdf: Buffer.from(row.pdf), name: documentFileName(row.kind, row.student_id, serial) };
}

/** Declares a document invalid. @throws AppError not-found, or conflict when it was revoked before */
export async function revokeDocument(
  tx: Tx,
  author: Author & { id: number },
  serial: string,
  reason: string,
): Promise<IssuedDocument> {
  const row = await requireDocument(tx, serial);
  const revoked: z.infer<typeof revocation> = {
    at: new Date().toISOString(),
    by: { id: author.id, name: author.name },
    reason,
  };
  const changed = await tx
    .updateTable('documents')
    .set({ revocation: JSON.stringify(revoked) })
    .where('serial', '=', serial)
    .where('revocation', 'is', null)
    .returning('serial')
    .executeTakeFirst();
  if (changed === undefined) throw new AppError('conflict', 'This document was revoked before.');
  await recordChange(tx, author, {
    action: 'update',
    entity: 'document',
    entityId: serial,
    before: { state: 'issued' },
    after: { state: 'revoked', reason, name: studentName(readSummary(row.content).figures.student) },
  });
  const [document] = await presentDocuments(tx, [{ ...row, revocation: JSON.stringify(revoked) }]);
  if (document === undefined) throw noSuchDocument();
  return document;
}
