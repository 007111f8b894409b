import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { categoryReply, methodParams, type SheetCategory } from '../../contract/marksheets/sheets.ts';
import { GRADING_METHODS, type GradingMethod, type PolicyRules } from '../../domain/grading/policy.ts';
import { inHundredths } from '../../domain/hundredths.ts';
import { proposeBoundaries } from '../../domain/marksheets/boundaries.ts';
import type { SheetRow as GradableRow, RowStatus } from '../../domain/marksheets/class-statistics.ts';
import { type Cells, isAbsentThroughout, totalRow } from '../../domain/marksheets/totals.ts';
import { inIdOrder } from '../../domain/search-text.ts';
import { SYNDICATES } from '../../domain/student.ts';
import { forUpdate } from '../db/dialect/locks.ts';
import { preparedChange, preparedQuery } from '../db/prepared-query.ts';
import type { Db, SheetRowsTable, SheetsTable, Tx } from '../db/schema.ts';
import { AppError } from '../errors.ts';
import { requireVersion, versionPart } from '../http/etags.ts';
import { noSuchSheet } from '../http/sheet-teachers.ts';
import { type AppliedPolicy, loadPolicies, type Policies } from '../students/grading/policies.ts';

export type SheetColumns = Selectable<SheetsTable>;
export type SheetRowColumns = Selectable<SheetRowsTable>;

const storedGrading = z.object({
  method: z.enum(GRADING_METHODS),
  params: methodParams,
  step: z.number(),
  boundaries: z.array(z.number()),
  /** Boundaries that the method proposed; null where it refused. */
  proposed: z.array(z.number()).nullable(),
  reason: z.string().nullable(),
});
/** How a sheet is graded, as it is stored. */
export type StoredGrading = z.infer<typeof storedGrading>;

const takenBack = z.object({
  by: z.int().nullable(),
  name: z.string(),
  at: z.iso.datetime(),
  reason: z.string(),
});
/** The person who made a submitted sheet a draft again, when and why. */
export type TakenBack = z.infer<typeof takenBack>;

export const storedCells = z.record(z.string(), z.union([z.number(), z.literal('A'), z.literal('E')]));
const categories = z.array(categoryReply);
const syndicates = z.array(z.enum(SYNDICATES));

export const parseCategories = (sheet: Pick<SheetColumns, 'categories'>): SheetCategory[] =>
  categories.parse(JSON.parse(sheet.categories));
export const parseSyndicates = (sheet: Pick<SheetColumns, 'syn'>) => syndicates.parse(JSON.parse(sheet.syn));
export const parseGrading = (sheet: Pick<SheetColumns, 'grading'>): StoredGrading | null =>
  sheet.grading === null ? null : storedGrading.parse(JSON.parse(sheet.grading));
export const parseTakenBack = (sheet: Pick<SheetColumns, 'taken_back'>): TakenBack | null =>
  sheet.taken_back === null ? null : takenBack.parse(JSON.parse(sheet.taken_back));
/** The filled cells of a row. */
export const parseCells = (row: Pick<SheetRowColumns, 'cells'>): z.infer<typeof storedCells> =>
  storedCells.parse(JSON.parse(row.cells));

export const getComponents = (all: readonly SheetCategory[]) => all.flatMap(({ components }) => components);

/** Components with the same name are told apart by their categories. */
export function listComponents(all: readonly SheetCategory[]) {
  const names = getComponents(all).map(({ name }) => name);
  return all.flatMap((category) =>
    category.components.map((component) => ({
      ...component,
      name:
        names.filter((other) => other === component.name).length > 1
          ? `${category.name}: ${component.name}`
          : component.name,
    })),
  );
}

/** @throws AppError not-found */
export async function requireSheet(db: Db, sheetId: number): Promise<SheetColumns> {
  const sheet = await db.selectFrom('sheets').selectAll().where('sheet_id', '=', sheetId).executeTakeFirst();
  if (sheet === undefined) throw noSuchSheet();
  return sheet;
}

const findLockedSheet = preparedQuery<SheetColumns, [sheetId: number]>(
  (db) => sql`select * from sheets where sheet_id = ${0} ${forUpdate(db)}`,
);

/**
 * The sheet, locked until the transaction ends.
 *
 * @throws AppError not-found
 */
export async function lockSheet(tx: Tx, sheetId: number): Promise<SheetColumns> {
  const sheet = await findLockedSheet(tx, sheetId);
  if (sheet === undefined) throw noSuchSheet();
  return sheet;
}

const STATE_TEXTS = {
  submitted: 'This mark sheet is submitted. It can be changed after it is taken back.',
  confirmed: 'This mark sheet is confirmed. Only a rectification changes its results.',
} as const;

/** @throws AppError conflict for a sheet that is submitted or confirmed */
export function requireDraft({ state }: Pick<SheetColumns, 'state'>): void {
  if (state !== 'draft') throw new AppError('conflict', STATE_TEXTS[state]);
}

/**
 * A rectification has the set-up, the students and the boundaries of the sheet that it rectifies.
 *
 * @throws AppError conflict
 */
