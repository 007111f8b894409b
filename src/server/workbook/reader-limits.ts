import { type WorkerLimits, WorkerTimeout } from '../run-in-worker.ts';
import { isArchive } from './archive.ts';

/**
 * Limits for reading one file. The lower the limit of memory, the earlier the engine collects what it does not need any more.
 * 50,000 rows of forty columns need about this much, and 20 seconds, or a minute on a busy machine.
 */
export const READER_LIMITS = {
  resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 },
  timeLimit: 120_000,
} as const satisfies WorkerLimits;

export const isBeyondLimits = (error: unknown): boolean =>
  error instanceof WorkerTimeout ||
  (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY');

/** Shorter texts are read in less time than it takes to start a worker. */
const MAX_LENGTH_AT_ONCE = 64 * 1024;

/** Whether an upload is read at once. All others are read in a worker and {@link inTurn}. */
export const isReadAtOnce = (content: string | Uint8Array): boolean =>
  content.length <= MAX_LENGTH_AT_ONCE && (typeof content === 'string' || !isArchive(content));

/** Ends with the turn of the last file. */
let last: Promise<unknown> = Promise.resolve();

/** Reads a file when all before it have been read, so that several large ones do not need their memory together. */
export function inTurn<Result>(read: () => Promise<Result>): Promise<Result> {
  const result = last.then(read);
  last = result.catch(() => {});
  return result;
}
