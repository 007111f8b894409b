import type { Selectable } from 'kysely';
import type { NamedCourse, Scheme, SchemeSummary, SchemesQuery } from '../../contract/schemes/schemes.ts';
import { countCredits } from '../../domain/schemes/hours.ts';
import { type SchemeRow, sumSemesters } from '../../domain/schemes/scheme.ts';
import type { Db, SchemesTable } from '../db/schema.ts';
import { AppError } from '../errors.ts';
import { findNamedCourses } from '../students/audit/named-courses.ts';
import { parseRows } from '../students/audit/schemes.ts';

export type SchemeTableRow = Selectable<SchemesTable>;

export const noSuchScheme = () => new AppError('not-found', 'There is no such scheme.');

export const parseDegrees = ({ degrees }: Pick<SchemesTable, 'degrees'>): string[] | null =>
  degrees === null ? null : JSON.parse(degrees);

/** What an entry of the history holds of a scheme. */
export const toSchemeState = (row: SchemeTableRow) => ({
  ...row,
  degrees: parseDegrees(row),
  rows: parseRows(row),
});

/** The courses that rows name. */
export const namedIn = (rows: readonly Pick<SchemeRow, 'options' | 'needs'>[]): number[] =>
  rows.flatMap(({ options, needs }) => [...options, ...needs.map(({ course_id }) => course_id)]);

export async function presentScheme(db: Db, row: SchemeTableRow): Promise<Scheme> {
  const rows = parseRows(row);
  const courses = await findNamedCourses(db, namedIn(rows));
  return toScheme(row, { rows, courses, isInForce: await isInForce(db, row) });
}

const toScheme = (
  row: SchemeTableRow,
  { rows, courses, isInForce }: { rows: readonly SchemeRow[]; courses: NamedCourse[]; isInForce: boolean },
): Scheme => ({
  ...toSummary(row, rows, isInForce),
  rows: rows.map(({ key, semester, title, theory, lab, options, needs }) => ({
    key,
    semester,
    title,
    theory,
    lab,
    credits: countCredits({ theory, lab }),
    options: [...options],
    needs: needs.map(({ course_id, kind }) => ({ course_id, kind })),
  })),
  courses,
});

function toSummary(row: SchemeTableRow, rows: readonly SchemeRow[], isInForce: boolean): SchemeSummary {
  const { scheme_id, number, name, department, version, created_at, published_at } = row;
  return {
    scheme_id,
    number,
    name,
    department,
    degrees: parseDegrees(row),
    semesters: sumSemesters(rows),
    in_force: isInForce,
    version,
    created_at,
    created_by: { id: row.created_by, name: row.created_name },
    published_at,
    published_by: published_at === null ? null : { id: row.published_by, name: row.published_name ?? '' },
  };
}

type Published = Pick<SchemeTableRow, 'scheme_id' | 'department' | 'degrees'>;

/** The published schemes that hold for at least one batch, those that are named nowhere included. The highest number first. */
function findInForce(published: readonly Published[]): ReadonlySet<number> {
  const found = new Set<number>();
  const taken = new Map<string, Set<string> | 'all'>();
  for (const row of published) {
    const degrees = parseDegrees(row);
    const before = taken.get(row.department) ?? new Set<string>();
    if (before === 'all') continue;
    if (degrees === null || degrees.some((degree) => !before.has(degree))) found.add(row.scheme_id);
    taken.set(row.department, degrees === null ? 'all' : new Set([...before, ...degrees]));
  }
  return found;
}

async function isInForce(db: Db, { scheme_id, number, department }: SchemeTableRow): Promise<boolean> {
  if (number === null) return false;
  const published = await db
    .selectFrom('schemes')
    .select(['scheme_id', 'department', 'degrees'])
    .where('department', '=', department)
    .where('number', '>=', number)
    .orderBy('number', 'desc')
    .execute();
  return findInForce(published).has(scheme_id);
}

/** Drafts, the latest first, then the highest number first. */
export async function listSchemes(db: Db, { department, degree }: SchemesQuery): Promise<SchemeSummary[]> {
  const rows = await db
    .selectFrom('schemes')
    .selectAll()
    .orderBy('number', 'desc')
    .orderBy('scheme_id', 'desc')
    .execute();
  const inForce = findInForce(rows.filter(({ number }) => number !== null));
  const isAsked = (row: SchemeTableRow) =>
    (department === undefined || row.department === department) &&
    (degree === undefined || (parseDegrees(row)?.includes(degree) ?? true));
  const asked = rows.filter(isAsked);
  return [
    ...asked.filter(({ number }) => number === null),
    ...asked.filter(({ number }) => number !== null),
  ].map((row) => toSummary(row, parseRows(row), inForce.has(row.scheme_id)));
}

export function findScheme(db: Db, schemeId: number): Promise<SchemeTableRow | undefined> {
  return db.selectFrom('schemes').selectAll().where('scheme_id', '=', schemeId).executeTakeFirst();
}

/** @throws AppError not-found */
export async function requireScheme(db: Db, schemeId: number): Promise<SchemeTableRow> {
  const row = await findScheme(db, schemeId);
  if (row === undefined) throw noSuchScheme();
  return row;
}
