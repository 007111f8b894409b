import { sql } from 'kysely';
import type { FamilyInput, StudentInput } from '../../../contract/students/students.ts';
import { jsonToRows } from '../../db/dialect/sql.ts';
import type { Db, FamiliesTable, Tx } from '../../db/schema.ts';
import { AppError } from '../../errors.ts';
import { type Change, firstVersions, recordChanges, STUDENT_ENTITIES } from '../../history/record-change.ts';
import type { AuthorWithRole } from '../../http/transact-as.ts';
import { deriveStudent } from '../../students/derived/derive-student.ts';
import { DERIVED_COLUMNS, deriveTexts, type StudentRow } from '../../students/derived/derived-columns.ts';
import { addToIndex, reindex } from '../../students/derived/reindex.ts';
import { BASE_COLUMNS } from '../../students/derived/store-columns.ts';
import { loadPolicies, lockPolicies } from '../../students/grading/policies.ts';
import { presentFamily, presentStudent, studentColumns } from '../../students/queries.ts';
import { findBatchFaults } from '../../students/semesters/batch-moves.ts';
import { planEntry } from '../../students/semesters/entry-semester.ts';
import { loadResults } from '../../students/semesters/load-results.ts';
import { storeResults } from '../../students/semesters/store-results.ts';
import { forgetSheetsOfDeleted } from '../../students/sheets-of-deleted.ts';
import { type ImportWriter, lockingSource } from './kind.ts';

/** A student as the records have it now. */
export interface ExistingStudent {
  row: StudentRow;
  family: FamiliesTable | undefined;
}

/** The plan of what is stored of a student. */
export interface StudentPlan {
  id: string;
  existing: ExistingStudent | undefined;
  /** Undefined where it stays as it is; that of a new student is there. */
  base: StudentInput | undefined;
  /** The same; null where it is removed. */
  family: FamilyInput | null | undefined;
  /** The semester in which the student enters; null where that is taken back. */
  entry?: number | null | undefined;
}

/**
 * Stores students and families, many per statement, with their entries in the history and in the index of the list. Existing
 * ones are locked.
 *
 * @throws AppError stale when a new one has been created since it was looked for, forbidden when an administrator has to move
 *   one to another batch
 */
export async function storeStudents(writer: ImportWriter, plans: readonly StudentPlan[]): Promise<void> {
  const { tx, author, bulkId, counts, right } = writer;
  if (plans.length === 0) return;
  if (right !== 'mark-sheet') {
    const [fault] = (await findMoveFaults(tx, plans, right)).values();
    if (fault !== undefined) throw new AppError('forbidden', fault);
  }
  const versions = await firstVersions(
    tx,
    STUDENT_ENTITIES,
    plans.map(({ id }) => id),
  );
  const created = plans.filter(({ existing }) => existing === undefined);
  const changed = plans.filter(({ existing }) => existing !== undefined);
  const inserted = await insertStudents(tx, created, versions);
  const rows = new Map([...inserted, ...(await updateStudents(tx, changed))].map((row) => [row.id, row]));
  const families = new Map(
    (await storeFamilies(tx, plans, versions)).map((family) => [family.student_id, family]),
  );
  await removeFamilies(tx, plans);
  await addToIndex(tx, inserted, counts);
  if (changed.length > 0)
    await reindex(tx, new Map(changed.map(({ id, existing }) => [id, existing?.row])), counts);
  const changes = plans.flatMap(({ id, existing, base, family }) => {
    const [row, stored] = [rows.get(id), families.get(id)];
    return [
      ...(base === undefined || row === undefined ? [] : [studentChange(existing?.row, row)]),
      ...(family === undefined ? [] : [familyChange(id, existing?.family, stored)]),
    ];
  });
  await recordChanges(tx, author, changes, bulkId);
  await storeEntries(writer, plans);
}

/** Why moving students to other batches is not for somebody with this role, by student. */
export async function findMoveFaults(
  db: Db,
  plans: readonly StudentPlan[],
  { role }: Pick<AuthorWithRole, 'role'>,
): Promise<ReadonlyMap<string, string>> {
  const moves = plans.flatMap(({ id, existing, base }) =>
    existing === undefined || base === undefined || existing.row.degree === base.degree
      ? []
      : { id, before: existing.row, after: base },
  );
  if (role === 'admin' || moves.length === 0) return new Map();
  return findBatchFaults(db, await loadPolicies(db), moves);
}

/** Stores the semesters before late entries, or removes them. */
async function storeEntries(writer: ImportWriter, plans: readonly StudentPlan[]): Promise<void> {
  const entries = new Map(plans.flatMap(({ id, entry }) => (entry === undefined ? [] : [[id, entry]])));
  if (entries.size === 0) return;
  const results = await loadResults(lockingSource(writer.tx), [...entries.keys()]);
  await storeResults(
    writer,
    [...results].map(([id, own]) => {
      const entry = entries.get(id) ?? null;
      return entry === null ? { ...own, semesters: [] } : planEntry(own, entry);
    }),
  );
}

