import {
  type ImportApplyInput,
  type ImportCounts,
  type ImportPreview,
  type ImportPreviewInput,
  importPreviewInput,
} from '../../contract/imports.ts';
import { formatCount } from '../../domain/format-count.ts';
import type { Database } from '../db/database.ts';
import { withoutTimeouts } from '../db/dialect/locks.ts';
import type { Tx } from '../db/schema.ts';
import { AppError } from '../errors.ts';
import type { Actor } from '../http/actor.ts';
import type { AuthorWithRole } from '../http/transact-as.ts';
import { lockBulkChanges } from '../students/bulk/apply.ts';
import { CohortCounts } from '../students/derived/cohort-counts.ts';
import { ResultCounts } from '../students/derived/result-counts.ts';
import { checkRows } from './check-rows.ts';
import { type CompleteChoices, completeChoices } from './choices.ts';
import type { Importer } from './importer.ts';
import {
  type ImportRecord,
  isApplying,
  noSuchImport,
  parseChoices,
  parseCounts,
  parseFile,
  requireOwnImport,
} from './imports.ts';
import { KINDS } from './kinds/index.ts';
import { lockingSource } from './kinds/kind.ts';
import { PreviewSum, previewImport } from './preview.ts';
import { isBeingApplied, type RunningImports, wasCancelled } from './running.ts';

/**
 * Stores the rows of an import in one transaction. Every row is checked again there; what it is computed from has to be as in
 * the preview that the fingerprint belongs to.
 *
 * @returns what was done
 * @throws AppError forbidden, ValidationError on `reason` where it changes results that come from mark sheets;
 * stale with a new preview where it is not; conflict where rows are refused and are not to be left out, where it
 * is or has been applied, and when it is cancelled meanwhile
 */
export async function applyImport(
  db: Database,
  running: RunningImports,
  importer: Importer,
  { importId, input }: { importId: number; input: ImportApplyInput },
): Promise<string> {
  const previewed = await requireOwnImport(db.read, importId, importer.person);
  requireApplicable(previewed, running);
  if (previewed.counts === null || previewed.fingerprint !== input.fingerprint) {
    throw await stalePreview(db, running, importer, previewed);
  }
  const row = await acceptRows(db, running, importer, { row: previewed, accept: input.accept });
  const counts = parseCounts(row);
  if (counts === null || row.fingerprint !== input.fingerprint) {
    throw await stalePreview(db, running, importer, row);
  }
  if (counts.refused > 0 && !input.partial) {
    throw new AppError(
      'conflict',
      `${rowsText(counts.refused)} refused. Correct them, or import only the others.`,
    );
  }
  if (counts.create + counts.update === 0) {
    throw new AppError('conflict', 'No row of this import is new or changes anything.');
  }
  const choices = completeChoices(storedChoices(row), {
    kind: row.kind,
    file: parseFile(row),
    keyFields: KINDS[row.kind].keyFields,
  });
  try {
    await running.run(importId, (report) =>
      importer.transact(db.write, (tx, author) =>
        storeImport(tx, author, { db, row, counts, choices, input, report }),
      ),
    );
  } catch (error) {
    if (error instanceof AppError && error.refusal === 'stale') {
      throw await stalePreview(db, running, importer, row);
    }
    throw error;
  }
  return doneText(counts);
}

function requireApplicable(row: ImportRecord, running: RunningImports): void {
  if (isApplying(row, running)) throw isBeingApplied();
  if (row.state === 'applied' || row.state === 'undone')
    throw new AppError('conflict', 'This import has been applied already.');
  if (row.state === 'cancelled')
    throw new AppError('conflict', 'This import was cancelled. Nothing was stored.');
}

const storedChoices = (row: ImportRecord): ImportPreviewInput =>
  parseChoices(row) ?? importPreviewInput.parse({});

/** The import with a preview in which these rows are accepted, beside those that are already. */
async function acceptRows(
  db: Database,
  running: RunningImports,
  importer: Importer,
  { row, accept }: { row: ImportRecord; accept: readonly number[] },
): Promise<ImportRecord> {
  const choices = storedChoices(row);
  const all = new Set([...choices.accept, ...accept]);
  if (all.size === new Set(choices.accept).size) return row;
  const input = { ...choices, accept: [...all] };
  await previewImport(db, running, importer, { importId: row.id, input });
  return requireOwnImport(db.read, row.id, importer.person);
}

