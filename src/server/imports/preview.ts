import { createHash, type Hash } from 'node:crypto';
import {
  type ImportCounts,
  type ImportPreview,
  type ImportPreviewInput,
  OTHER_PERSON,
} from '../../contract/imports.ts';
import { pausedChunks } from '../chunks.ts';
import type { Database } from '../db/database.ts';
import type { Db, Tx } from '../db/schema.ts';
import { retryTransaction } from '../db/transaction.ts';
import { AppError, invalidField } from '../errors.ts';
import { checkRows } from './check-rows.ts';
import { type CompleteChoices, canonicalChoices, completeChoices } from './choices.ts';
import type { Importer } from './importer.ts';
import { type ImportRecord, isApplying, noSuchImport, parseFile, requireOwnImport } from './imports.ts';
import { KINDS } from './kinds/index.ts';
import { type CheckedRecords, type RowOutcome, unlockedSource } from './kinds/kind.ts';
import { normalizeHeading } from './reading/fields.ts';
import { isBeingApplied, type RunningImports } from './running.ts';
import { findMissingLines, PAGE, storeOutcomes } from './stored-rows.ts';

/** Lines that a refusal names. */
const MOST_LINES_NAMED = 10;

/**
 * Counts rows, and hashes what their outcomes were computed from. Which rows are accepted that name another person is not hashed: they
 * are said by number, and may be said with the call that applies.
 */
export class PreviewSum {
  readonly counts: ImportCounts = { create: 0, update: 0, unchanged: 0, refused: 0 };
  readonly #hash: Hash;
  /** Why applying is an administrator's act, with a reason; null where it is anybody's. */
  needsReason: string | null = null;

  constructor(importId: number, choices: CompleteChoices) {
    this.#hash = createHash('sha256').update(`${importId} ${canonicalChoices(choices)}`);
  }

  add({ outcomes, unaccepted = outcomes, basis, needsReason }: CheckedRecords): void {
    this.needsReason ??= needsReason ?? null;
    for (const { state } of outcomes) this.counts[state] += 1;
    const states = unaccepted.map(
      ({ line, state, warnings }) => `${line} ${OTHER_PERSON in warnings ? OTHER_PERSON : state}`,
    );
    this.#hash.update(`\n${basis} ${states.join()}`);
  }

  /** Called once, after the last row. */
  toPreview(): ImportPreview {
    return {
      fingerprint: this.#hash.digest('base64url'),
      counts: this.counts,
      unmapped_required: [],
      ambiguous_columns: [],
    };
  }
}

/**
 * Checks every row of an import and stores what would happen to it. A later preview of the same import takes the place of
 * one that is under way.
 *
 * @throws ValidationError on a choice that can't be; AppError conflict when the import is or has been applied, or when a later
 * preview has begun
 */
export async function previewImport(
  { read, write }: Database,
  running: RunningImports,
  importer: Importer,
  { importId, input }: { importId: number; input: ImportPreviewInput },
): Promise<ImportPreview> {
  const row = await requireOwnImport(read, importId, importer.person);
  requirePreviewable(row, running);
  const kind = KINDS[row.kind];
  const choices = completeChoices(input, {
    kind: row.kind,
    file: parseFile(row),
    keyFields: kind.keyFields,
  });
  await requireLines(
    read,
    importId,
    'fixes',
    choices.fixes.map(({ line }) => line),
  );
  await requireLines(read, importId, 'accept', choices.accept);
  const role = importer.person?.role ?? 'admin';
  const preview = await importer.transact(write, (tx) => beginPreview(tx, importId, choices));
  const sum = new PreviewSum(importId, choices);
  let unstored: RowOutcome[] = [];
  const store = async () => {
    const outcomes = unstored;
    unstored = [];
    // A record may have any number of rows.
    for await (const page of pausedChunks(outcomes, PAGE)) {
      await retryTransaction(write, (tx) => storeOutcomes(tx, { importId, preview }, page));
    }
  };
  for await (const checked of checkRows(read, unlockedSource(read), { kind, row, choices, role })) {
    sum.add(checked);
    unstored.push(...checked.outcomes);
    if (unstored.length >= PAGE) await store();
  }
  if (unstored.length > 0) await store();
  const result = sum.toPreview();
  await importer.transact(write, async (tx, author) => {
    const ended = await tx
      .updateTable('imports')
      .set({
        state: 'previewed',
        counts: JSON.stringify(result.counts),
        fingerprint: result.fingerprint,
        needs_reason: sum.needsReason,
      })
      .where('id', '=', importId)
      .where('preview', '=', preview)
      .where('state', '=', 'uploaded')
      .returning('id')
      .executeTakeFirst();
    if (ended === undefined) throw wasReplaced();
    if (author.id !== null && input.mapping !== undefined && input.layout === 'row-per-subject')
      await rememberColumns(tx, author.id, row, choices);
  });
  return result;
}

/** @throws AppError conflict while it is being applied and afterwards */
function requirePreviewable(row: ImportRecord, running: RunningImports): void {
  if (isApplying(row, running)) throw isBeingApplied();
  if (row.state === 'applied' || row.state === 'undone')
    throw new AppError('conflict', 'This import has been applied. Send the file again to import more of it.');
}

/** @throws ValidationError on the choice, naming the lines on which no row begins */
export async function requireLines(
  db: Db,
  importId: number,
  choice: 'fixes' | 'accept',
  lines: readonly number[],
): Promise<void> {
  const missing = await findMissingLines(db, importId, lines);
  if (missing.length === 0) return;
  const [first, ...others] = [...new Set(missing)].sort((a, b) => a - b).slice(0, MOST_LINES_NAMED);
  throw invalidField(
    choice,
    others.length === 0
      ? `The file has no row in line ${first}.`
      : `The file has no rows in lines ${[first, ...others].join(', ')}.`,
  );
}

const wasReplaced = () =>
  new AppError('conflict', 'Another preview of this import has begun, or it was cancelled.');

/** Until the preview ends there is no earlier one to apply. Returns its number. */
async function beginPreview(tx: Tx, importId: number, choices: CompleteChoices): Promise<number> {
  const begun = await tx
    .updateTable('imports')
    .set((eb) => ({
      state: 'uploaded',
      choices: JSON.stringify(choices),
      counts: null,
      fingerprint: null,
      needs_reason: null,
      preview: eb('preview', '+', 1),
    }))
    .where('id', '=', importId)
    .where('state', 'not in', ['applied', 'undone'])
    .returning('preview')
    .executeTakeFirst();
  if (begun === undefined) throw noSuchImport();
  return begun.preview;
}

/** Remembers the field of each column that was chosen, and each recognised one that was not to be read. */
async function rememberColumns(
  tx: Tx,
  userId: number,
  row: Pick<ImportRecord, 'kind' | 'file'>,
  { mapping }: CompleteChoices,
): Promise<void> {
  const fieldByColumn = new Map(Object.entries(mapping).map(([field, index]) => [index, field]));
  const remembered = new Map<string, string | null>();
  for (const { index, heading, field } of parseFile(row).columns) {
    const chosen = fieldByColumn.get(index) ?? null;
    if (chosen !== field) remembered.set(normalizeHeading(heading), chosen);
  }
  remembered.delete('');
  for (const [heading, field] of remembered) {
    await tx
      .insertInto('import_columns')
      .values({ user_id: userId, kind: row.kind, heading, field })
      .onConflict((conflict) => conflict.columns(['user_id', 'kind', 'heading']).doUpdateSet({ field }))
      .execute();
  }
}
