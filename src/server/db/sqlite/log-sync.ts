import { setImmediate } from 'node:timers/promises';
import { Turns } from '../../turns.ts';

/** Turns of the event loop for which a sync waits, so that transactions that run in them share it. */
const TURNS_BEFORE_SYNC = 4;

/**
 * Syncs the write-ahead log to the disk, outside the event loop. Commits wait for the first sync that begins after them;
 * those that arrive meanwhile share it.
 */
export class LogSync {
  readonly #sync: () => Promise<void>;
  readonly #rewrite: () => void;
  readonly #turns = new Turns();
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #failure: Error | undefined;

  /**
   * @param sync writes the log to the disk
   * @param rewrite moves the content of the log to the database file and syncs that
   */
  constructor(sync: () => Promise<void>, rewrite: () => void) {
    this.#sync = sync;
    this.#rewrite = rewrite;
  }

  /** Resolves when everything committed before the call is on the disk; in a turn of the event loop for each caller. */
  async request(): Promise<void> {
    this.#next ??= this.#syncNext();
    await this.#next;
    await this.#turns.take();
  }

  async #syncNext(): Promise<void> {
    await this.#running?.catch(() => {});
    for (let turn = 0; turn < TURNS_BEFORE_SYNC; turn += 1) await setImmediate();
    this.#next = undefined;
    if (this.#failure !== undefined) throw this.#failure;
    this.#running = this.#sync();
    try {
      await this.#running;
    } catch (cause) {
      this.#failure = new Error('disk I/O error: the write-ahead log could not be synced', { cause });
      throw this.#failure;
    } finally {
      this.#running = undefined;
    }
  }

  /**
   * Called before each transaction. After a failed sync the system may take the pages for written, so that another sync
   * succeeds without them. So nothing is stored behind them until their content has been written elsewhere.
   */
  repair(): void {
    if (this.#failure === undefined) return;
    this.#rewrite();
    this.#failure = undefined;
  }
}
