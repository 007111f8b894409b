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

/**
 * Sends a message to a worker of its own, so that long computations do not block the event loop, and answers its first message.
 *
 * @param file module of the worker, relative to this folder, without its extension
 * @throws the error that the worker ended with, such as `ERR_WORKER_OUT_OF_MEMORY` beyond the limits
 */
export async function runInWorker<Result>(
  file: string,
  message: unknown,
  resourceLimits: ResourceLimits = {},
): Promise<Result> {
  const worker = startWorker(file, resourceLimits);
  try {
    worker.postMessage(message);
    const [result]: [Result] = await Promise.race([messageFrom<Result>(worker), throwOnExit(worker)]);
    return result;
  } finally {
    await worker.terminate();
  }
}

/**
 * Sends a message to a worker of its own and answers its messages one by one. Before each further one it is sent `next`, so
 * that it is never ahead of the caller. The worker ends with the iteration.
 *
 * @param file as for {@link runInWorker}
 * @param transferList what of the message is handed over rather than copied
 * @throws the error that the worker ended with
 */
export async function* iterateInWorker<Result>(
  file: string,
  message: unknown,
  { resourceLimits, transferList }: { resourceLimits: ResourceLimits; transferList: TransferListItem[] },
): AsyncGenerator<Result, never> {
  const worker = startWorker(file, resourceLimits);
  const exit = throwOnExit(worker);
  // Not awaited between two messages: it must not count as an unhandled rejection.
  exit.catch(() => undefined);
  try {
    worker.postMessage(message, transferList);
    for (;;) {
      const [result]: [Result] = await Promise.race([messageFrom<Result>(worker), exit]);
      yield result;
      worker.postMessage('next');
    }
  } finally {
    await worker.terminate();
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
