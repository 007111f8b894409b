import { sql } from 'kysely';
import { z } from 'zod';
import { errorReply } from '../contract/errors.ts';
import type { App, Deps } from './app-types.ts';
import { AppError } from './errors.ts';

/** Where that is asked. */
export const HEALTH = '/api/health';

/** Says whether this process can do its work: not while it is shutting down, nor while the database is out of reach. */
export function healthRoute(app: App, { db }: Deps, isStopping: () => boolean): void {
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
      } catch {
        throw new AppError('unavailable', 'The database can not be reached.', { retryAfter: 5 });
      }
      return { status: 'ok' as const };
    },
  );
}
