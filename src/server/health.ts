import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { z } from 'zod';
import { errorReply } from '../contract/errors.ts';
import type { App, Deps } from './app-types.ts';
import { isStorageFull } from './db/dialect.ts';
import type { Database } from './db/open.ts';
import { transact } from './db/transact.ts';
import { AppError } from './errors.ts';

/** Where that is asked. */
export const HEALTH = '/api/health';

const FULL = 'Storage is full.';
/** Milliseconds that a write is waited for; one that takes longer waits for others, it has not failed. */
const PATIENCE = 1000;
/** Bytes: with less, a small write may still find room in the log while greater ones do not. */
const LEAST_FREE = 2 ** 20;

/**
 * Says whether this process can do its work: not while it is shutting down, nor while the database is out of reach or takes
 * no writes.
 */
export function healthRoute(app: App, { db }: Deps, isStopping: () => boolean): void {
  // Reading tells nothing of writing, and a write at each question would be too much: one is tried after one has failed.
  let isWritingInDoubt = false;
  let trial: Promise<void> | undefined;
  // A change of many students keeps others waiting for longer than whoever asks for health does.
  const isTried = (): Promise<boolean> => {
    trial ??= tryWriting(db).finally(() => {
      trial = undefined;
    });
    return Promise.race([trial.then(() => true), setTimeout(PATIENCE, false, { ref: false })]);
  };
  app.addHook('onSend', (_request, { statusCode }, payload, done) => {
    if (statusCode === 503 || statusCode === 507) isWritingInDoubt = true;
    done(null, payload);
  });
  app.get(
    HEALTH,
    {
      schema: {
        tags: ['Running it'],
        summary: 'Can this process do its work?',
        response: { 200: z.object({ status: z.literal('ok') }), 503: errorReply },
      },
    },
    async () => {
      if (isStopping()) throw new AppError('unavailable', 'Shutting down.', { retryAfter: 5 });
      try {
        await sql`select 1`.execute(db.read);
        if (isWritingInDoubt && (await isTried())) isWritingInDoubt = false;
      } catch (error) {
        if (error instanceof AppError) throw error;
        const message = isStorageFull(error) ? FULL : 'The database can not be reached.';
        throw new AppError('unavailable', message, { retryAfter: 5 });
      }
      return { status: 'ok' as const };
    },
  );
}

async function tryWriting(db: Database): Promise<void> {
  const state = await db.state();
  if (state.engine === 'sqlite' && state.freeBytes < LEAST_FREE) {
    throw new AppError('unavailable', FULL, { retryAfter: 5 });
  }
  // A row that nobody ever sees; one set to what it is already would not be written at all.
  await transact(db.write, async (tx) => {
    await tx.insertInto('schema_versions').values({ version: 0, name: '', applied_at: '' }).execute();
    await tx.deleteFrom('schema_versions').where('version', '=', 0).execute();
  });
}
