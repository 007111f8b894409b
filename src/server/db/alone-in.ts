import { labelOf, type Place } from './copy/place.ts';

/**
 * Keeps every other process of the product out of a place until all is done there. A data folder is held by whoever opens it; a
 * server's database is held here, and `act` is given the place as one that is.
 *
 * @throws StartError where another process uses it
 */
export async function aloneIn<Result>(
  place: Place,
  act: (held: Place, confirm: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  if (place.kind === 'sqlite' || place.isHeld) return act(place, async () => {});
  const { takeServer } = await import('./postgres.ts');
  const hold = await takeServer(place.url, labelOf(place));
  try {
    return await act({ ...place, isHeld: true }, hold.confirm);
  } finally {
    await hold.release();
  }
}
