import { type DatabaseLocation, formatLocation } from '../db/location.ts';

/**
 * Runs `act` under an exclusive lock on a database; other SIMS processes are rejected. A data folder is locked by opening it,
 * so only a database on a server is locked here; `act` receives its location marked as locked.
 *
 * @throws StartError where another process uses the database
 */
export async function withExclusiveLock<Result>(
  place: DatabaseLocation,
  act: (locked: DatabaseLocation, confirm: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  if (place.kind === 'sqlite' || place.isHeld) return act(place, async () => {});
  const { acquireServerLock } = await import('../db/postgres/open-postgres.ts');
  const lock = await acquireServerLock(place.url, formatLocation(place));
  try {
    return await act({ ...place, isHeld: true }, lock.confirm);
  } finally {
    await lock.release();
  }
}
