import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { z } from 'zod';
import type { marksInput } from '../../contract/courses.ts';
import type { Db } from '../db/schema.ts';
import { invalidField } from '../errors.ts';
import { findCourse } from './queries.ts';
import { type ReadMarks, readMarks } from './read-marks.ts';
import type { MarksToStore } from './store-marks.ts';

/** Shorter uploads are parsed in less time than it takes to start a worker. */
const MIN_WORKER_BYTES = 64 * 1024;

const isSource = import.meta.url.endsWith('.ts');
const WORKER = new URL(isSource ? './marks-worker.ts' : './marks-worker.js', import.meta.url);

/**
 * When running from the sources (development, tests), the worker needs the TypeScript loader. Node 20 ignores a loader in the
 * worker's options, so the worker registers it before it imports the file.
 */
function startWorker(): Worker {
  if (!isSource) return new Worker(WORKER);
  const loader = JSON.stringify(import.meta.resolve('tsx/esm/api'));
  const code = `import(${loader}).then(({ register }) => { register(); return import('${WORKER.href}'); })`;
  return new Worker(code, { eval: true });
}

/** {@link readMarks}, in a worker if the upload is long, so that it does not block the event loop. */
async function parseMarksInWorker(upload: string | Uint8Array): Promise<ReadMarks> {
  if (upload.length <= MIN_WORKER_BYTES) return readMarks(upload);
  const worker = startWorker();
  try {
    worker.postMessage(upload);
    const [result]: [ReadMarks] = await Promise.race([messageFrom(worker), exitOf(worker)]);
    return result;
  } finally {
    await worker.terminate();
  }
}

const messageFrom = async (worker: Worker): Promise<[ReadMarks]> => {
  const [result] = await once(worker, 'message');
  return [result];
};

const exitOf = async (worker: Worker): Promise<never> => {
  await once(worker, 'exit');
  throw new Error('The worker exited without a result.');
};

/**
 * Parses an upload, before any transaction. One bad value refuses all of it.
 *
 * @throws ValidationError on `marks` or `file`, naming the first ten bad values; on `course_id` if there is no such course
 */
export async function readMarksUpload(
  db: Db,
  input: z.infer<typeof marksInput>,
  file: Buffer | undefined,
): Promise<MarksToStore> {
  const text = input.marks?.trim() === '' ? undefined : (input.marks ?? undefined);
  if (file !== undefined && text !== undefined) {
    throw invalidField('marks', 'The marks must be sent as text or as a file, not both.');
  }
  const upload = file ?? text;
  if (upload === undefined) throw invalidField('marks', 'The marks field is required.');
  if ((await findCourse(db, input.course_id)) === undefined) {
    throw invalidField('course_id', 'The course id must be that of an existing course.');
  }
  const field = file === undefined ? 'marks' : 'file';
  const result = await parseMarksInWorker(upload);
  if (result.kind === 'refused') throw invalidField(field, `The ${field} ${result.text}`);
  return { tally: result.tally, pieces: result.pieces, append: input.mode === 'append' };
}
