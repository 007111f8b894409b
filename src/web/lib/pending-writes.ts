import { useSyncExternalStore } from 'react';
import { createNotifier } from './notifier.ts';

/** Number of writes in progress. They can't be cancelled: the server may have acted already. */
let pending = 0;
const notifier = createNotifier();

function change(by: 1 | -1): void {
  pending += by;
  notifier.notify();
}

/** Counts a write as pending until the returned function is called. */
export function trackWrite(): () => void {
  change(1);
  return () => change(-1);
}

export function useHasPendingWrites(): boolean {
  return useSyncExternalStore(notifier.subscribe, () => pending > 0);
}
