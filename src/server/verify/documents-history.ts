import { createPrivateKey, createPublicKey } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { SERIAL_PATTERN } from '../../domain/documents/serial.ts';
import { formatCount } from '../../domain/format-count.ts';
import type { Db, DocumentsTable } from '../db/schema.ts';
import { hashFiguresOf } from '../documents/content/records.ts';
import { hashCodes, hashFile } from '../documents/register/document-hashes.ts';
import { parseOverride, parseRevocation } from '../documents/register/documents.ts';
import { findAlteredParts } from '../documents/verification/altered-parts.ts';
import { groupBy } from '../group-by.ts';
import type { Entry } from '../history/chain.ts';
import { parseState, type RecordState } from '../history/fields.ts';
import { Secrets } from '../secrets/secrets.ts';
import type { CheckContext } from './check.ts';
import { findDifferingFields, findIdsInHistory, findWrittenEntries, isWrittenBy } from './history-entries.ts';

/** Documents compared per batch; their files are read with them. */
const PAGE = 50;

/**
 * Finds documents that are not as they were signed, or that differ from the history: what is registered of them, their
 * revocation, their codes and their files; documents that are missing; and keys that differ from the history.
 */
export async function* documentsWithoutHistory(
  db: Db,
  { onProgress, note, secrets = new Secrets([]) }: CheckContext,
): AsyncGenerator<string> {
  const keys = await db.selectFrom('signing_keys').selectAll().orderBy('key_id').execute();
  yield* incorrectKeys(db, keys, secrets);
  const keyById = new Map(keys.map(({ key_id, public_key }) => [key_id, public_key]));
  let done = 0;
  let uncompared = 0;
  for (let last = ''; ; ) {
    const documents = await db
      .selectFrom('documents')
      .selectAll()
      .where('serial', '>', last)
      .orderBy('serial')
      .limit(PAGE)
      .execute();
    const end = documents.at(-1);
    if (end === undefined) break;
    last = end.serial;
    const serials = documents.map(({ serial }) => serial);
    const entries = groupBy(await findWrittenEntries(db, 'document', serials), (one) => one.entity_id);
    const files = await hashFiles(db, serials);
    for (const document of documents) {
      const { serial } = document;
      const found = compareDocument(document, entries.get(serial) ?? [], {
        file: files.get(serial),
        getPublicKey: (keyId) => keyById.get(keyId),
      });
      if (!found.hasHashes) uncompared += 1;
      const { moved } = found;
      const hasMoved = moved !== undefined && !(await isLaterId(db, moved, document.student_id));
      const fields = hasMoved ? [...found.fields, 'student_id'] : found.fields;
      if (fields.length > 0)
        yield `Document ${serial}: ${fields.join(', ')} differ from the history or the signature.`;
      for (const fault of found.faults) yield `Document ${serial}: ${fault}`;
    }
    done += documents.length;
    onProgress(`${formatCount(done)} documents`);
  }
  if (uncompared > 0) {
    note(
      `${formatCount(uncompared)} documents were issued by an earlier version. Their files and codes by hand can't be compared.`,
    );
  }
  yield* missingDocuments(db);
}

interface Comparison {
  /** Columns that differ. */
  fields: string[];
  /** Sentences. */
  faults: string[];
  /** Whether the history has the hashes of the file and the codes. */
  hasHashes: boolean;
  /** The entry of the issue, where the document has another student since. */
  moved?: Entry;
}

function compareDocument(
  document: DocumentsTable,
  entries: readonly Entry[],
  { file, getPublicKey }: { file: string | undefined; getPublicKey: Parameters<typeof findAlteredParts>[1] },
): Comparison {
  const created = entries.find(({ action }) => action === 'create');
  if (created === undefined) {
    return { fields: [], faults: ['the history has no entry for its issue.'], hasHashes: true };
  }
  const issued = parseState(created.after);
  const { kind, semester, content_hash, purpose, issued_to: to } = document;
  const fields = new Set([
    ...findDifferingFields(issued, { kind, semester, content_hash, purpose, to }),
    ...findAlteredParts(document, getPublicKey),
    ...(isWrittenBy(created, document, document.issued_at) ? [] : ['issued_by, issued_at']),
    ...(hasOwnFigures(document) ? [] : ['figures']),
    ...(hasOwnOverride(document, issued) ? [] : ['override']),
    ...compareRevocation(document, entries),
  ]);
  const hasHashes = 'file_hash' in issued && 'codes_hash' in issued;
  if (hasHashes && issued.codes_hash !== hashCodes(document.code, document.hand_code))
    fields.add('hand_code');
  const faults = [
    ...(file === undefined ? ['its file is missing.'] : []),
    ...(file !== undefined && hasHashes && issued.file_hash !== file
      ? ['its file differs from the history.']
      : []),
  ];
  const isMoved = issued.student_id !== document.student_id;
  return { fields: [...fields], faults, hasHashes, ...(isMoved && { moved: created }) };
}

