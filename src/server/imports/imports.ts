import type { Selectable } from 'kysely';
import { z } from 'zod';
import {
  IMPORT_KEPT_HOURS,
  type Import,
  type ImportKind,
  type ImportSummary,
  importColumn,
  importPreview,
  importPreviewInput,
  importReply,
  importSummary,
} from '../../contract/imports.ts';
import { DECIMAL_MARKS } from '../../domain/columns/cells.ts';
import type { Db, ImportsTable } from '../db/schema.ts';
import { AppError } from '../errors.ts';
import type { Actor } from '../http/actor.ts';
import { FIELDS } from './reading/fields.ts';
import { courseOfField, recognisedMapping } from './reading/layouts.ts';
import { ABANDONED_AFTER_MS, type RunningImports } from './running.ts';

export type ImportRecord = Selectable<ImportsTable>;

/** Most imports in the list. */
const MOST_LISTED = 200;

/** The head of the file, as it is stored. */
const importFile = z.object({
  encoding: z.string().nullable(),
  encoding_samples: z.array(z.string()),
  delimiter: z.string().nullable(),
  sheets: z.array(z.string()),
  sheet: z.string().nullable(),
  // Files of earlier versions do not have these.
  hidden_lines: importReply.shape.hidden_lines.default([]),
  is_1904: z.boolean(),
  decimal_sample: importReply.shape.decimal_sample.default(null),
  decimal: z.enum(DECIMAL_MARKS).nullable().default(null),
  heading_line: z.int(),
  columns: z.array(importColumn),
});
export type ImportFile = z.infer<typeof importFile>;

export const parseFile = ({ file }: Pick<ImportRecord, 'file'>): ImportFile =>
  importFile.parse(JSON.parse(file ?? 'null'));

export const parseChoices = ({ choices }: Pick<ImportRecord, 'choices'>) =>
  choices === null ? null : importPreviewInput.parse(JSON.parse(choices));

export const parseCounts = ({ counts }: Pick<ImportRecord, 'counts'>) =>
  counts === null ? null : importPreview.shape.counts.parse(JSON.parse(counts));

/** An import that has been read completely. One that was never applied is there for a day only. */
export async function findImport(db: Db, importId: number): Promise<ImportRecord | undefined> {
  return selectImports(db).where('imports.id', '=', importId).selectAll('imports').executeTakeFirst();
}

const selectImports = (db: Db) =>
  db
    .selectFrom('imports')
    .where('file', 'is not', null)
    .where((eb) =>
      eb.or([eb('state', 'in', ['applied', 'undone']), eb('imports.created_at', '>', earliestKept())]),
    );

/** Imports uploaded before this that were not applied are deleted. */
export const earliestKept = () => new Date(Date.now() - IMPORT_KEPT_HOURS * 60 * 60_000).toISOString();

export const noSuchImport = () =>
  new AppError(
    'not-found',
    `There is no such import. One that is not applied is deleted after ${IMPORT_KEPT_HOURS} hours.`,
  );

const isOwn = ({ user_id }: Pick<ImportRecord, 'user_id'>, { id, role }: Pick<Actor, 'id' | 'role'>) =>
  role === 'admin' || user_id === id;

/**
 * @param person null for the command line
 * @throws AppError not-found, or forbidden for anybody but the person who uploaded it and administrators
 */
export async function requireOwnImport(
  db: Db,
  importId: number,
  person: Pick<Actor, 'id' | 'role'> | null,
): Promise<ImportRecord> {
  const found = await findImport(db, importId);
  if (found === undefined) throw noSuchImport();
  if (person !== null && !isOwn(found, person)) {
    throw new AppError('forbidden', 'Only an administrator or whoever uploaded the file can do this.');
  }
  if (person !== null) requireKindRight(found.kind, person.role);
  return found;
}

/**
 * Schemes are an administrator's.
 *
 * @throws AppError forbidden
 */
export function requireKindRight(kind: ImportKind, role: Actor['role']): void {
  if (kind === 'scheme' && role !== 'admin')
    throw new AppError('forbidden', 'Only an administrator changes schemes.');
}

/** Whether a process is applying it: this one, or another one that has reported so lately. */
export const isApplying = (
  { id, state, seen_at }: Pick<ImportRecord, 'id' | 'state' | 'seen_at'>,
  running: RunningImports,
): boolean =>
  running.getProgress(id) !== undefined ||
  (state === 'previewed' &&
    seen_at !== null &&
    seen_at > new Date(Date.now() - ABANDONED_AFTER_MS).toISOString());

/** The latest imports of everybody, the newest first. */
export async function listImports(db: Db, running: RunningImports): Promise<ImportSummary[]> {
  const rows = await selectImports(db)
    .leftJoin('users', 'users.id', 'imports.user_id')
    .selectAll('imports')
    .select('users.name as user_name')
    .orderBy('imports.id', 'desc')
    .limit(MOST_LISTED)
    .execute();
  return rows.map((row) => presentSummary(row, parseFile(row), running));
}

export async function presentImport(db: Db, row: ImportRecord, running: RunningImports): Promise<Import> {
  const user = await db
    .selectFrom('users')
    .select('name')
    .where('id', '=', row.user_id ?? 0)
    .executeTakeFirst();
  const { is_1904: _, decimal: __, ...file } = parseFile(row);
  const summary = presentSummary({ ...row, user_name: user?.name ?? null }, parseFile(row), running);
  return {
    ...summary,
    ...file,
    fields: FIELDS[row.kind].map(({ field, label, required, value, gives = [] }) => ({
      field,
      label,
      required,
      is_date: value === 'date',
      gives: [...gives],
    })),
    course_columns:
      row.kind === 'results'
        ? Object.entries(recognisedMapping('results', 'column-per-course', file.columns)).flatMap(
            ([field, index]) => (courseOfField(field) === undefined ? [] : index),
          )
        : [],
    choices: parseChoices(row),
    fingerprint: row.fingerprint,
    needs_reason: row.needs_reason,
  };
}

/** Somebody else's import has no value of the file. */
export function presentFor(
  actor: Pick<Actor, 'id' | 'role'>,
  row: Pick<ImportRecord, 'user_id'>,
  shown: Import,
): Import {
  if (isOwn(row, actor)) return shown;
  const columns = shown.columns.map((column) => ({ ...column, samples: [] }));
  return { ...shown, columns, encoding_samples: [], choices: null };
}

function presentSummary(
  row: ImportRecord & { user_name: string | null },
  { sheet }: Pick<ImportFile, 'sheet'>,
  running: RunningImports,
): ImportSummary {
  const {
    id,
    kind,
    state,
    course_id,
    scheme_id,
    file_name,
    rows,
    created_at,
    user_id,
    user_name,
    applied_at,
  } = row;
  const applying = isApplying(row, running);
  return {
    import_id: id,
    kind,
    state: applying ? 'applying' : state,
    course_id,
    ...(scheme_id !== null && { scheme_id }),
    file_name,
    sheet,
    rows,
    created_at,
    created_by: user_id === null || user_name === null ? null : { id: user_id, name: user_name },
    counts: parseCounts(row),
    progress: applying ? { done: running.getProgress(id) ?? row.done, of: rows } : null,
    applied_at,
    partial: row.is_partial === 1,
    undo: row.undo === null ? null : importSummary.shape.undo.parse(JSON.parse(row.undo)),
  };
}
