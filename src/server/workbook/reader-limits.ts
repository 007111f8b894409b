import { type WorkerLimits, WorkerTimeout } from '../run-in-worker.ts';

/**
 * What reading one file may take. The lower the limit of memory, the earlier the engine collects what it does not need any more.
 * 50,000 rows of forty columns need about this much, and 20 seconds, or a minute on a busy machine.
 */
export const READER_LIMITS = {
  resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 },
  timeLimit: 120_000,
} as const satisfies WorkerLimits;

export const isBeyondLimits = (error: unknown): boolean =>
  error instanceof WorkerTimeout ||
  (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY');

/** Ends with the turn of the last file. */
let last: Promise<void> = Promise.resolve();

/**
 * Waits for the turn of a file: one is read at a time, so that several large ones do not need their memory together.
 *
 * @returns to be called at the end of the turn
 */
export async function inTurn(): Promise<() => void> {
  const before = last;
  let end: () => void = () => {};
  last = new Promise((resolve) => {
    end = resolve;
  });
  await before;
  return end;
}
