import { sql } from 'kysely';
import { inSemesterOrder, type SchemeRow } from '../../../domain/schemes/scheme.ts';
import { advisoryLock } from '../../db/dialect/locks.ts';
import { jsonElements } from '../../db/dialect/sql.ts';
import { preparedQuery } from '../../db/prepared-query.ts';
import type { Db, SchemesTable, StudentsTable, Tx } from '../../db/schema.ts';

/** One publication, one change of equivalents and one opening of a term at a time. */
export const lockSchemes = (tx: Tx) => advisoryLock(tx, 'schemes and equivalents');

/** A published scheme. */
export interface PublishedScheme {
  scheme_id: number;
  number: number;
  name: string;
  rows: readonly SchemeRow[];
}

/** The rows as they are stored: checked when they were written, and in the order of the semesters. */
export function parseRows({ rows }: Pick<SchemesTable, 'rows'>): SchemeRow[] {
  const parsed: SchemeRow[] = JSON.parse(rows);
  return parsed;
}

export const toStoredRows = (rows: readonly SchemeRow[]): string => JSON.stringify(inSemesterOrder(rows));

/** Rows of schemes in force by their JSON. There are few, and each audit reads one. */
const parsedRows = new Map<string, readonly SchemeRow[]>();
const MAX_PARSED_SCHEMES = 50;

function parseInForce(row: Pick<SchemesTable, 'rows'>): readonly SchemeRow[] {
  const known = parsedRows.get(row.rows);
  if (known !== undefined) return known;
  const parsed = parseRows(row);
  if (parsedRows.size === MAX_PARSED_SCHEMES) parsedRows.clear();
  parsedRows.set(row.rows, parsed);
  return parsed;
}

const findInForce = preparedQuery<
  Pick<SchemesTable, 'name' | 'rows'> & { scheme_id: number; number: number },
  [department: string, degree: string]
>(
  (db) => sql`
    select scheme_id, number, name, rows from schemes
    where department = ${''} and number is not null and (degrees is null
      or exists (select 1 from ${jsonElements(db, sql.ref('schemes.degrees'))} d where d.value = ${''}))
    order by number desc limit 1`,
);

/** A department and batch. */
export type SchemeClass = Pick<StudentsTable, 'department' | 'degree'>;

/** The scheme in force for a class: of those for it the one with the highest number. */
export async function findSchemeInForce(
  db: Db,
  { department, degree }: SchemeClass,
): Promise<PublishedScheme | undefined> {
  const row = await findInForce(db, department, degree);
  return row && { ...row, rows: parseInForce(row) };
}

/** Finds the schemes in force for classes, each once. */
export function schemeFinder(db: Db): (of: SchemeClass) => Promise<PublishedScheme | undefined> {
  const found = new Map<string, Promise<PublishedScheme | undefined>>();
  return (of) => {
    const key = `${of.department} ${of.degree}`;
    const scheme = found.get(key) ?? findSchemeInForce(db, of);
    found.set(key, scheme);
    return scheme;
  };
}
