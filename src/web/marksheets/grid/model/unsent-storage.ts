import { type CellAddress, type Unsent, type UnsentCells, withCells } from './unsent-cells.ts';

/**
 * Unsent cells in local storage, a key for each: they survive a crash of the browser, two windows of one user keep each
 * other's, and a mark that is typed costs the same whatever else waits. They are removed by logging out, and
 * when they are a day old, see `lib/drafts.ts`.
 */
const sheetKey = (userId: string, sheetId: number) => `DRAFT:${userId}:sheet:${sheetId}`;

const cellKey = (userId: string, sheetId: number, { studentId, componentId }: CellAddress) =>
  `${sheetKey(userId, sheetId)}:${componentId}:${studentId}`;

/** Other windows that keep many cells at once are read once. */
const READ_AFTER_MS = 50;

const isCell = (value: unknown) =>
  value === null || typeof value === 'number' || value === 'A' || value === 'E';

const isUnsent = (value: unknown): value is Unsent =>
  typeof value === 'object' &&
  value !== null &&
  typeof Reflect.get(value, 'text') === 'string' &&
  isCell(Reflect.get(value, 'was')) &&
  (!('sent' in value) || isCell(value.sent));

/** Calls back after another window of this browser has changed what is stored of a sheet. */
export function watchUnsent(userId: string, sheetId: number, onChange: () => void): () => void {
  const prefix = sheetKey(userId, sheetId);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onStorage = ({ key }: StorageEvent) => {
    if (key !== null && key !== prefix && !key.startsWith(`${prefix}:`)) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      onChange();
    }, READ_AFTER_MS);
  };
  window.addEventListener('storage', onStorage);
  return () => {
    clearTimeout(timer);
    window.removeEventListener('storage', onStorage);
  };
}

/** The stored cells, without malformed ones. */
export function readUnsent(userId: string, sheetId: number): UnsentCells {
  try {
    splitSheetKey(userId, sheetId);
    const prefix = `${sheetKey(userId, sheetId)}:`;
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(prefix));
    return withCells(
      new Map(),
      keys.flatMap((key): [CellAddress, Unsent][] => {
        const [componentId = '', ...studentId] = key.slice(prefix.length).split(':');
        const unsent = parse(localStorage.getItem(key));
        return isUnsent(unsent)
          ? [[{ studentId: studentId.join(':'), componentId: Number(componentId) }, unsent]]
          : [];
      }),
    );
  } catch {
    return new Map();
  }
}

/** Earlier versions kept all cells of a sheet under one key. */
function splitSheetKey(userId: string, sheetId: number): void {
  const key = sheetKey(userId, sheetId);
  const stored = parse(localStorage.getItem(key));
  // A list, or an object since its time was added.
  const at: unknown = Object(stored).at;
  for (const cell of Object.values(Object(stored))) {
    const [studentId, componentId, unsent]: unknown[] = Array.isArray(cell) ? cell : [];
    if (typeof studentId !== 'string' || typeof componentId !== 'number' || !isUnsent(unsent)) continue;
    localStorage.setItem(
      cellKey(userId, sheetId, { studentId, componentId }),
      withTime(unsent, typeof at === 'number' ? at : undefined),
    );
  }
  localStorage.removeItem(key);
}

/** A cell that was read keeps the time at which it was typed. */
const withTime = (unsent: Unsent, at = Date.now()) => JSON.stringify({ at, ...unsent });

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

/** @returns false if the storage is full or missing: the cells then last only as long as the page */
export function storeUnsent(
  userId: string,
  sheetId: number,
  changes: Iterable<readonly [CellAddress, Unsent | undefined]>,
): boolean {
  try {
    for (const [address, unsent] of changes) {
      const key = cellKey(userId, sheetId, address);
      if (unsent === undefined) localStorage.removeItem(key);
      else localStorage.setItem(key, withTime(unsent));
    }
    return true;
  } catch {
    return false;
  }
}
