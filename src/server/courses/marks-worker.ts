import { parentPort } from 'node:worker_threads';
import { readMarks } from './read-marks.ts';

parentPort?.once('message', (upload: string | Uint8Array) => {
  parentPort?.postMessage(readMarks(upload));
});
