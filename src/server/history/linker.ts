import { setTimeout } from 'node:timers/promises';
import { hasOneWriter } from '../db/dialect/locks.ts';
import type { Db } from '../db/schema.ts';
import { linkPending } from './links.ts';

/** Milliseconds from a commit until its entries are linked, together with those of other commits. */
const DELAY_MS = 50;
/** Milliseconds after which a process looks for entries that another one has left. */
const INTERVAL_MS = 5_000;

/**
 * Links the history behind the commits of this process, many entries at once, so that no commit waits for the head of the chain:
 * where there is one, `transact` leaves its entries pending. Also links what others have left, such as a process that was killed.
 */
export class Linker {
  static readonly #linkers = new WeakMap<Db, Linker>();
  readonly #db: Db;
  readonly #onFailure: (error: unknown) => void;
  readonly #interval: NodeJS.Timeout;
  #isWanted = false;
  #running: Promise<void> | undefined;

  private constructor(db: Db, onFailure: (error: unknown) => void) {
    this.#db = db;
    this.#onFailure = onFailure;
    this.#interval = setInterval(() => this.wake(), INTERVAL_MS).unref();
  }

  static of(db: Db): Linker | undefined {
    return Linker.#linkers.get(db);
  }

  /** @returns undefined where commits wait for each other anyway */
  static start(db: Db, onFailure: (error: unknown) => void): Linker | undefined {
    if (hasOneWriter(db)) return undefined;
    const linker = new Linker(db, onFailure);
    Linker.#linkers.set(db, linker);
    linker.wake();
    return linker;
  }

  /** Links the pending entries soon. */
  wake(): void {
    this.#isWanted = true;
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    while (this.#isWanted) {
      await setTimeout(DELAY_MS);
      this.#isWanted = false;
      await linkPending(this.#db).catch(this.#onFailure);
    }
    this.#running = undefined;
  }

  /** Links what is pending. Transactions that follow link their entries themselves. */
  async stop(): Promise<void> {
    Linker.#linkers.delete(this.#db);
    clearInterval(this.#interval);
    this.wake();
    await this.#running;
  }
}
