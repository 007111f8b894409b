import { useSyncExternalStore } from 'react';

const STORED_AS = 'SINGLE-KEYS';
const listeners = new Set<() => void>();

/** Whether keys without Ctrl or ⌘ are shortcuts. They get in the way of those who speak to their computer. */
const areOn = () => localStorage.getItem(STORED_AS) !== 'off';

export function switchSingleKeys(on: boolean): void {
  if (on) localStorage.removeItem(STORED_AS);
  else localStorage.setItem(STORED_AS, 'off');
  for (const listener of listeners) listener();
}

export function useSingleKeys(): boolean {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, areOn);
}

/** Whether a key that is pressed by itself is meant for the page: not for a field, and not under a dialog. */
export function isSingleKey(event: KeyboardEvent): boolean {
  return (
    !(event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) &&
    areOn() &&
    !isTyping(event.target) &&
    document.querySelector('dialog[open]') === null
  );
}

/** The letter of a key, also where the keyboard writes other than Latin ones. */
export function letterOf({ key, code }: KeyboardEvent): string {
  const isForeign = key.length === 1 && key > '\x7f' && code.startsWith('Key');
  return (isForeign ? code.slice(3) : key).toLowerCase();
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
  );
}
