import { useEffect, useRef } from 'react';
import { pressedLetter } from '../keyboard-shortcuts.ts';

/** Prints with Ctrl P instead of the browser, which would print only what is on the page. Undefined leaves it to the browser. */
export function useCtrlP(print: (() => void) | undefined): void {
  const latest = useRef(print);
  useEffect(() => {
    latest.current = print;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { ctrlKey, metaKey, altKey, shiftKey } = event;
      if (!(ctrlKey || metaKey) || altKey || shiftKey || pressedLetter(event) !== 'p') return;
      if (latest.current === undefined || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}
