import type { KeyboardEvent } from 'react';

interface ListKeysOptions {
  /** Index of the row that has the focus. */
  at: number;
  count: number;
  /** Rows that fit the window. */
  page: number;
  onMove: (index: number, isStretching: boolean) => void;
  onFirst: () => void;
  onLast: () => void;
  onChoose: (() => void) | undefined;
}

/** What the keys do on a row; Enter follows its link by itself. */
export function listKeys({ at, count, page, onMove, onFirst, onLast, onChoose }: ListKeysOptions) {
  return (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      onMove(Math.max(0, Math.min(count - 1, at + step)), event.shiftKey);
    } else if (event.key === 'Home' || event.key === 'End') {
      event.preventDefault();
      if (event.key === 'Home') onFirst();
      else onLast();
    } else if (event.key === ' ' && event.target instanceof HTMLAnchorElement && onChoose) {
      event.preventDefault();
      onChoose();
    }
  };
}
