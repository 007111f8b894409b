import { randomUUID } from 'node:crypto';
import type { ExportProgress } from '../../../contract/students/export.ts';
import type { Database } from '../../db/database.ts';
import { advisoryLock } from '../../db/dialect/locks.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { AppError } from '../../errors.ts';
import { transact } from '../../history/transaction.ts';
import type { RunInBackground } from '../../http/background-tasks.ts';

/** An export that this process sends. Its progress is written to the database from time to time. */
export interface ExportHandle extends ExportProgress {
  readonly id: string;
}

/** Concurrent exports of one user: each uses a good part of a core. */
const MAX_RUNNING = 3;
/** Interval at which progress is stored; without progress, `heartbeat` applies. */
const REPORT_INTERVAL_MS = { progress: 1_000, heartbeat: 10_000 } as const;
/** An export without a report for this long counts as ended: its process has died. */
const ABANDONED_AFTER_MS = 30_000;
/** The progress of an ended export can be read for this long: its last rows may still be on their way to the client. */
const KEPT_FOR_MS = 60_000;

const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

/** Progress of the exports of all processes, kept in the database, so that any process can answer for it. */
export class ExportProgressStore {
  readonly #db: Database;
  readonly #runInBackground: RunInBackground;
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(db: Database, runInBackground: RunInBackground) {
    this.#db = db;
    this.#runInBackground = runInBackground;
  }

  /**
   * Opens its own transaction: the export is counted although it may fail.
   *
   * @throws AppError too-many-attempts when the user has too many running exports
   */
  async begin(userId: number): Promise<ExportHandle> {
    const begun: ExportHandle = { id: randomUUID(), rows: 0, bytes: 0, total: 0, total_is: 'exact' };
    await transact(this.#db.write, async (tx) => {
      await advisoryLock(tx, `exports of ${userId}`);
      const { running } = await tx
        .selectFrom('exports')
        .select((eb) => eb.fn.countAll<number>().as('running'))
        .where('user_id', '=', userId)
        .where('is_over', '=', 0)
        .where('seen_at', '>', ago(ABANDONED_AFTER_MS))
        .executeTakeFirstOrThrow();
      if (running >= MAX_RUNNING) {
        throw new AppError(
          'too-many-attempts',
          'Three exports of yours are running. Wait until one has ended.',
          { retryAfter: 10 },
        );
      }
      await tx
        .insertInto('exports')
        .values({ ...begun, user_id: userId, is_over: 0, seen_at: ago(0) })
        .execute();
      await tx
        .deleteFrom('exports')
        .where('user_id', '=', userId)
        .where('seen_at', '<', ago(KEPT_FOR_MS))
        .execute();
    });
    this.#startReporting(begun);
    return begun;
  }

  /** Stores the progress. */
  async report({ id, rows, bytes, total, total_is }: ExportHandle, db: Db = this.#db.write): Promise<void> {
    await db
      .updateTable('exports')
      .set({ rows, bytes, total, total_is, seen_at: ago(0) })
      .where('id', '=', id)
      // An earlier report may arrive later.
      .where('bytes', '<=', bytes)
      .execute();
  }

  /** Marks the export as ended, complete or not. */
  async end(tx: Tx, { id }: ExportHandle): Promise<void> {
    await tx.updateTable('exports').set({ is_over: 1 }).where('id', '=', id).execute();
  }

  stopReporting({ id }: ExportHandle): void {
    clearInterval(this.#timers.get(id));
    this.#timers.delete(id);
  }

  /** Undefined for exports of other users. */
  find(id: string, userId: number): Promise<ExportProgress | undefined> {
    return this.#db.read
      .selectFrom('exports')
      .select(['rows', 'bytes', 'total', 'total_is'])
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirst();
  }

  #startReporting(one: ExportHandle): void {
    let last = { bytes: 0, at: Date.now() };
    const timer = setInterval(() => {
      if (one.bytes === last.bytes && Date.now() - last.at < REPORT_INTERVAL_MS.heartbeat) return;
      last = { bytes: one.bytes, at: Date.now() };
      this.#runInBackground(this.report(one), 'progress of an export not stored', { exportId: one.id });
    }, REPORT_INTERVAL_MS.progress);
    this.#timers.set(one.id, timer.unref());
  }
}
