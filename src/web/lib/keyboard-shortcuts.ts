import { useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { createNotifier } from './notifier.ts';

const STORAGE_KEY = 'SINGLE-KEYS';
const notifier = createNotifier();

/** Whether single keys without Ctrl or ⌘ are shortcuts. They get in the way of speech input (WCAG 2.1.4). */
const areEnabled = () => localStorage.getItem(STORAGE_KEY) !== 'off';

export function setSingleKeyShortcuts(on: boolean): void {
  if (on) localStorage.removeItem(STORAGE_KEY);
  else localStorage.setItem(STORAGE_KEY, 'off');
  notifier.notify();
}

export function useSingleKeyShortcuts(): boolean {
  return useSyncExternalStore(notifier.subscribe, areEnabled);
}

/** Whether a single key is a shortcut: not while typing in a field or while a dialog is open. */
export function isSingleKeyShortcut(event: KeyboardEvent): boolean {
  return (
    !(event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) &&
    areEnabled() &&
    !isTyping(event.target) &&
    document.querySelector('dialog[open]') === null
  );
}

/** What keys do on the page that is shown. */
const pageKeys = new Map<string, () => void>();

/**
 * Runs something on a key while the page is shown: a letter or digit where nobody types, or a function key anywhere outside of
 * dialogs, such as `Shift F9`.
 *
 * @param run undefined while the key does nothing
 */
export function usePageKey(key: string, run: (() => void) | undefined): void {
  const latest = useRef(run);
  // Before the page is painted: its keys work as soon as it is seen, and never on the page before it.
  useLayoutEffect(() => {
    latest.current = run;
  });
  const isInUse = run !== undefined;
  useLayoutEffect(() => {
    if (!isInUse) return;
    const act = () => latest.current?.();
    pageKeys.set(key, act);
    return () => {
      if (pageKeys.get(key) === act) pageKeys.delete(key);
    };
  }, [key, isInUse]);
}

/** What a key does on the page that is shown. */
export const findPageKey = (key: string): (() => void) | undefined => pageKeys.get(key);

/** The Latin letter of a key, also on keyboards with another script. */
export function pressedLetter({ key, code }: KeyboardEvent): string {
  const isForeign = key.length === 1 && key > '\x7f' && code.startsWith('Key');
  return (isForeign ? code.slice(3) : key).toLowerCase();
}

/** Whether the keys are typed into a field. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
  );
}

/** Names of the modifier keys differ on Apple keyboards. */
const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** A key with Ctrl, or with ⌘ on Apple keyboards, as screens show it. */
export const commandShortcut = (key: string) => `${isMac ? '⌘' : 'Ctrl'} ${key}`;
export const PALETTE_SHORTCUT = commandShortcut('K');
/** Opens what is marked in a new tab, or saves a form. */
export const ENTER_SHORTCUT = commandShortcut('↵');

/** The label of a key. */
export const keyLabel = (key: string) => (key.length === 1 ? key.toUpperCase() : key);
