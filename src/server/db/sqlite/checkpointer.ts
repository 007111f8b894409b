import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { startWorker } from '../../run-in-worker.ts';

const LIMITS = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 };
/** After this time without work the worker ends, and its memory is free. */
const IDLE_MS = 10_000;

/** Moves the content of the write-ahead log to the database file, in a thread of its own, since this waits for the disk. */
export class Checkpointer {
  readonly #file: string;
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #resolve: (() => void) | undefined;
  #isReady = false;
  #isClosed = false;

  constructor(file: string) {
    this.#file = file;
  }

  /**
   * Called while nothing else writes: then the log starts again from its beginning. Does nothing while the thread starts, and
   * never fails: the engine moves a log that has grown long by itself.
   */
  async move(): Promise<void> {
    if (this.#isClosed) return;
    clearTimeout(this.#idle);
    const worker = this.#worker ?? this.#start();
    if (this.#isReady) {
      worker.ref();
      worker.postMessage(this.#file);
      await new Promise<void>((resolve) => {
        this.#resolve = resolve;
      });
      worker.unref();
    }
    this.#idle = setTimeout(() => void this.#end(), IDLE_MS).unref();
  }

  /** Called while nothing is moved. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end();
  }

  #start(): Worker {
    const worker = startWorker('db/sqlite/checkpoint-worker', LIMITS);
    worker.unref();
    this.#worker = worker;
    this.#isReady = false;
    worker.on('message', () => {
      this.#isReady = true;
      this.#resolve?.();
    });
    // Followed by `exit`.
    worker.on('error', () => {});
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
      this.#resolve?.();
    });
    return worker;
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    if (worker === undefined) return;
    this.#worker = undefined;
    // It closes its connection, so that the log can be removed with the last one. A thread that is still starting does so then:
    // to terminate it while it loads the engine's binary can abort the process.
    worker.ref();
    worker.postMessage(null);
    await once(worker, 'exit').catch(() => {});
  }
}
