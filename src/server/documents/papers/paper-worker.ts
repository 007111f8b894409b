import { parentPort } from 'node:worker_threads';
import { z } from 'zod';
import { printJob } from './print-job.ts';
import { renderBatch, renderPaper } from './render.ts';

/** Either one paper, which is answered with its number, or many as one file, which is answered in pieces. */
const request = z.union([
  z.object({ number: z.int(), job: printJob }),
  z.object({ jobs: z.array(printJob) }),
]);

if (parentPort === null) throw new Error('Runs only as a worker thread.');
const port = parentPort;

/** Set while a file of many papers is written. */
let sendNext: (() => void) | undefined;

async function sendBatch(jobs: z.infer<typeof printJob>[]): Promise<void> {
  for await (const piece of renderBatch(jobs)) {
    port.postMessage({ piece });
    await new Promise<void>((resolve) => {
      sendNext = resolve;
    });
  }
  port.postMessage({ piece: null });
}

port.on('message', (message: unknown) => {
  if (message === 'next') return sendNext?.();
  const asked = request.parse(message);
  const answered =
    'jobs' in asked
      ? sendBatch(asked.jobs)
      : renderPaper(asked.job).then((rendered) => {
          port.postMessage({ number: asked.number, ...rendered }, [rendered.pdf.buffer]);
        });
  // An error ends the worker, and with it what it was asked for.
  answered.catch((error: unknown) => {
    setImmediate(() => {
      throw error;
    });
  });
});
