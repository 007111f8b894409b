import type { Cell } from '../../../../domain/marksheets/totals.ts';
import type { UnsentKind } from '../../../lib/drafts.ts';
import {
  type CellAddress,
  type CellValue,
  type Unsent,
  type UnsentCells,
  withCells,
} from './unsent-cells.ts';

/** Other windows that keep many cells at once are read once. */
const READ_AFTER_MS = 50;

type Change<Value> = readonly [CellAddress, Unsent<Value> | undefined];

/** Where the unsent cells of sheets are kept. */
export interface UnsentStorage<Value> {
  /** The stored cells, without malformed ones. */
  read: (userId: string, sheetId: number) => UnsentCells<Value>;
  /** @returns false if the storage is full or missing: the cells then last only as long as the page */
  store: (userId: string, sheetId: number, changes: Iterable<Change<Value>>) => boolean;
  /** Calls back after another window of this browser has changed what is stored of a sheet. */
  follow: (userId: string, sheetId: number, onChange: () => void) => () => void;
}

/**
 * Unsent cells in local storage, a key for each: they survive a crash of the browser, two windows of one user keep each
 * other's, and a mark that is typed costs the same whatever else waits. They are removed by logging out, and
 * when they are a day old, see `lib/drafts.ts`.
 *
 * @param name what they are of, in the keys
 */
export function createUnsentStorage<Value extends CellValue>(
  name: UnsentKind,
  isValue: (value: unknown) => value is Value,
): UnsentStorage<Value> {
  const sheetKey = (userId: string, sheetId: number) => `DRAFT:${userId}:${name}:${sheetId}`;
  const cellKey = (userId: string, sheetId: number, { studentId, componentId }: CellAddress) =>
    `${sheetKey(userId, sheetId)}:${componentId}:${studentId}`;
  const isUnsent = (value: unknown): value is Unsent<Value> =>
    typeof value === 'object' &&
    value !== null &&
    typeof Reflect.get(value, 'text') === 'string' &&
    isValue(Reflect.get(value, 'was')) &&
    (!('sent' in value) || isValue(value.sent));

  /** Earlier versions kept all cells of a sheet under one key. */
  const splitSheetKey = (userId: string, sheetId: number) => {
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
  };

  return {
    read: (userId, sheetId) => {
      try {
        splitSheetKey(userId, sheetId);
        const prefix = `${sheetKey(userId, sheetId)}:`;
        const keys = Object.keys(localStorage).filter((key) => key.startsWith(prefix));
        return withCells<Value>(
          new Map(),
          keys.flatMap((key): [CellAddress, Unsent<Value>][] => {
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
    },
    store: (userId, sheetId, changes) => {
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
    },
    follow: (userId, sheetId, onChange) => {
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
    },
  };
}

/** A cell that was read keeps the time at which it was typed. */
const withTime = (unsent: Unsent<CellValue>, at = Date.now()) => JSON.stringify({ at, ...unsent });

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

const isMark = (value: unknown): value is Cell =>
  value === null || typeof value === 'number' || value === 'A' || value === 'E';

export const unsentMarks = createUnsentStorage('sheet', isMark);
