import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { findPageKey, isSingleKeyShortcut, isTyping, pressedLetter } from '../lib/keyboard-shortcuts.ts';
import { useCanWrite, useIsTeacher } from '../lib/session.ts';
import { availableScreens } from './screens.ts';

/** The longest time between the two keys of a shortcut, in milliseconds. */
const SEQUENCE_TIMEOUT_MS = 1500;

/** A confirmation dialog or the loading overlay is open. */
const isCovered = () => document.querySelector('dialog[open]:is([role="alertdialog"], .loading)') !== null;

/**
 * Submits the form of the focused element, or that of the page while no field has the focus. A question inside it is not a part of
 * it, nor is a field beside it, such as a search.
 */
function saveForm(event: KeyboardEvent): void {
  const { target } = event;
  const within = target instanceof Element ? target.closest('form, dialog') : null;
  const form =
    within ?? (isCovered() || isTyping(target) ? null : document.querySelector('#main form:has(.form-foot)'));
  if (!(form instanceof HTMLFormElement) || event.defaultPrevented || event.repeat) return;
  event.preventDefault();
  form.requestSubmit();
}

/** Function keys work while somebody types, too. */
function runFunctionKey(event: KeyboardEvent): void {
  const { ctrlKey, metaKey, altKey, shiftKey } = event;
  if (ctrlKey || metaKey || altKey || event.repeat || document.querySelector('dialog[open]') !== null) return;
  const run = findPageKey(shiftKey ? `Shift ${event.key}` : event.key);
  if (run === undefined) return;
  event.preventDefault();
  run();
}

interface ShortcutsOptions {
  onPalette: () => void;
  onHelp: () => void;
}

/** The shortcuts that work on every screen. */
export function useShortcuts({ onPalette, onHelp }: ShortcutsOptions): void {
  const navigate = useNavigate();
  const canWrite = useCanWrite();
  const isTeacher = useIsTeacher();
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
      if (/^F\d+$/.test(event.key)) return runFunctionKey(event);
      if (!isSingleKeyShortcut(event)) return;
      const { key: before, at } = first.current;
      first.current = { key, at: event.timeStamp };
      const screens = availableScreens(canWrite, { isTeacher });
      const isSecond =
        event.timeStamp - at <= SEQUENCE_TIMEOUT_MS && screens.some(({ keys }) => keys?.[0] === before);
      const screen = isSecond
        ? screens.find(({ keys }) => keys?.[0] === before && keys[1] === key)
        : undefined;
      const run = isSecond ? undefined : findPageKey(key);
      if (screen === undefined && run === undefined && key !== '?') return;
      event.preventDefault();
      first.current = { key: '', at: 0 };
      if (screen !== undefined) void navigate({ href: screen.path });
      else if (run !== undefined) run();
      else onHelp();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  });
}
