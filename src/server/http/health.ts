import { setTimeout } from 'node:timers/promises';
import { serverCalls } from '../../contract/installation/server.ts';
import type { App, Deps } from '../app-types.ts';
import type { Database } from '../db/database.ts';
import { isStorageFull, isUnavailable } from '../db/dialect/errors.ts';
import { AppError } from '../errors.ts';
import { transact } from '../history/transaction.ts';
import { bindCalls } from './handle.ts';

export const HEALTH_PATH = '/api/health';

const STORAGE_FULL = 'Storage is full.';
/** A test write that takes longer is waiting for other writes; it has not failed. */
const WRITE_TIMEOUT_MS = 400;
/** With less, a small write may still fit into the log while larger ones fail. */
const MIN_FREE_BYTES = 2 ** 20;

/**
 * Answers 200 while this process can work, 503 while it shuts down, and while the database can't be reached or
 * written.
 */
export function healthRoute(app: App, { db }: Deps, isStopping: () => boolean): void {
  // Writes are tested only after one has failed: a write for every health check would cost too much.
  let isWriteSuspect = false;
  let testWrite: Promise<void> | undefined;
  let pinging: Promise<void> | undefined;
  // False when it takes too long: a bulk change may block other writes for longer than a health check waits.
  const canWrite = (): Promise<boolean> => {
    testWrite ??= tryWrite(db).finally(() => {
      testWrite = undefined;
    });
    return Promise.race([testWrite.then(() => true), setTimeout(WRITE_TIMEOUT_MS, false, { ref: false })]);
  };
  // Not every answer 503: refused calls, of which there may be many, say nothing about the database.
  app.addHook('onError', (_request, _reply, error, done) => {
    if (isUnavailable(error) || isStorageFull(error)) isWriteSuspect = true;
    done();
  });
  bindCalls(app, serverCalls)('GET /api/health', async () => {
    if (isStopping()) throw new AppError('unavailable', 'Shutting down.', { retryAfter: 5 });
    try {
      // One for all health checks that wait meanwhile.
      pinging ??= db.ping().finally(() => {
        pinging = undefined;
      });
      await pinging;
      if (isWriteSuspect && (await canWrite())) isWriteSuspect = false;
    } catch (error) {
      if (error instanceof AppError) throw error;
      const message = isStorageFull(error) ? STORAGE_FULL : 'The database can not be reached.';
      throw new AppError('unavailable', message, { retryAfter: 5 });
    }
    return { status: 'ok' as const };
  });
}

async function tryWrite(db: Database): Promise<void> {
  const state = await db.state();
  if (state.engine === 'sqlite' && state.freeBytes < MIN_FREE_BYTES) {
    throw new AppError('unavailable', STORAGE_FULL, { retryAfter: 5 });
  }
  // Inserts and deletes a row: updating one to the same values would not write anything.
  await transact(db.write, async (tx) => {
    await tx.insertInto('schema_versions').values({ version: 0, name: '', applied_at: '' }).execute();
    await tx.deleteFrom('schema_versions').where('version', '=', 0).execute();
  });
}
