import { type DatabaseLocation, formatLocation } from '../db/location.ts';

/**
 * Runs `act` under an exclusive lock on a database; other SIMS processes are rejected. A data folder is locked by opening it,
 * so only a database on a server is locked here; `act` receives its location marked as locked.
 *
 * @throws StartError where another process uses the database
 */
export async function withExclusiveLock<Result>(
  location: DatabaseLocation,
  act: (locked: DatabaseLocation, confirm: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  if (location.kind === 'sqlite' || location.isHeld) return act(location, async () => {});
  const { acquireServerLock } = await import('../db/postgres/open-postgres.ts');
  const lock = await acquireServerLock(location.url, formatLocation(location));
  try {
    return await act({ ...location, isHeld: true }, lock.confirm);
  } finally {
    await lock.release();
  }
}
