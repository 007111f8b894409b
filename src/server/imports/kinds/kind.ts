import type { SelectQueryBuilder } from 'kysely';
import type { HistoryAction, HistoryEntity } from '../../../contract/history.ts';
import type { ImportMode, ImportRow, ImportUndoPreview, ResultLayout } from '../../../contract/imports.ts';
import type { AbsentRule } from '../../../domain/marks.ts';
import { locked } from '../../db/dialect/locks.ts';
import type { Db, Schema, Tx } from '../../db/schema.ts';
import type { Author } from '../../history/record-change.ts';
import type { AuthorWithRole } from '../../http/transact-as.ts';
import type { CohortCounts } from '../../students/derived/cohort-counts.ts';
import type { ResultCounts } from '../../students/derived/result-counts.ts';
import type { ResultRight } from '../../students/semesters/result-rights.ts';

/** Texts by field. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/**
 * A row of the file as values by field. A field that is absent is blank in the file and keeps the value of the record; null
 * empties it.
 */
export interface ReadRow {
  line: number;
  values: Readonly<Record<string, unknown>>;
  /** Texts on values that can't be read. */
  errors: FieldErrors;
  /** Why the row is no record's, such as one of full marks or totals. Marks leave it out, other kinds refuse it. */
  leftOut?: string | undefined;
}

/** The rows of one record in the order of the file. They are checked and stored together. */
export interface RecordRows {
  /** Null for a single row whose key can't be read. */
  key: string | null;
  rows: readonly ReadRow[];
}

/** The person's choices for the whole import. */
export interface ImportOptions {
  mode: ImportMode;
  layout: ResultLayout;
  /** The rule for rows of marks such as `Absent`. */
  absent: AbsentRule;
  /** The lines that are imported although they name another person. */
  accepted: ReadonlySet<number>;
  /** The course of an import of marks. */
  courseId: number | null;
  /** The draft of an import of a scheme. */
  schemeId: number | null;
  /** The role of the person who previews or applies it. */
  role: AuthorWithRole['role'];
}

/** The outcome of a row. */
export type RowOutcome = Pick<ImportRow, 'line' | 'state' | 'key' | 'changes' | 'errors' | 'warnings'>;

/** Where records are read: the database for a preview, and the transaction for storing, which locks them. */
export interface Source {
  db: Db;
  /**
   * The new students of the rows so far, by name and date of birth, and by ID without case. Null for storing: warnings are shown in
   * the preview only.
   */
  people: Map<string, { id: string; line: number }> | null;
  lock<O>(query: SelectQueryBuilder<Schema, keyof Schema, O>): SelectQueryBuilder<Schema, keyof Schema, O>;
}

/** For a preview. */
export const unlockedSource = (db: Db): Source => ({
  db,
  people: new Map(),
  lock: (query) => query,
});
/** For storing. */
export const lockingSource = (tx: Tx): Source => ({
  db: tx,
  people: null,
  lock: (query) => locked(tx, query),
});

/** The transaction that stores an import, or undoes one. */
export interface ImportWriter {
  tx: Tx;
  author: Author;
  /** The right to change results that come from mark sheets. */
  right: ResultRight;
  /** For the entries of the history; null for an undo. */
  bulkId: number | null;
  /** Stored after the last batch. */
  counts: CohortCounts;
  results: ResultCounts;
}

export interface CheckedRecords {
  /** One for each row. */
  outcomes: RowOutcome[];
  /** Outcomes as if no row that names another person were accepted; left out where they are the same but for those rows. */
  unaccepted?: RowOutcome[];
  /** The versions of the records and everything else that the outcomes were computed from; part of the fingerprint. */
  basis: string;
  /** Why storing them is an administrator's act, with a reason; undefined where it is anybody's. */
  needsReason?: string | undefined;
  /**
   * Stores the rows that are not refused, with their entries in the history. Called at most once, with the transaction of the
   * source.
   *
   * @throws AppError stale when a record was created since it was looked for
   */
  store(writer: ImportWriter): Promise<unknown>;
}

/** A record that an import wrote. */
export interface ImportedRecord {
  /** `history.entity_id` */
  id: string;
  /** Its entries of this import, in their order. */
  entries: readonly {
    id: number;
    entity: HistoryEntity;
    action: HistoryAction;
    before: string | null;
    after: string | null;
  }[];
}

export interface CheckedUndo {
  /** Keys of the records that go back. */
  undone: string[];
  kept: Omit<ImportUndoPreview['kept'][number], 'name'>[];
  /** Why the whole import can't be undone. */
  refused?: string | undefined;
  /** The same as in {@link CheckedRecords}. */
  needsReason?: string | undefined;
  /** Called at most once, with the transaction of the source. */
  store(writer: ImportWriter): Promise<unknown>;
}

/** The records of one kind of import. */
export interface ImportedKind {
  /** The fields that an update of records needs. */
  keyFields: readonly string[];
  /** The record that a row belongs to, from the values of its key fields; null where its key can't be read. */
  recordKey(values: ReadRow['values']): string | null;
  /** Records checked and stored at once: as many as take a few milliseconds. */
  batchSize: number;
  check(source: Source, records: readonly RecordRows[], options: ImportOptions): Promise<CheckedRecords>;
  /** @param applied when the import was applied */
  checkUndo(
    source: Source,
    records: readonly ImportedRecord[],
    applied: { appliedAt: string },
  ): Promise<CheckedUndo>;
}
