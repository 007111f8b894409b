import { parentPort } from 'node:worker_threads';
import { z } from 'zod';
import { ownCopyReply } from '../../../contract/documents/own-copy.ts';
import { awardList, renderAwardList } from './landscape/award-list-pdf.ts';
import { renderResultSheet, resultSheet } from './landscape/result-sheet-pdf.ts';
import { renderOwnCopy } from './own-copy-pdf.ts';
import { printJob } from './print-job.ts';
import { renderBatch, renderDocument } from './render.ts';

/** Either one document, which is answered with its number, or many as one file, which is answered in pieces. */
const request = z.union([
  z.object({ number: z.int(), job: printJob }),
  z.object({ number: z.int(), resultSheet }),
  z.object({ number: z.int(), awardList }),
  z.object({ number: z.int(), ownCopy: ownCopyReply }),
  z.object({ jobs: z.array(printJob) }),
]);

if (parentPort === null) throw new Error('Runs only as a worker thread.');
const port = parentPort;

/** Set while a file of many documents is written. */
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

type Single = Exclude<z.infer<typeof request>, { jobs: unknown }>;

function renderOther(asked: Exclude<Single, { job: unknown }>) {
  if ('ownCopy' in asked) return renderOwnCopy(asked.ownCopy);
  return 'awardList' in asked ? renderAwardList(asked.awardList) : renderResultSheet(asked.resultSheet);
}

async function sendOne(asked: Single): Promise<void> {
  const rendered =
    'job' in asked
      ? await renderDocument(asked.job)
      : { pdf: await renderOther(asked), pages: 0, missing: [] };
  port.postMessage({ number: asked.number, ...rendered }, [rendered.pdf.buffer]);
}

port.on('message', (message: unknown) => {
  if (message === 'next') return sendNext?.();
  const asked = request.parse(message);
  const answered = 'jobs' in asked ? sendBatch(asked.jobs) : sendOne(asked);
  // An error ends the worker and all its jobs.
  answered.catch((error: unknown) => {
    setImmediate(() => {
      throw error;
    });
  });
});
