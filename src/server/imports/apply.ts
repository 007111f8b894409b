import {
  type ImportApplyInput,
  type ImportCounts,
  type ImportPreviewInput,
  importPreviewInput,
} from '../../contract/imports.ts';
import { formatCount, plural } from '../../domain/format-count.ts';
import { pausedChunks } from '../chunks.ts';
import type { Database } from '../db/database.ts';
import { withoutTimeouts } from '../db/dialect/locks.ts';
import type { ImportsTable, Tx } from '../db/schema.ts';
import { AppError, stalePreview } from '../errors.ts';
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
import { type CheckedRecords, lockingSource, type RowOutcome } from './kinds/kind.ts';
import { PreviewSum, previewImport, requireLines } from './preview.ts';
import { isBeingApplied, type RunningImports, wasCancelled } from './running.ts';
import { PAGE, storeOutcomes } from './stored-rows.ts';

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
  const row = await requireOwnImport(db.read, importId, importer.person);
  requireApplicable(row, running);
  const counts = parseCounts(row);
  if (counts === null || row.fingerprint !== input.fingerprint) {
    throw stalePreview(await previewAgain(db, running, importer, row));
  }
  await requireLines(db.read, importId, 'accept', input.accept);
  const choices = completeChoices(storedChoices(row), {
    kind: row.kind,
    file: parseFile(row),
    keyFields: KINDS[row.kind].keyFields,
  });
  const accepted = new Set(input.accept.filter((line) => !choices.accept.includes(line)));
  // What becomes of the other rows is known once they are checked.
  if (accepted.size === 0) requireStorable(counts, input);
  try {
    const stored = await running.run(importId, (report) =>
      importer.transact(db.write, (tx, author) =>
        storeImport(tx, author, { db, row, choices, accepted, input, report }),
      ),
    );
    return doneText(stored);
  } catch (error) {
    if (error instanceof AppError && error.refusal === 'stale') {
      throw stalePreview(await previewAgain(db, running, importer, row));
    }
    throw error;
  }
}

/** @throws AppError conflict where rows are refused and are not to be left out, and where there is nothing to store */
function requireStorable({ create, update, refused }: ImportCounts, { partial }: ImportApplyInput): void {
  if (refused > 0 && !partial) {
    throw new AppError('conflict', `${rowsText(refused)} refused. Correct them, or import only the others.`);
  }
  if (create + update === 0) {
    throw new AppError('conflict', 'No row of this import is new or changes anything.');
  }
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

const previewAgain = (db: Database, running: RunningImports, importer: Importer, row: ImportRecord) =>
  previewImport(db, running, importer, { importId: row.id, input: storedChoices(row) });

/** @param accepted lines that the preview did not accept */
async function storeImport(
  tx: Tx,
  author: AuthorWithRole,
  {
    db,
    row,
    choices,
    accepted,
    input,
    report,
  }: {
    db: Database;
    row: ImportRecord;
    choices: CompleteChoices;
    accepted: ReadonlySet<number>;
    input: ImportApplyInput;
    report: (done: number) => void;
  },
): Promise<ImportCounts> {
  await withoutTimeouts(tx);
  report(0);
  await lockBulkChanges(tx);
  const at = new Date().toISOString();
  const { id: bulkId } = await tx
    .insertInto('bulk_changes')
    .values({ at, user_id: author.id, action: 'import', students: 0 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const right = { role: author.role, reason: input.reason };
  const writer = { tx, author, right, bulkId, counts: new CohortCounts(), results: new ResultCounts() };
  const accept = [...choices.accept, ...accepted];
  const sum = new PreviewSum(row.id, choices);
  let done = 0;
  const kind = KINDS[row.kind];
  for await (const checked of checkRows(db.read, lockingSource(tx), {
    kind,
    row,
    choices: { ...choices, accept },
    role: author.role,
  })) {
    sum.add(checked);
    await checked.store(writer);
    for await (const page of pausedChunks(withAccepted(checked, accepted), PAGE)) {
      await storeOutcomes(tx, { importId: row.id, preview: row.preview }, page);
    }
    done += checked.outcomes.length;
    report(done);
  }
  const { counts } = sum;
  if (sum.toPreview().fingerprint !== row.fingerprint)
    throw new AppError('stale', 'The records have changed.');
  requireStorable(counts, input);
  await writer.results.store(tx);
  await writer.counts.store(tx);
  await tx
    .updateTable('bulk_changes')
    .set({ students: counts.create + counts.update })
    .where('id', '=', bulkId)
    .execute();
  await markApplied(tx, row, {
    bulkId,
    applied_at: at,
    is_partial: input.partial && counts.refused > 0 ? 1 : 0,
    choices: JSON.stringify({ ...choices, accept }),
    counts: JSON.stringify(counts),
    needs_reason: sum.needsReason,
  });
  report(done);
  return counts;
}

/** The outcomes of records with a row that is accepted only now. */
function withAccepted(
  { outcomes, unaccepted }: CheckedRecords,
  accepted: ReadonlySet<number>,
): readonly RowOutcome[] {
  const own = accepted.size === 0 ? [] : outcomes.filter(({ line }) => accepted.has(line));
  if (own.length === 0 || unaccepted !== undefined) return own.length === 0 ? [] : outcomes;
  const keys = new Set(own.map(({ key }) => key));
  return outcomes.filter(({ key }) => keys.has(key));
}

/** @throws AppError when it was cancelled, previewed again or applied by another process meanwhile */
async function markApplied(
  tx: Tx,
  { id, fingerprint, preview }: ImportRecord,
  {
    bulkId,
    ...applied
  }: { bulkId: number; applied_at: string; is_partial: number } & Pick<
    ImportsTable,
    'choices' | 'counts' | 'needs_reason'
  >,
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

const rowsText = (rows: number) => plural(rows, 'row is', 'rows are');

const doneText = ({ create, update, unchanged, refused }: ImportCounts): string => {
  const figures = [
    ...(create > 0 ? [`${formatCount(create)} new`] : []),
    ...(update > 0 ? [`${formatCount(update)} changed`] : []),
    ...(unchanged > 0 ? [`${formatCount(unchanged)} unchanged`] : []),
    ...(refused > 0 ? [`${formatCount(refused)} left out`] : []),
  ];
  return `The import is done: ${figures.join(', ')}.`;
};
