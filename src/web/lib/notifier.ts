/**
 * Lets components follow state that lives outside React, with `useSyncExternalStore(notifier.subscribe, read)`:
 * call `notify` after each change.
 */
export function createNotifier() {
  const listeners = new Set<() => void>();
  return {
    notify(): void {
      for (const listener of listeners) listener();
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
