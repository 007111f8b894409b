import { parentPort } from 'node:worker_threads';
import { type MarksUpload, readMarks } from './read-marks.ts';

parentPort?.once('message', (upload: MarksUpload) => {
  parentPort?.postMessage(readMarks(upload));
});
