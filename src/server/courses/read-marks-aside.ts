import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type ReadMarks, readMarks } from './read-marks.ts';

/** Shorter uploads are read in less time than it takes to start a worker. */
const AT_ONCE = 64 * 1024;

const isSource = import.meta.url.endsWith('.ts');
const WORKER = new URL(isSource ? './marks-worker.ts' : './marks-worker.js', import.meta.url);

/**
 * Run from its sources (development, tests), the worker needs the same loader as the program. Node 20 does not take
 * one for a worker from its options, so the worker asks for it first.
 */
function startWorker(): Worker {
  if (!isSource) return new Worker(WORKER);
  const loader = JSON.stringify(import.meta.resolve('tsx/esm/api'));
  const code = `import(${loader}).then(({ register }) => { register(); return import('${WORKER.href}'); })`;
  return new Worker(code, { eval: true });
}

/** {@link readMarks}, beside the event loop when the upload is long, so that nobody else waits for it. */
export async function readMarksAside(upload: string | Uint8Array): Promise<ReadMarks> {
  if (upload.length <= AT_ONCE) return readMarks(upload);
  const worker = startWorker();
  try {
    worker.postMessage(upload);
    const [result]: [ReadMarks] = await Promise.race([answerOf(worker), failureOf(worker)]);
    return result;
  } finally {
    await worker.terminate();
  }
}

const answerOf = async (worker: Worker): Promise<[ReadMarks]> => {
  const [result] = await once(worker, 'message');
  return [result];
};

const failureOf = async (worker: Worker): Promise<never> => {
  await once(worker, 'exit');
  throw new Error('The worker ended without an answer.');
};