/** Whether the figures by which a document is superseded are those of its content. */
function hasOwnFigures({ content, figures }: DocumentsTable): boolean {
  try {
    return hashFiguresOf(content) === figures;
  } catch {
    return false;
  }
}

/** Whether a document was issued in spite of those holds, and for that reason, which the history names. */
function hasOwnOverride(document: DocumentsTable, { override, holds }: RecordState): boolean {
  const stored = parseOverride(document);
  if (stored === null) return override === undefined;
  const { user_id: id, user_name: name } = document;
  return isDeepStrictEqual(stored, { reason: override, by: { id, name }, holds });
}

function compareRevocation(document: DocumentsTable, entries: readonly Entry[]): string[] {
  const entry = entries.findLast(({ action, after }) => action === 'update' && isRevoked(parseState(after)));
  const revoked = parseRevocation(document);
  if (entry === undefined || revoked === null) {
    return entry === undefined && revoked === null ? [] : ['revocation'];
  }
  const { at, by, reason } = revoked;
  const isSame =
    isWrittenBy(entry, { user_id: by?.id ?? null, user_name: by?.name ?? null }, at) &&
    findDifferingFields(parseState(entry.after), { reason }).length === 0;
  return isSame ? [] : ['revocation'];
}

const isRevoked = ({ state }: RecordState) => state === 'revoked';

/** Whether a student of whom a document was issued has this ID by now. */
async function isLaterId(db: Db, { id, after }: Entry, studentId: string): Promise<boolean> {
  let current = String(parseState(after).student_id);
  for (let last = id; current !== studentId; ) {
    const changes = await findWrittenEntries(db, 'student', [current]);
    const next = changes.find(
      (one) =>
        one.id > last &&
        one.action === 'update' &&
        typeof parseState(one.after).id === 'string' &&
        parseState(one.after).id !== current,
    );
    if (next === undefined) return false;
    last = next.id;
    current = String(parseState(next.after).id);
  }
  return true;
}

/** SHA-256 of the file of each document. */
async function hashFiles(db: Db, serials: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.selectFrom('document_files').selectAll().where('serial', 'in', serials).execute();
  return new Map(rows.map(({ serial, pdf }) => [serial, hashFile(pdf)]));
}

async function* missingDocuments(db: Db): AsyncGenerator<string> {
  for (let last = ''; ; ) {
    const ids = await findIdsInHistory(db, 'document', last, PAGE);
    const end = ids.at(-1);
    if (end === undefined) return;
    last = end;
    const serials = ids.filter((id) => SERIAL_PATTERN.test(id));
    if (serials.length === 0) continue;
    const rows = await db.selectFrom('documents').select('serial').where('serial', 'in', serials).execute();
    const found = new Set(rows.map(({ serial }) => serial));
    for (const serial of serials) if (!found.has(serial)) yield `Document ${serial}: is missing.`;
  }
}

interface KeyRow {
  key_id: number;
  public_key: string;
  private_key: string | null;
}

/** A private key that can't be decrypted has a check of its own. */
async function* incorrectKeys(db: Db, keys: readonly KeyRow[], secrets: Secrets): AsyncGenerator<string> {
  const { rows: entries } = await sql<Pick<Entry, 'entity_id' | 'after'>>`
    select entity_id, "after" from history where entity = 'document' and entity_id like 'key %' order by id`.execute(
    db,
  );
  const recorded = new Map(entries.map(({ entity_id, after }) => [entity_id, parseState(after).public_key]));
  const newest = keys.at(-1)?.key_id;
  for (const { key_id, public_key, private_key } of keys) {
    const name = `key ${key_id}`;
    if (!recorded.has(name)) yield `Signing ${name}: the history has no entry for it.`;
    else if (recorded.get(name) !== public_key) yield `Signing ${name}: public_key differ from the history.`;
    recorded.delete(name);
    const place = { column: 'signing_keys.private_key', row: key_id } as const;
    const opened = private_key === null ? undefined : secrets.tryToOpen(private_key, place);
    const isOther = opened !== undefined && !belongsTo(opened, public_key);
    if (isOther || (private_key !== null) !== (key_id === newest))
      yield `Signing ${name}: private_key is not that of the public key which signs now.`;
  }
  for (const name of recorded.keys()) yield `Signing ${name}: is missing.`;
}

function belongsTo(privateKey: string, publicKey: string): boolean {
  try {
    const own = createPublicKey(createPrivateKey(privateKey)).export({ type: 'spki', format: 'der' });
    const stated = createPublicKey(publicKey).export({ type: 'spki', format: 'der' });
    return own.equals(stated);
  } catch {
    return false;
  }
}
