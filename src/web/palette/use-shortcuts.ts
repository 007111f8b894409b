import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useMayWrite } from '../session.ts';
import { isSingleKey, letterOf } from '../ui/single-keys.ts';
import { screensFor } from './places.ts';

/** The second key of two counts for so long after the first. */
const SECOND_KEY_WITHIN = 1500;

/** A question waits for its answer, or everything is covered while something loads. */
const isCovered = () => document.querySelector('dialog[open]:is([role="alertdialog"], .loading)') !== null;

interface ShortcutsOptions {
  onPalette: () => void;
  onHelp: () => void;
}

/** The keys that work on every screen for staff. */
export function useShortcuts({ onPalette, onHelp }: ShortcutsOptions): void {
  const navigate = useNavigate();
  const mayWrite = useMayWrite();
  const first = useRef({ key: '', at: 0 });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const key = letterOf(event);
      if (key === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey) {
        event.preventDefault();
        if (!event.repeat && !isCovered()) onPalette();
        return;
      }
      if (!isSingleKey(event)) return;
      const { key: before, at } = first.current;
      first.current = { key, at: event.timeStamp };
      const keys = event.timeStamp - at <= SECOND_KEY_WITHIN ? [before, key] : [];
      const screen = screensFor(mayWrite).find((place) => place.keys?.every((one, i) => one === keys[i]));
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
