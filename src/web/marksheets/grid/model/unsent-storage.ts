import { type CellAddress, eachUnsent, type Unsent, type UnsentCells, withCells } from './unsent-cells.ts';

/**
 * Unsent cells in local storage, by user and sheet: they survive a crash of the browser. Written cell by cell, so that two
 * windows of one user keep each other's. Logging out removes them, see `lib/drafts.ts`.
 */
const storageKey = (userId: string, sheetId: number) => `DRAFT:${userId}:sheet:${sheetId}`;

type Stored = [studentId: string, componentId: number, Unsent];

const isCell = (value: unknown) =>
  value === null || typeof value === 'number' || value === 'A' || value === 'E';

function isStored(value: unknown): value is Stored {
  if (!Array.isArray(value)) return false;
  const [studentId, componentId, unsent]: unknown[] = value;
  return (
    typeof studentId === 'string' &&
    typeof componentId === 'number' &&
    typeof unsent === 'object' &&
    unsent !== null &&
    typeof Reflect.get(unsent, 'text') === 'string' &&
    isCell(Reflect.get(unsent, 'was')) &&
    (!('sent' in unsent) || isCell(unsent.sent))
  );
}

/** What is stored, as text: for {@link watchUnsent}. */
export const unsentText = (userId: string, sheetId: number): string | null =>
  localStorage.getItem(storageKey(userId, sheetId));

/** Calls back when another window of this browser changes what is stored. */
export function watchUnsent(onChange: () => void): () => void {
  window.addEventListener('storage', onChange);
  return () => window.removeEventListener('storage', onChange);
}

/** The stored cells; none when they are malformed. */
export function readUnsent(userId: string, sheetId: number): UnsentCells {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey(userId, sheetId)) ?? '[]');
    const cells = Array.isArray(stored) ? stored.filter(isStored) : [];
    return withCells(
      new Map(),
      cells.map(([studentId, componentId, unsent]) => [{ studentId, componentId }, unsent] as const),
    );
  } catch {
    return new Map();
  }
}

/** @returns false if the storage is full or missing: the cells then last only as long as the page */
export function storeUnsent(
  userId: string,
  sheetId: number,
  changes: Iterable<readonly [CellAddress, Unsent | undefined]>,
): boolean {
  try {
    const cells = withCells(readUnsent(userId, sheetId), changes);
    const stored: Stored[] = [...eachUnsent(cells)].map(([{ studentId, componentId }, unsent]) => [
      studentId,
      componentId,
      unsent,
    ]);
    if (stored.length === 0) localStorage.removeItem(storageKey(userId, sheetId));
    else localStorage.setItem(storageKey(userId, sheetId), JSON.stringify(stored));
    return true;
  } catch {
    return false;
  }
}
