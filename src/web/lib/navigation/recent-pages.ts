/**
 * The user's recent pages in local storage. Paths only, no names of students; logging out removes them.
 */
const MAX_PAGES = 8;

const storageKey = (userId: string) => `RECENT:${userId}`;
const currentStorageKey = () => storageKey(sessionStorage.getItem('CURRENT-USER-ID') ?? '');

/** Paths of the recent pages, the latest first. */
export function recentPages(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(currentStorageKey()) ?? '[]');
    return Array.isArray(stored) ? stored.filter((path) => typeof path === 'string') : [];
  } catch {
    return [];
  }
}

/** IDs of the students whose records were opened last, the latest first. */
export function recentRecordIds(): string[] {
  return recentPages().flatMap((path) => {
    const [, encoded] = /^\/students\/([^/]+)$/.exec(path) ?? [];
    if (encoded === undefined || encoded === 'create') return [];
    try {
      return [decodeURIComponent(encoded)];
    } catch {
      return [];
    }
  });
}

export function addRecentPage(path: string): void {
  const paths = [path, ...recentPages().filter((other) => other !== path)].slice(0, MAX_PAGES);
  try {
    localStorage.setItem(currentStorageKey(), JSON.stringify(paths));
  } catch {
    // The storage is full; recent pages are not essential.
  }
}

export function clearRecentPages(userId: string): void {
  localStorage.removeItem(storageKey(userId));
}