export function requireNoRectification({ rectifies }: Pick<SheetColumns, 'rectifies'>): void {
  if (rectifies === null) return;
  throw new AppError(
    'conflict',
    'A rectification keeps the set-up, the students and the boundaries of the sheet that it rectifies.',
  );
}

/** @throws AppError stale when the sheet has another version than the change is based on */
export const requireSheetVersion = (
  tx: Tx,
  ifMatch: string | undefined,
  sheet: SheetColumns,
  current: () => Promise<object>,
): Promise<void> =>
  requireVersion(tx, ifMatch, {
    part: versionPart.sheet(sheet.version),
    current,
    entities: ['sheet'],
    id: sheet.sheet_id,
  });

/** The columns of a row that follow from its cells. */
export function rowFigures(
  all: readonly SheetCategory[],
  cells: Cells,
): Pick<SheetRowColumns, 'filled' | 'total' | 'is_absent'> {
  const { total } = totalRow(all, cells);
  return {
    filled: getComponents(all).filter(({ component_id }) => (cells[component_id] ?? null) !== null).length,
    total: total === null ? null : inHundredths(total),
    is_absent: isAbsentThroughout(all, cells) ? 1 : 0,
  };
}

/** The policy that was fixed at the submission, or the one that applies to the batch now. */
export function getPolicy(
  policies: Policies,
  { policy_id, degree }: Pick<SheetColumns, 'policy_id' | 'degree'>,
): AppliedPolicy {
  if (policy_id === null) return policies.of(degree);
  const policy = policies.byId(policy_id);
  if (policy === undefined) throw new Error(`Policy ${policy_id} is missing.`);
  return policy;
}

/** {@link getPolicy} among those of the database. */
export const loadPolicy = async (db: Db, sheet: Pick<SheetColumns, 'policy_id' | 'degree'>) =>
  getPolicy(await loadPolicies(db), sheet);

interface Scheme {
  method: GradingMethod;
  params: StoredGrading['params'];
  step: number;
}

/** The rules of the policy with those of the sheet in their place. */
export const withScheme = (rules: PolicyRules, { method, params, step }: Scheme): PolicyRules => ({
  ...rules,
  grading_method: method,
  k: params.k ?? rules.k,
  quotas: params.quotas ?? rules.quotas,
  absolute_boundaries: params.boundaries ?? rules.absolute_boundaries,
  boundary_step: step,
});

/** How a sheet is graded now. */
export interface Grading extends Scheme {
  policy_id: number;
  rules: PolicyRules;
  boundaries: readonly number[] | null;
  /** Null until boundaries are stored; then those of the policy's method hold. */
  stored: StoredGrading | null;
}

/** @param rows all rows of the sheet, of which boundaries that are not stored follow */
export function toGrading(
  { policy_id, rules }: AppliedPolicy,
  stored: StoredGrading | null,
  rows: readonly GradableRow[],
): Grading {
  const { method, params, step } = stored ?? {
    method: rules.grading_method,
    params: {},
    step: rules.boundary_step,
  };
  const own = withScheme(rules, { method, params, step });
  const boundaries = stored?.boundaries ?? proposeBoundaries(rows, own).boundaries;
  return { policy_id, rules: own, method, params, step, boundaries, stored };
}

/** A row as letters and statistics take it. */
export const toGradable = ({
  student_id,
  status,
  total,
  is_absent,
}: {
  student_id: string;
  status: RowStatus;
  total: number | null;
  is_absent: number;
}): GradableRow => ({
  student_id,
  status,
  total: total === null ? null : total / 100,
  isAbsent: is_absent === 1,
});

/** The first `most` IDs. */
export function formatIds(ids: readonly string[], most: number): string {
  const more = ids.length - most;
  return `${ids.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

export const getStudentId = ({ student_id }: { student_id: string }) => student_id;

/** All rows of a sheet as letters and statistics take them, in the order of their IDs. */
export async function loadGradable(db: Db, sheetId: number): Promise<GradableRow[]> {
  const rows = await db
    .selectFrom('sheet_rows')
    .select(['student_id', 'status', 'total', 'is_absent'])
    .where('sheet_id', '=', sheetId)
    .execute();
  return inIdOrder(rows, getStudentId).map(toGradable);
}

/** Counts a change of the sheet. `setup`: it is not of cells or of single rows alone. */
export async function bumpVersion(
  tx: Tx,
  { sheet_id, version }: Pick<SheetColumns, 'sheet_id' | 'version'>,
  kind: 'cells' | 'setup',
): Promise<number> {
  const next = version + 1;
  if (kind === 'cells') await setVersion(tx, next, sheet_id);
  else
    await tx
      .updateTable('sheets')
      .set({ version: next, setup_version: next })
      .where('sheet_id', '=', sheet_id)
      .execute();
  return next;
}

const setVersion = preparedChange<[version: number, sheetId: number]>(
  () => sql`update sheets set version = ${0} where sheet_id = ${0}`,
);
