import type { KeyboardEvent } from 'react';

interface RowKeysOptions {
  /** Index of the active row. */
  index: number;
  count: number;
  /** Rows that Page Up and Page Down move by. */
  pageLength: number;
  onMove: (index: number, isExtending: boolean) => void;
  onFirst: () => void;
  onLast: () => void;
  onSelect: (() => void) | undefined;
}

/** The keys on a row. Enter needs no handler: it follows the link. */
export function handleRowKeys({
  index,
  count,
  pageLength,
  onMove,
  onFirst,
  onLast,
  onSelect,
}: RowKeysOptions) {
  return (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: pageLength, PageUp: -pageLength }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      onMove(Math.max(0, Math.min(count - 1, index + step)), event.shiftKey);
    } else if (event.key === 'Home' || event.key === 'End') {
      event.preventDefault();
      if (event.key === 'Home') onFirst();
      else onLast();
    } else if (event.key === ' ' && event.target instanceof HTMLAnchorElement && onSelect) {
      event.preventDefault();
      onSelect();
    }
  };
}
