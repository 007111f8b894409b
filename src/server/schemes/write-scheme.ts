import type { SchemeInput, SchemeRowInput, SchemeUpdate } from '../../contract/schemes/schemes.ts';
import { foldKey, makeRowKey, type SchemeRow } from '../../domain/schemes/scheme.ts';
import { locked } from '../db/dialect/locks.ts';
import type { Db, Tx } from '../db/schema.ts';
import { AppError, invalidField, ValidationError } from '../errors.ts';
import {
  type Author,
  firstVersion,
  isNoOp,
  recordChange,
  recordNumberedChange,
} from '../history/record-change.ts';
import { requireVersion, versionPart } from '../http/etags.ts';
import { findCatalogueCourses } from '../students/audit/named-courses.ts';
import { parseRows, toStoredRows } from '../students/audit/schemes.ts';
import {
  findScheme,
  namedIn,
  noSuchScheme,
  presentScheme,
  type SchemeTableRow,
  toSchemeState,
} from './present-scheme.ts';

/** @throws ValidationError on `degrees` for a batch without students of the department */
export async function requireBatches(
  db: Db,
  { department, degrees }: { department?: SchemeInput['department']; degrees: readonly string[] | null },
): Promise<void> {
  if (degrees === null) return;
  const rows = await db
    .selectFrom('cohorts')
    .select('degree')
    .where('degree', 'in', degrees)
    .$if(department !== undefined, (query) => query.where('department', '=', department ?? 'EE'))
    .groupBy('degree')
    .having((eb) => eb(eb.fn.sum('students'), '>', 0))
    .execute();
  const found = new Set(rows.map(({ degree }) => degree));
  const empty = degrees.filter((degree) => !found.has(degree));
  if (empty.length === 0) return;
  const names = empty.length === 1 ? `batch ${empty[0]}` : `the batches ${empty.join(', ')}`;
  throw invalidField('degrees', `There is no student${department ? ` of ${department}` : ''} in ${names}.`);
}

const toColumns = ({ name, department, degrees }: Pick<SchemeInput, 'name' | 'department' | 'degrees'>) => ({
  name,
  department,
  degrees: degrees && JSON.stringify(degrees),
});

/** Begins a draft, with the rows of another scheme if one is named. */
export async function createScheme(tx: Tx, author: Author, input: SchemeInput): Promise<SchemeTableRow> {
  await requireBatches(tx, input);
  const from = input.from === null ? undefined : await findScheme(tx, input.from);
  if (input.from !== null && from === undefined)
    throw invalidField('from', 'The from must be the id of an existing scheme.');
  return insertDraft(tx, author, { ...toColumns(input), rows: from?.rows ?? '[]', version: 1 });
}

type DraftColumns = Pick<SchemeTableRow, 'name' | 'department' | 'degrees' | 'rows' | 'version'>;

