import { parentPort } from 'node:worker_threads';
import { z } from 'zod';
import { FLUSH_CHECKPOINTS, loadSqliteEngine, type SqliteDatabase } from './engine.ts';

if (parentPort === null) throw new Error('Runs only as a worker thread.');
const port = parentPort;
const engine = await loadSqliteEngine();
let database: SqliteDatabase | undefined;

/** The database file, or null to end. */
const request = z.string().nullable();

port.on('message', (message) => {
  const file = request.parse(message);
  if (file === null) {
    database?.close();
    port.close();
    return;
  }
  try {
    database ??= engine.open(file);
    database.exec(`pragma busy_timeout = 0; ${FLUSH_CHECKPOINTS}; pragma wal_checkpoint(passive)`);
  } catch {
    // A full or failing disk, or a lock. The content stays in the log, and saves notice by themselves.
  }
  port.postMessage('done');
});
port.postMessage('ready');
