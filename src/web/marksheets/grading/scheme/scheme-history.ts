import { isSameScheme, type Scheme } from './scheme.ts';

/** Changes of a scheme that are not stored yet, to be undone and redone. */
export interface SchemeHistory {
  past: readonly Scheme[];
  /** Null until something was changed: the scheme of the sheet holds. */
  present: Scheme | null;
  future: readonly Scheme[];
  /** Changes with the name of the last one belong to it, such as the moves of one drag. */
  group: string | null;
}

export const NO_CHANGES: SchemeHistory = { past: [], present: null, future: [], group: null };

/** @param stored the scheme of the sheet, from which the first change starts */
export function changeScheme(
  history: SchemeHistory,
  stored: Scheme,
  next: Scheme,
  group: string | null,
): SchemeHistory {
  const { past, present } = history;
  const now = present ?? stored;
  const isSameGroup = group !== null && group === history.group;
  if (!isSameGroup && isSameScheme(now, next)) return history;
  return { past: isSameGroup ? past : [...past, now], present: next, future: [], group };
}

export function undoChange({ past, present, future }: SchemeHistory): SchemeHistory {
  const before = past.at(-1);
  if (before === undefined || present === null) return { past, present, future, group: null };
  return { past: past.slice(0, -1), present: before, future: [present, ...future], group: null };
}

export function redoChange({ past, present, future }: SchemeHistory): SchemeHistory {
  const [next, ...rest] = future;
  if (next === undefined || present === null) return { past, present, future, group: null };
  return { past: [...past, present], present: next, future: rest, group: null };
}
