import { once } from 'node:events';
import { type ResourceLimits, type TransferListItem, Worker } from 'node:worker_threads';
import { isSource, toModuleUrl } from './program-files.ts';

/**
 * When running from the sources (development), the worker needs the TypeScript loader. Node 20 ignores a loader in the
 * worker's options, so the worker registers it before it imports the file.
 */
export function startWorker(file: string, resourceLimits: ResourceLimits): Worker {
  const url = toModuleUrl(file);
  if (!isSource) return new Worker(url, { resourceLimits });
  const loader = JSON.stringify(import.meta.resolve('tsx/esm/api'));
  const code = `import(${loader}).then(({ register }) => { register(); return import('${url.href}'); })`;
  return new Worker(code, { eval: true, resourceLimits });
}

/** Resources that a worker may use, and until when it is needed. */
export interface WorkerLimits {
  resourceLimits: ResourceLimits;
  /** Milliseconds for each of its messages. */
  timeLimit?: number;
  /** Ends the worker. */
  signal?: AbortSignal | undefined;
  /** The parts of the message that are handed over rather than copied. */
  transferList?: TransferListItem[];
}

/** The worker has not answered in time. */
export class WorkerTimeout extends Error {}

/**
 * Sends a message to a worker of its own, so that long computations do not block the event loop, and answers its first message.
 *
 * @param file module of the worker, relative to this folder, without its extension
 * @throws as {@link iterateInWorker}
 */
export async function runInWorker<Result>(
  file: string,
  message: unknown,
  limits: WorkerLimits = { resourceLimits: {} },
): Promise<Result> {
  for await (const result of iterateInWorker<Result>(file, message, limits)) return result;
  throw new Error('The worker exited without a result.');
}

/**
 * Sends a message to a worker of its own and answers its messages one by one. Before each further one it is sent `next`, so
 * that it is never ahead of the caller. The worker ends with the iteration.
 *
 * @param file as for {@link runInWorker}
 * @throws the error that the worker ended with, such as `ERR_WORKER_OUT_OF_MEMORY` beyond the limits; WorkerTimeout; the reason of
 * the signal
 */
export async function* iterateInWorker<Result>(
  file: string,
  message: unknown,
  { resourceLimits, timeLimit, signal, transferList = [] }: WorkerLimits,
): AsyncGenerator<Result, never> {
  signal?.throwIfAborted();
  const worker = startWorker(file, resourceLimits);
  const end = Promise.race([throwOnExit(worker), throwOnAbort(signal)]);
  // Not awaited between two messages: it must not count as an unhandled rejection.
  end.catch(() => undefined);
  try {
    worker.postMessage(message, transferList);
    for (;;) {
      yield await withTimeLimit(Promise.race([messageFrom<Result>(worker), end]), timeLimit);
      worker.postMessage('next');
    }
  } finally {
    await worker.terminate();
  }
}

async function withTimeLimit<Result>(message: Promise<[Result]>, limit: number | undefined): Promise<Result> {
  if (limit === undefined) return (await message)[0];
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new WorkerTimeout('The worker takes too long.')), limit);
  });
  try {
    return (await Promise.race([message, late]))[0];
  } finally {
    clearTimeout(timer);
  }
}

const messageFrom = async <Result>(worker: Worker): Promise<[Result]> => {
  const [result] = await once(worker, 'message');
  return [result];
};

const throwOnExit = async (worker: Worker): Promise<never> => {
  await once(worker, 'exit');
  throw new Error('The worker exited without a result.');
};

const throwOnAbort = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
