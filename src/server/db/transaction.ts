import { isRetryable } from './dialect/errors.ts';
import type { Db, Tx } from './schema.ts';

/** Retries after the first attempt. */
const MAX_RETRIES = 3;

/** Lets some transactions run at once, the others in their turn. */
export class Turns {
  static readonly #turns = new WeakMap<Db, Turns>();
  readonly #patience: number;
  readonly #waiting = new Set<() => void>();
  #free: number;

  /** @param patience milliseconds that a transaction waits for its turn */
  constructor(most: number, patience: number) {
    this.#free = most;
    this.#patience = patience;
  }

  /** Those of a database; where there are none, transactions are not limited. */
  static of(db: Db): Turns | undefined {
    return Turns.#turns.get(db);
  }

  limit(db: Db): void {
    Turns.#turns.set(db, this);
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  async take<Result>(act: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait();
    try {
      return await act();
    } finally {
      const [next] = this.#waiting;
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  #wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        clearTimeout(timer);
        this.#waiting.delete(begin);
        settle();
      };
      const begin = () => end(resolve);
      // The text of the pool for the same.
      const timer = setTimeout(
        () => end(() => reject(new Error('timeout exceeded when trying to connect'))),
        this.#patience,
      );
      this.#waiting.add(begin);
    });
  }
}

/**
 * Runs `act` as one transaction: everything is stored when this resolves, nothing when it rejects. A transaction that a
 * database server aborts for the sake of another one (deadlock, serialization failure) is run again, so `act` must have
 * no effects outside the transaction.
 */
export async function retryTransaction<Result>(db: Db, act: (tx: Tx) => Promise<Result>): Promise<Result> {
  const turns = Turns.of(db);
  const run = () => db.transaction().execute(act);
  for (let retries = 0; ; retries += 1) {
    try {
      return await (turns === undefined ? run() : turns.take(run));
    } catch (error) {
      if (retries === MAX_RETRIES || !isRetryable(error)) throw error;
    }
  }
}