/** The refusal, with the preview as it is now. */
async function stalePreview(
  db: Database,
  running: RunningImports,
  importer: Importer,
  row: ImportRecord,
): Promise<AppError> {
  const input = storedChoices(row);
  const current: ImportPreview = await previewImport(db, running, importer, { importId: row.id, input });
  return new AppError('stale', 'The records have changed since the preview. Look at it again.', {
    details: { current },
  });
}

async function storeImport(
  tx: Tx,
  author: AuthorWithRole,
  {
    db,
    row,
    counts,
    choices,
    input,
    report,
  }: {
    db: Database;
    row: ImportRecord;
    counts: ImportCounts;
    choices: CompleteChoices;
    input: ImportApplyInput;
    report: (done: number) => void;
  },
): Promise<void> {
  await withoutTimeouts(tx);
  report(0);
  await lockBulkChanges(tx);
  const at = new Date().toISOString();
  const { id: bulkId } = await tx
    .insertInto('bulk_changes')
    .values({ at, user_id: author.id, action: 'import', students: counts.create + counts.update })
    .returning('id')
    .executeTakeFirstOrThrow();
  const right = { role: author.role, reason: input.reason };
  const writer = { tx, author, right, bulkId, counts: new CohortCounts(), results: new ResultCounts() };
  const sum = new PreviewSum(row.id, choices);
  let done = 0;
  const kind = KINDS[row.kind];
  for await (const checked of checkRows(db.read, lockingSource(tx), {
    ...{ kind, row, choices },
    role: author.role,
  })) {
    sum.add(checked);
    await checked.store(writer);
    done += checked.outcomes.length;
    report(done);
  }
  if (sum.toPreview().fingerprint !== row.fingerprint)
    throw new AppError('stale', 'The records have changed.');
  await writer.results.store(tx);
  await writer.counts.store(tx);
  await markApplied(tx, row, {
    bulkId,
    applied_at: at,
    is_partial: input.partial && counts.refused > 0 ? 1 : 0,
  });
  report(done);
}

/** @throws AppError when it was cancelled, previewed again or applied by another process meanwhile */
async function markApplied(
  tx: Tx,
  { id, fingerprint, preview }: ImportRecord,
  { bulkId, ...applied }: { bulkId: number; applied_at: string; is_partial: number },
): Promise<void> {
  const stored = await tx
    .updateTable('imports')
    .set({ state: 'applied', bulk_id: bulkId, ...applied })
    .where('id', '=', id)
    .where('state', '=', 'previewed')
    .where('fingerprint', '=', fingerprint)
    .where('preview', '=', preview)
    .returning('id')
    .executeTakeFirst();
  if (stored !== undefined) return;
  const now = await tx.selectFrom('imports').select('state').where('id', '=', id).executeTakeFirst();
  if (now === undefined) throw noSuchImport();
  if (now.state === 'cancelled') throw wasCancelled();
  throw now.state === 'applied' ? isBeingApplied() : new AppError('stale', 'There is another preview.');
}

/**
 * Before an import is applied: it can't be applied any more, until there is another preview. While it is: it ends and nothing is
 * stored.
 *
 * @throws AppError conflict when it has been applied
 */
export async function cancelImport(tx: Tx, actor: Actor, importId: number): Promise<void> {
  const row = await requireOwnImport(tx, importId, actor);
  const cancelled = await tx
    .updateTable('imports')
    .set({ state: 'cancelled' })
    .where('id', '=', row.id)
    .where('state', 'not in', ['applied', 'undone'])
    .returning('id')
    .executeTakeFirst();
  if (cancelled === undefined)
    throw new AppError('conflict', 'This import has been applied. Undo it instead.');
}

const rowsText = (rows: number) => (rows === 1 ? '1 row is' : `${formatCount(rows)} rows are`);

const doneText = ({ create, update, unchanged, refused }: ImportCounts): string => {
  const figures = [
    ...(create > 0 ? [`${formatCount(create)} new`] : []),
    ...(update > 0 ? [`${formatCount(update)} changed`] : []),
    ...(unchanged > 0 ? [`${formatCount(unchanged)} as they were`] : []),
    ...(refused > 0 ? [`${formatCount(refused)} left out`] : []),
  ];
  return `The import is done: ${figures.join(', ')}.`;
};
