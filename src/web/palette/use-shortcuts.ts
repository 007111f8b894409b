import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { isSingleKeyShortcut, pressedLetter } from '../lib/keyboard-shortcuts.ts';
import { useCanWrite } from '../lib/session.ts';
import { availableScreens } from './screens.ts';

/** The longest time between the two keys of a shortcut, in milliseconds. */
const SEQUENCE_TIMEOUT_MS = 1500;

/** A confirmation dialog or the loading overlay is open. */
const isCovered = () => document.querySelector('dialog[open]:is([role="alertdialog"], .loading)') !== null;

/** Submits the form of the focused element. A question inside it is not a part of it. */
function saveForm(event: KeyboardEvent): void {
  const form = event.target instanceof Element && event.target.closest('form, dialog');
  if (!(form instanceof HTMLFormElement) || event.defaultPrevented || event.repeat) return;
  event.preventDefault();
  form.requestSubmit();
}

interface ShortcutsOptions {
  onPalette: () => void;
  onHelp: () => void;
}

/** The shortcuts that work on every screen. */
export function useShortcuts({ onPalette, onHelp }: ShortcutsOptions): void {
  const navigate = useNavigate();
  const canWrite = useCanWrite();
  const first = useRef({ key: '', at: 0 });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const key = pressedLetter(event);
      if (key === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey) {
        event.preventDefault();
        if (!event.repeat && !isCovered()) onPalette();
        return;
      }
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) return saveForm(event);
      if (!isSingleKeyShortcut(event)) return;
      const { key: before, at } = first.current;
      first.current = { key, at: event.timeStamp };
      const keys = event.timeStamp - at <= SEQUENCE_TIMEOUT_MS ? [before, key] : [];
      const screen = availableScreens(canWrite).find((entry) =>
        entry.keys?.every((one, i) => one === keys[i]),
      );
      if (screen === undefined && key !== '?') return;
      event.preventDefault();
      first.current = { key: '', at: 0 };
      if (screen === undefined) onHelp();
      else void navigate({ href: screen.path });
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  });
}
