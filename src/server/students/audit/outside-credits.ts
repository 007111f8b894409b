import type { Selectable } from 'kysely';
import type { OutsideCredit, OutsideCreditInput } from '../../../contract/schemes/audit.ts';
import { foldKey, SCHEME_LIMITS } from '../../../domain/schemes/scheme.ts';
import type { Db, OutsideCreditsTable, Tx } from '../../db/schema.ts';
import { AppError, invalidField } from '../../errors.ts';
import { type Author, isNoOp, recordChange } from '../../history/record-change.ts';
import { requireVersion, versionPart } from '../../http/etags.ts';
import type { StudentRow } from '../derived/derived-columns.ts';
import { noSuchStudent } from '../former-ids.ts';
import { lockStudent } from '../queries.ts';
import { findSchemeInForce } from './schemes.ts';

type Row = Selectable<OutsideCreditsTable>;

export const presentOutsideCredit = ({ student_id: _, row_key, ...row }: Row): OutsideCredit => ({
  ...row,
  row: row_key,
});

export const findOutsideCredits = (db: Db, ids: readonly string[]): Promise<Row[]> =>
  db.selectFrom('outside_credits').selectAll().where('student_id', 'in', ids).orderBy('outside_id').execute();

async function requireStudent(tx: Tx, id: string): Promise<StudentRow> {
  const student = await lockStudent(tx, id);
  if (student === undefined) throw noSuchStudent();
  return student;
}

/**
 * The key as the student's scheme writes it.
 *
 * @param except the outside credit that is changed
 * @throws ValidationError on `row` when the scheme has no such row, or something else has it
 */
async function requireRow(tx: Tx, student: StudentRow, key: string | null, except?: number) {
  if (key === null) return null;
  const scheme = await findSchemeInForce(tx, student);
  const row = scheme?.rows.find((one) => foldKey(one.key) === foldKey(key));
  if (row === undefined) throw invalidField('row', 'The row must be one of the student’s scheme.');
  const others = await findOutsideCredits(tx, [student.id]);
  const isTaken = others.some(
    ({ outside_id, row_key }) =>
      outside_id !== except && row_key !== null && foldKey(row_key) === foldKey(row.key),
  );
  if (isTaken) throw invalidField('row', 'The row is filled from elsewhere already.');
  const exceptions = await tx
    .selectFrom('scheme_exceptions')
    .select('row_key')
    .where('student_id', '=', student.id)
    .execute();
  if (exceptions.some(({ row_key }) => foldKey(row_key) === foldKey(row.key)))
    throw invalidField('row', 'The row has an exception already.');
  return row.key;
}

/**
 * Enters a course that was passed elsewhere.
 *
 * @param restored its number and version where it is restored
 */
export async function createOutsideCredit(
  tx: Tx,
  author: Author,
  id: string,
  { row, ...input }: OutsideCreditInput,
  restored?: { outside_id: number; version: number },
): Promise<OutsideCredit> {
  const student = await requireStudent(tx, id);
  const { length } = await findOutsideCredits(tx, [id]);
  if (length >= SCHEME_LIMITS.outsideCredits)
    throw invalidField(
      'outside_credits',
      `The outside credits must be at most ${SCHEME_LIMITS.outsideCredits}.`,
    );
  const stored = await tx
    .insertInto('outside_credits')
    .values({
      version: 1,
      ...restored,
      ...input,
      student_id: id,
      row_key: await requireRow(tx, student, row),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const after = presentOutsideCredit(stored);
  await recordChange(tx, author, { action: 'create', entity: 'outside-credit', entityId: id, after });
  return after;
}

/** The row at the version that the change is based on; its student is locked until the transaction ends. */
async function lockOutsideCredit(
  tx: Tx,
  { id, outsideId }: { id: string; outsideId: number },
  ifMatch: string | undefined,
): Promise<{ student: StudentRow; row: Row }> {
  const student = await requireStudent(tx, id);
  const row = (await findOutsideCredits(tx, [id])).find(({ outside_id }) => outside_id === outsideId);
  if (row === undefined) throw new AppError('not-found', 'There is no such course from elsewhere.');
  await requireVersion(tx, ifMatch, {
    part: versionPart.outsideCredit(row.version),
    current: presentOutsideCredit(row),
    entities: ['outside-credit'],
    id,
  });
  return { student, row };
}

export async function updateOutsideCredit(
  tx: Tx,
  author: Author,
  at: { id: string; outsideId: number },
  { row: key, ...input }: OutsideCreditInput,
  ifMatch: string | undefined,
): Promise<OutsideCredit> {
  const { student, row } = await lockOutsideCredit(tx, at, ifMatch);
  // A key that waits for a scheme which has it stays.
  const isSameRow = key !== null && row.row_key !== null && foldKey(key) === foldKey(row.row_key);
  const row_key = isSameRow ? row.row_key : await requireRow(tx, student, key, at.outsideId);
  const columns = { ...input, row_key };
  if (isNoOp(author, row, columns)) return presentOutsideCredit(row);
  const stored = await tx
    .updateTable('outside_credits')
    .set({ ...columns, version: row.version + 1 })
    .where('outside_id', '=', at.outsideId)
    .returningAll()
    .executeTakeFirstOrThrow();
  const after = presentOutsideCredit(stored);
  await recordChange(tx, author, {
    action: 'update',
    entity: 'outside-credit',
    entityId: at.id,
    before: presentOutsideCredit(row),
    after,
  });
  return after;
}

export async function deleteOutsideCredit(
  tx: Tx,
  author: Author,
  at: { id: string; outsideId: number },
  ifMatch: string | undefined,
): Promise<void> {
  const { row } = await lockOutsideCredit(tx, at, ifMatch);
  await tx.deleteFrom('outside_credits').where('outside_id', '=', at.outsideId).execute();
  await recordChange(tx, author, {
    action: 'delete',
    entity: 'outside-credit',
    entityId: at.id,
    before: presentOutsideCredit(row),
  });
}