async function insertDraft(
  tx: Tx,
  author: Author,
  columns: DraftColumns & { scheme_id?: number },
): Promise<SchemeTableRow> {
  const row = await tx
    .insertInto('schemes')
    .values({
      ...columns,
      number: null,
      created_at: new Date().toISOString(),
      created_by: author.id,
      created_name: author.name,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordChange(tx, author, {
    action: 'create',
    entity: 'scheme',
    entityId: row.scheme_id,
    after: toSchemeState(row),
  });
  return row;
}

/** A deleted draft under its number. */
export async function restoreScheme(
  tx: Tx,
  author: Author,
  schemeId: number,
  input: SchemeUpdate,
): Promise<SchemeTableRow> {
  await requireBatches(tx, input);
  const rows = toStoredRows(await toRows(tx, input.rows, []));
  const version = await firstVersion(tx, ['scheme'], schemeId);
  return insertDraft(tx, author, { ...toColumns(input), rows, version, scheme_id: schemeId });
}

/**
 * The draft at the version that the change is based on, locked until the transaction ends.
 *
 * @throws AppError not-found, stale, conflict when it is published
 */
export async function lockDraft(
  tx: Tx,
  schemeId: number,
  ifMatch: string | undefined,
): Promise<SchemeTableRow> {
  const row = await locked(
    tx,
    tx.selectFrom('schemes').selectAll().where('scheme_id', '=', schemeId),
  ).executeTakeFirst();
  if (row === undefined) throw noSuchScheme();
  if (row.number !== null) throw isPublished(row.number);
  await requireVersion(tx, ifMatch, {
    part: versionPart.scheme(row.version),
    current: () => presentScheme(tx, row),
    entities: ['scheme'],
    id: schemeId,
  });
  return row;
}

const isPublished = (number: number) =>
  new AppError(
    'conflict',
    `Scheme ${number} is published, so it is never changed. Begin a new draft from it.`,
    {
      details: { refusals: [] },
    },
  );

/** Replaces a draft with its rows. */
export async function updateScheme(
  tx: Tx,
  author: Author,
  schemeId: number,
  input: SchemeUpdate,
  ifMatch: string | undefined,
): Promise<SchemeTableRow> {
  const row = await lockDraft(tx, schemeId, ifMatch);
  await requireBatches(tx, input);
  const rows = toStoredRows(await toRows(tx, input.rows, parseRows(row)));
  return storeDraft(tx, author, row, { ...toColumns(input), rows });
}

/** Replaces columns of a draft that is locked. A change of nothing stores nothing. */
export async function storeDraft(
  tx: Tx,
  author: Author,
  row: SchemeTableRow,
  columns: Partial<DraftColumns>,
  bulkId: number | null = null,
): Promise<SchemeTableRow> {
  if (isNoOp(author, row, columns)) return row;
  const after = await tx
    .updateTable('schemes')
    .set({ ...columns, version: row.version + 1 })
    .where('scheme_id', '=', row.scheme_id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordChange(
    tx,
    author,
    {
      action: 'update',
      entity: 'scheme',
      entityId: row.scheme_id,
      before: toSchemeState(row),
      after: toSchemeState(after),
    },
    bulkId,
  );
  return after;
}

/**
 * The rows with what was left out: title and key of the first option.
 *
 * @param stored rows of the draft, whose courses stay even if they have been deleted since
 * @throws ValidationError on `rows.n.…`
 */
async function toRows(
  db: Db,
  input: readonly SchemeRowInput[],
  stored: readonly SchemeRow[],
): Promise<SchemeRow[]> {
  const ids = [...new Set(namedIn(input))];
  const courses = new Map((await findCatalogueCourses(db, ids)).map((course) => [course.course_id, course]));
  const kept = new Set(namedIn(stored));
  const isKnown = (id: number) => courses.has(id) || kept.has(id);
  const errors: Record<string, string[]> = {};
  const taken = new Set<string>();
  for (const [i, { key, options, needs }] of input.entries()) {
    if (key !== undefined && taken.has(foldKey(key)))
      errors[`rows.${i}.key`] = ['The key must be another than those of the rows before.'];
    if (key !== undefined) taken.add(foldKey(key));
    const text = 'The course id must be that of an existing course.';
    if (!options.every(isKnown)) errors[`rows.${i}.options`] = [text];
    if (!needs.every(({ course_id }) => isKnown(course_id))) errors[`rows.${i}.needs`] = [text];
  }
  if (Object.keys(errors).length > 0) throw new ValidationError(errors);
  const titles = new Map(stored.map((row) => [row.options[0], row.title]));
  return input.map(({ key, semester, title, theory, lab, options, needs }) => {
    const [first = 0] = options;
    const course = courses.get(first);
    return {
      key: key ?? makeRowKey(course?.course_code ?? `${first}`, taken),
      semester,
      title: title ?? course?.course_name ?? titles.get(first) ?? `Course ${first}`,
      theory,
      lab,
      options,
      needs,
    };
  });
}

/** @returns the number of the history entry, from which the draft can be restored */
export async function deleteScheme(
  tx: Tx,
  author: Author,
  schemeId: number,
  ifMatch: string | undefined,
): Promise<number> {
  const row = await lockDraft(tx, schemeId, ifMatch);
  await tx.deleteFrom('schemes').where('scheme_id', '=', schemeId).execute();
  return recordNumberedChange(tx, author, {
    action: 'delete',
    entity: 'scheme',
    entityId: schemeId,
    before: toSchemeState(row),
  });
}
