import type { Database } from '../db/database.ts';
import { AppError } from '../errors.ts';

const REPORT_INTERVAL_MS = 1_000;
/** Without a report for this long, the process that applied an import has died. */
export const ABANDONED_AFTER_MS = 10_000;

/** An import that this process applies. */
interface Run {
  done: number;
  /** Why it has to end without storing anything. */
  stop: AppError | undefined;
}

/**
 * The imports that are being applied. Those of this process are known here; for other processes each reports its progress to
 * the database, outside of the transaction. On SQLite, which has one process, such a report waits until the transaction is
 * over, and changes nothing then.
 */
export class RunningImports {
  readonly #db: Database;
  readonly #runs = new Map<number, Run>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Rows that are done; undefined if this process does not apply it. */
  getProgress(importId: number): number | undefined {
    return this.#runs.get(importId)?.done;
  }

  /**
   * Runs `apply`, which reports how many rows are done.
   *
   * @param report throws when the import has to end without storing anything
   * @throws AppError conflict when this process applies it already
   */
  async run<Result>(
    importId: number,
    apply: (report: (done: number) => void) => Promise<Result>,
  ): Promise<Result> {
    if (this.#runs.has(importId)) throw isBeingApplied();
    const run: Run = { done: 0, stop: undefined };
    this.#runs.set(importId, run);
    let reported = Promise.resolve();
    let isReporting = false;
    const timer = setInterval(() => {
      // The next one waits for this one, however long that waits for the transaction.
      if (isReporting) return;
      isReporting = true;
      reported = this.#report(importId, run).finally(() => {
        isReporting = false;
      });
    }, REPORT_INTERVAL_MS);
    try {
      return await apply((done) => {
        if (run.stop !== undefined) throw run.stop;
        run.done = done;
      });
    } finally {
      clearInterval(timer);
      this.#runs.delete(importId);
      await reported;
      await this.#db.write
        .updateTable('imports')
        .set({ seen_at: null })
        .where('id', '=', importId)
        .where('seen_at', 'is not', null)
        .execute()
        .catch(() => {});
    }
  }

  /** Has an import of this process end without storing anything. */
  cancel(importId: number): void {
    this.#stop(this.#runs.get(importId), wasCancelled());
  }

  /** The same for all of them, since the process ends. */
  stopAll(): void {
    for (const run of this.#runs.values()) {
      this.#stop(run, new AppError('unavailable', 'The server is being stopped. Nothing was imported.'));
    }
  }

  #stop(run: Run | undefined, reason: AppError): void {
    if (run !== undefined) run.stop ??= reason;
  }

  /** A failure is not reported: the next report follows soon. */
  async #report(importId: number, run: Run): Promise<void> {
    await this.#db.write
      .updateTable('imports')
      .set({ done: run.done, seen_at: new Date().toISOString() })
      .where('id', '=', importId)
      .where('state', '=', 'previewed')
      .returning('id')
      .executeTakeFirst()
      .then(
        (row) => {
          // Cancelled in another process.
          if (row === undefined) this.#stop(run, wasCancelled());
        },
        () => {},
      );
  }
}

export const isBeingApplied = () => new AppError('conflict', 'This import is being applied already.');
export const wasCancelled = () => new AppError('conflict', 'The import was cancelled. Nothing was stored.');
