import type { Db } from './schema.ts';

/** Sessions that nobody has used since their end; the others go when their token is next sent. */
export async function removeEndedSessions(db: Db): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<', new Date().toISOString()).execute();
}
