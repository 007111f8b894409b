import type { Selectable } from 'kysely';
import type { Term, TermInput } from '../../contract/terms.ts';
import { nameSortKey } from '../../domain/search-text.ts';
import { lastDaysFaults } from '../../domain/term-dates.ts';
import { advisoryLock, locked } from '../db/dialect/locks.ts';
import type { Db, TermsTable, Tx } from '../db/schema.ts';
import { AppError, alreadyTaken, invalidField, ValidationError } from '../errors.ts';
import { type Author, firstVersion, recordChange, recordNumberedChange } from '../history/record-change.ts';
import { changeRecord, type RecordKind, requireCurrent } from '../http/change-record.ts';
import { versionPart } from '../http/etags.ts';

type TermRow = Selectable<TermsTable>;

const noSuchTerm = () => new AppError('not-found', 'There is no such term.');

export function presentTerm({ name_key: _, summer, ...term }: TermRow): Term {
  return { ...term, summer: summer === 1 };
}

const TERM: RecordKind<TermRow> = { entity: 'term', versionPart: versionPart.term, present: presentTerm };

/** All terms, the latest start first. */
export async function listTerms(db: Db): Promise<Term[]> {
  const rows = await db
    .selectFrom('terms')
    .selectAll()
    .orderBy('starts_on', 'desc')
    .orderBy('term_id', 'desc')
    .execute();
  return rows.map(presentTerm);
}

export function findTerm(db: Db, termId: number): Promise<TermRow | undefined> {
  return db.selectFrom('terms').selectAll().where('term_id', '=', termId).executeTakeFirst();
}

/** @throws AppError not-found */
export async function requireTerm(db: Db, termId: number): Promise<Term> {
  const row = await findTerm(db, termId);
  if (row === undefined) throw noSuchTerm();
  return presentTerm(row);
}

/** The term's row at the version that the change is based on, locked until the transaction ends. */
async function lockTerm(tx: Tx, termId: number, ifMatch: string | undefined): Promise<TermRow> {
  const row = await locked(
    tx,
    tx.selectFrom('terms').selectAll().where('term_id', '=', termId),
  ).executeTakeFirst();
  if (row === undefined) throw noSuchTerm();
  await requireCurrent(tx, TERM, { id: termId, row }, ifMatch);
  return row;
}

/** One change of a name at a time, so that the check of names holds. */
const lockNames = (tx: Tx) => advisoryLock(tx, 'names of terms');

const NO_DAYS = { summer: 0, add_until: null, drop_until: null, withdraw_until: null } as const;

/**
 * The columns of a term. What the input leaves out stays as it was.
 *
 * @throws ValidationError on last days that are out of order
 */
function toColumns(
  { name, starts_on, ends_on, summer, ...days }: TermInput,
  before: Pick<TermRow, keyof typeof NO_DAYS>,
) {
  const kept = (field: keyof typeof days) => (days[field] === undefined ? before[field] : days[field]);
  const columns = {
    name,
    name_key: nameSortKey(name),
    starts_on,
    ends_on,
    summer: summer === undefined ? before.summer : Number(summer),
    add_until: kept('add_until'),
    drop_until: kept('drop_until'),
    withdraw_until: kept('withdraw_until'),
  };
  const faults = Object.entries(lastDaysFaults(columns));
  if (faults.length > 0)
    throw new ValidationError(Object.fromEntries(faults.map(([field, text]) => [field, [text]])));
  return columns;
}

/**
 * Adds a term.
 *
 * @param termId of a deleted term that is restored
 */
export async function createTerm(tx: Tx, author: Author, input: TermInput, termId?: number): Promise<Term> {
  await lockNames(tx);
  const row = await tx
    .insertInto('terms')
    .values({
      ...toColumns(input, NO_DAYS),
      ...(termId === undefined
        ? { version: 1 }
        : { term_id: termId, version: await firstVersion(tx, ['term'], termId) }),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) throw invalidField('name', alreadyTaken('name'));
  const term = presentTerm(row);
  await recordChange(tx, author, { action: 'create', entity: 'term', entityId: row.term_id, after: term });
  return term;
}

export async function updateTerm(
  tx: Tx,
  author: Author,
  termId: number,
  input: TermInput,
  ifMatch: string | undefined,
): Promise<Term> {
  await lockNames(tx);
  const row = await lockTerm(tx, termId, ifMatch);
  const columns = toColumns(input, row);
  const store = async (version: number) => {
    await requireFreeName(tx, columns.name_key, termId);
    return tx
      .updateTable('terms')
      .set({ ...columns, version })
      .where('term_id', '=', termId)
      .returningAll()
      .executeTakeFirstOrThrow();
  };
  return presentTerm(await changeRecord(tx, author, TERM, { id: termId, row, columns, store }));
}

async function requireFreeName(tx: Tx, nameKey: string, exceptId: number): Promise<void> {
  const namesake = await tx
    .selectFrom('terms')
    .select('term_id')
    .where('name_key', '=', nameKey)
    .where('term_id', '!=', exceptId)
    .executeTakeFirst();
  if (namesake !== undefined) throw invalidField('name', alreadyTaken('name'));
}

/**
 * Deletes a term. The lock of its row keeps new mark sheets out.
 *
 * @returns the number of the history entry, from which the term can be restored
 * @throws AppError conflict while a mark sheet uses it
 */
export async function deleteTerm(
  tx: Tx,
  author: Author,
  termId: number,
  ifMatch: string | undefined,
): Promise<number> {
  const before = presentTerm(await lockTerm(tx, termId, ifMatch));
  const sheet = await tx
    .selectFrom('sheets')
    .select('sheet_id')
    .where('term_id', '=', termId)
    .limit(1)
    .executeTakeFirst();
  if (sheet !== undefined) {
    throw new AppError('conflict', 'This term has mark sheets, so it can’t be deleted.');
  }
  await tx.deleteFrom('terms').where('term_id', '=', termId).execute();
  return recordNumberedChange(tx, author, { action: 'delete', entity: 'term', entityId: termId, before });
}
