import { useSyncExternalStore } from 'react';

/** How many saves and deletes wait for their answer. They can't be cancelled: the server may have acted already. */
let pending = 0;
const listeners = new Set<() => void>();

function change(by: 1 | -1): void {
  pending += by;
  for (const listener of listeners) listener();
}

/** Counts one write in; the answered function counts it out again. */
export function beginWrite(): () => void {
  change(1);
  return () => change(-1);
}

export function useIsWriting(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => pending > 0,
  );
}
