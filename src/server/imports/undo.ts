import { createHash } from 'node:crypto';
import type { ImportUndone, ImportUndoPreview } from '../../contract/imports.ts';
import { plural } from '../../domain/format-count.ts';
import { fullName } from '../../domain/student.ts';
import { pausedChunks } from '../chunks.ts';
import { withoutTimeouts } from '../db/dialect/locks.ts';
import type { Db, Tx } from '../db/schema.ts';
import { AppError, requireSamePreview } from '../errors.ts';
import type { VerifiedActor } from '../http/transact-as.ts';
import { lockBulkChanges } from '../students/bulk/apply.ts';
import { CohortCounts } from '../students/derived/cohort-counts.ts';
import { ResultCounts } from '../students/derived/result-counts.ts';
import { type ImportRecord, requireOwnImport } from './imports.ts';
import { KINDS } from './kinds/index.ts';
import {
  type CheckedUndo,
  type ImportedRecord,
  lockingSource,
  type Source,
  unlockedSource,
} from './kinds/kind.ts';
import { findStudentNames } from './kinds/row-names.ts';

/** Records of the list of those that are kept. */
const MOST_KEPT_LISTED = 200;
/** Records per batch: as many as take a few milliseconds, since each may be deleted with all that belongs to it. */
const BATCH_SIZE = 20;
/** Entries read per statement. */
const ENTRIES = 1_000;

/** Counts what an undo does, and hashes it. */
class UndoSum {
  readonly #hash = createHash('sha256');
  readonly #kept: CheckedUndo['kept'] = [];
  #keptCount = 0;
  #undone = 0;
  #refused: string | undefined;
  #needsReason: string | undefined;

  add({ undone, kept, refused, needsReason }: CheckedUndo): void {
    this.#refused ??= refused;
    this.#needsReason ??= needsReason;
    this.#undone += undone.length;
    this.#keptCount += kept.length;
    this.#kept.push(...kept.slice(0, MOST_KEPT_LISTED - this.#kept.length));
    this.#hash.update(JSON.stringify([undone, kept]));
  }

  get isRefused(): boolean {
    return this.#refused !== undefined;
  }