function studentChange(before: StudentRow | undefined, after: StudentRow): Change {
  return {
    action: before === undefined ? 'create' : 'update',
    entity: 'student',
    entityId: after.id,
    ...(before !== undefined && { before: presentStudent(before) }),
    after: presentStudent(after),
  };
}

function familyChange(
  id: string,
  before: FamiliesTable | undefined,
  after: FamiliesTable | undefined,
): Change {
  return {
    action: before === undefined ? 'create' : after === undefined ? 'delete' : 'update',
    entity: 'family',
    entityId: id,
    ...(before !== undefined && { before: presentFamily(before) }),
    ...(after !== undefined && { after: presentFamily(after) }),
  };
}

const ID_COLUMN = { id: 'text' } as const;

const columnList = (columns: object) => sql.join(Object.keys(columns).map((name) => sql.ref(name)));
const assignments = (columns: object) =>
  sql.join(Object.keys(columns).map((name) => sql`${sql.ref(name)} = ${sql.ref(`l.${name}`)}`));

/**
 * The derived columns are computed before the rows are inserted, so that the indexes are written once.
 *
 * @throws AppError stale when one of them has been created since it was looked for
 */
async function insertStudents(
  tx: Tx,
  plans: readonly StudentPlan[],
  versions: ReadonlyMap<string, number>,
): Promise<StudentRow[]> {
  if (plans.length === 0) return [];
  await lockPolicies(tx);
  const policies = await loadPolicies(tx);
  const values = plans.flatMap(({ base, family }) => {
    if (base === undefined) return [];
    const { father_name = null, father_phone = null } = family ?? {};
    const row = { current_sem: base.current_sem, status: 'active' } as const;
    const results = { row, hasFamily: Boolean(family), semesters: [] };
    // Spreading this many properties would take ten times the memory, much of it until the next full collection.
    return Object.assign(
      studentColumns(base),
      deriveTexts(Object.assign({ father_name, father_phone }, base)),
      deriveStudent(results, policies.of(base.degree)).figures,
      { version: versions.get(base.id) ?? 1 },
    );
  });
  const columns = { ...ID_COLUMN, ...BASE_COLUMNS, ...DERIVED_COLUMNS, version: 'integer' } as const;
  const { rows } = await sql<StudentRow>`insert into students (${columnList(columns)})
    select ${columnList(columns)} from ${jsonToRows(tx, values, columns)} l where true
    on conflict (id) do nothing returning *`.execute(tx);
  if (rows.length < values.length) throw new AppError('stale', 'A student of the file has been created.');
  await forgetSheetsOfDeleted(
    tx,
    rows.map(({ id }) => id),
  );
  return rows;
}

/** The students are locked. */
async function updateStudents(tx: Tx, plans: readonly StudentPlan[]): Promise<StudentRow[]> {
  const values = plans.flatMap(({ base }) => (base === undefined ? [] : studentColumns(base)));
  if (values.length === 0) return [];
  await sql`update students set version = version + 1, ${assignments(BASE_COLUMNS)}
    from ${jsonToRows(tx, values, { ...ID_COLUMN, ...BASE_COLUMNS })} l where students.id = l.id`.execute(tx);
  return tx
    .selectFrom('students')
    .selectAll()
    .where(
      'id',
      'in',
      values.map(({ id }) => id),
    )
    .execute();
}

const FAMILY_COLUMNS = {
  student_id: 'text',
  father_name: 'text',
  father_occupation: 'text',
  mother_name: 'text',
  mother_occupation: 'text',
  number_siblings: 'bigint',
  father_phone: 'text',
  mother_phone: 'text',
  home_phone: 'text',
  address: 'text',
} as const satisfies Record<keyof FamilyInput, 'text' | 'bigint'>;

async function storeFamilies(
  tx: Tx,
  plans: readonly StudentPlan[],
  versions: ReadonlyMap<string, number>,
): Promise<FamiliesTable[]> {
  const values = plans.flatMap(({ existing, family }) =>
    family === undefined || family === null
      ? []
      : {
          ...family,
          version:
            existing?.family === undefined
              ? (versions.get(family.student_id) ?? 1)
              : existing.family.version + 1,
        },
  );
  if (values.length === 0) return [];
  const columns = { ...FAMILY_COLUMNS, version: 'integer' } as const;
  const { student_id: _, ...changed } = columns;
  const replaced = sql.join(
    Object.keys(changed).map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`),
  );
  await sql`insert into families (${columnList(columns)})
    select ${columnList(columns)} from ${jsonToRows(tx, values, columns)} l where true
    on conflict (student_id) do update set ${replaced}`.execute(tx);
  return values;
}

async function removeFamilies(tx: Tx, plans: readonly StudentPlan[]): Promise<void> {
  const ids = plans.flatMap(({ id, family }) => (family === null ? id : []));
  if (ids.length > 0) await tx.deleteFrom('families').where('student_id', 'in', ids).execute();
}
