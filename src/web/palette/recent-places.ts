/**
 * Where a person was last, by path alone: no name of a student stays on the computer, and log-out forgets it all.
 */
const MOST = 8;

const keyOf = (userId: string) => `RECENT:${userId}`;
const currentKey = () => keyOf(sessionStorage.getItem('CURRENT-USER-ID') ?? '');

/** The places opened last, the latest first. */
export function recentPlaces(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(currentKey()) ?? '[]');
    return Array.isArray(stored) ? stored.filter((place) => typeof place === 'string') : [];
  } catch {
    return [];
  }
}

export function rememberPlace(place: string): void {
  const places = [place, ...recentPlaces().filter((other) => other !== place)].slice(0, MOST);
  try {
    localStorage.setItem(currentKey(), JSON.stringify(places));
  } catch {
    // A full storage is no reason to keep anybody from going on.
  }
}

export function forgetRecentPlaces(userId: string): void {
  localStorage.removeItem(keyOf(userId));
}