  /** Called once, after the last record. */
  async toPreview(db: Db, row: ImportRecord, refused: string | null): Promise<ImportUndoPreview> {
    return {
      fingerprint: this.#hash.digest('base64url'),
      undone: this.#undone,
      kept: await addNames(db, row, this.#kept),
      kept_count: this.#keptCount,
      refused:
        refused ??
        this.#refused ??
        (this.#undone === 0
          ? 'Every record of this import has been changed since, so nothing can go back.'
          : null),
      needs_reason: this.#needsReason ?? null,
    };
  }
}

/** Beside the key of a student's record stands whose it is. */
async function addNames(
  db: Db,
  { kind }: ImportRecord,
  kept: CheckedUndo['kept'],
): Promise<ImportUndoPreview['kept']> {
  const isOfStudents = kind === 'students' || kind === 'results';
  const idOf = (key: string) => key.split('/')[0] ?? '';
  const names = await findStudentNames(db, isOfStudents ? kept.map(({ key }) => idOf(key)) : []);
  return kept.map(({ key, reason }) => {
    const student = names.get(idOf(key));
    return { key, name: student === undefined ? null : fullName(student), reason };
  });
}

/** The outcome of undoing an import. @throws AppError as {@link requireOwnImport} */
export async function previewUndo(db: Db, row: ImportRecord): Promise<ImportUndoPreview> {
  const sum = new UndoSum();
  const refused = findRefusal(row);
  if (refused === null) for await (const checked of checkRecords(unlockedSource(db), row)) sum.add(checked);
  return sum.toPreview(db, row, refused);
}

function findRefusal({ state }: ImportRecord): string | null {
  if (state === 'undone') return 'This import has been undone already.';
  return state === 'applied' ? null : 'This import has not been applied.';
}

/** Checks the records that an import wrote, a batch at a time. */
async function* checkRecords(source: Source, row: ImportRecord): AsyncGenerator<CheckedUndo> {
  const kind = KINDS[row.kind];
  const records = await findRecords(source.db, row.bulk_id ?? 0);
  for await (const batch of pausedChunks(records, BATCH_SIZE)) {
    const entries = await source.db
      .selectFrom('history')
      .select(['id', 'entity', 'entity_id', 'action', 'before', 'after'])
      .where(
        'id',
        'in',
        batch.flatMap(({ entries: own }) => own),
      )
      .orderBy('id')
      .execute();
    yield await kind.checkUndo(
      source,
      batch.map(
        ({ id }): ImportedRecord => ({ id, entries: entries.filter(({ entity_id }) => entity_id === id) }),
      ),
      { appliedAt: row.applied_at ?? '' },
    );
  }
}

/** The records with the numbers of their entries, in the order of their first ones. */
async function findRecords(db: Db, bulkId: number): Promise<{ id: string; entries: number[] }[]> {
  const entriesByRecord = new Map<string, number[]>();
  for (let last = 0; ; ) {
    const page = await db
      .selectFrom('history')
      .select(['id', 'entity_id'])
      .where('bulk_id', '=', bulkId)
      .where('id', '>', last)
      .orderBy('id')
      .limit(ENTRIES)
      .execute();
    const end = page.at(-1);
    if (end === undefined) break;
    last = end.id;
    for (const { id, entity_id } of page) {
      const own = entriesByRecord.get(entity_id);
      if (own === undefined) entriesByRecord.set(entity_id, [id]);
      else own.push(id);
    }
  }
  return [...entriesByRecord].map(([id, entries]) => ({ id, entries }));
}

/**
 * Undoes an import in one transaction. Records that were changed since stay as they are.
 *
 * @throws AppError conflict when it can't be undone, stale with a new preview when other records were changed meanwhile
 */
export async function undoImport(
  tx: Tx,
  actor: VerifiedActor,
  { importId, fingerprint, reason }: { importId: number; fingerprint: string; reason: string | null },
): Promise<Omit<ImportUndone, 'import'>> {
  await withoutTimeouts(tx);
  await lockBulkChanges(tx);
  const row = await requireOwnImport(tx, importId, actor);
  const refused = findRefusal(row);
  if (refused !== null) throw new AppError('conflict', refused);
  // The import has its own reason in the history, so its undo may go without one.
  const right = { role: actor.role, reason: reason ?? `Undo of import ${importId}` };
  const writer = {
    tx,
    author: actor,
    right,
    bulkId: null,
    counts: new CohortCounts(),
    results: new ResultCounts(),
  };
  const sum = new UndoSum();
  for await (const checked of checkRecords(lockingSource(tx), row)) {
    sum.add(checked);
    if (!sum.isRefused) await checked.store(writer);
  }
  const preview = await sum.toPreview(tx, row, null);
  requireSamePreview(
    preview,
    fingerprint,
    'Some records have been changed since the preview. Look at it again.',
  );
  if (preview.refused !== null) throw new AppError('conflict', preview.refused);
  await writer.results.store(tx);
  await writer.counts.store(tx);
  const { undone, kept, kept_count } = preview;
  const undo = {
    at: new Date().toISOString(),
    by: { id: actor.id, name: actor.name },
    undone,
    kept: kept_count,
  };
  await tx
    .updateTable('imports')
    .set({ state: 'undone', undo: JSON.stringify(undo) })
    .where('id', '=', importId)
    .execute();
  return { message: undoneText(undone, kept_count), undone, kept, kept_count };
}

function undoneText(undone: number, kept: number): string {
  const done = `The import is undone: ${plural(undone, 'record is', 'records are')} as before.`;
  if (kept === 0) return done;
  return `${done} ${plural(kept, 'was', 'were')} changed since and left as ${kept === 1 ? 'it is' : 'they are'}.`;
}
