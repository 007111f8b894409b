import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { Correction, Corrections } from './use-corrections.ts';

const findCell = (box: HTMLElement | null, id: string) =>
  box?.querySelector<HTMLElement>(`[data-cell="${CSS.escape(id)}"]`) ?? null;

/**
 * Which cell is edited, and which one has or last had the focus: `line:field`. Cells with errors are stops of the Tab key,
 * the others are reached by arrow keys.
 *
 * @param box the table or the cards
 * @param rows a new value when other rows are shown
 */
export function useEditing(box: RefObject<HTMLElement | null>, corrections: Corrections, rows: unknown) {
  const [cell, setCell] = useState<string | null>(null);
  const [active, setActive] = useState<string>();
  const focusNext = useRef<string>(null);
  const hadFocus = useRef(false);

  useLayoutEffect(() => {
    if (cell !== null || focusNext.current === null) return;
    findCell(box.current, focusNext.current)?.focus();
    focusNext.current = null;
  }, [cell, box]);

  // A corrected row may have moved out of sight: its cell had the focus, so the next one with an error gets it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: checked whenever other rows are shown.
  useLayoutEffect(() => {
    if (!hadFocus.current || cell !== null || document.activeElement !== document.body) return;
    const find = (selector: string) => box.current?.querySelector<HTMLElement>(selector);
    (find('[data-wrong]') ?? find('[data-cell]') ?? box.current)?.focus();
  }, [rows]);

  const close = (isByKey: boolean) => {
    if (isByKey) focusNext.current = cell;
    setCell(null);
  };
  return {
    cell,
    active,
    open: (id: string) => {
      setActive(id);
      setCell(id);
    },
    keep: (correction: Correction, isByKey: boolean) => {
      close(isByKey);
      corrections.correct(correction);
    },
    leave: close,
    waitingText: corrections.waitingText,
    isChecking: corrections.isChecking,
    onFocus: ({ target }: { target: EventTarget }) => {
      hadFocus.current = true;
      const id = target instanceof HTMLElement ? target.dataset.cell : undefined;
      if (id !== undefined) setActive(id);
    },
    onBlur: ({ relatedTarget }: { relatedTarget: EventTarget | null }) => {
      // Without a target, the cell itself may have been removed.
      if (relatedTarget !== null) hadFocus.current = box.current?.contains(relatedTarget as Node) ?? false;
    },
  };
}

export type Editing = ReturnType<typeof useEditing>;

/** Arrow keys move between the cells of a table, Home and End to the first and last one of a row. */
export function moveByArrowKeys(event: KeyboardEvent<HTMLElement>): void {
  const { target, key } = event;
  if (!(target instanceof HTMLElement) || target.dataset.cell === undefined) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const own = target.closest('td');
  const row = own?.parentElement;
  if (!own || !row) return;
  const cells = [...row.querySelectorAll<HTMLElement>('[data-cell]')];
  const next = neighbour(key, row, cells, cells.indexOf(target));
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

function neighbour(key: string, row: Element, cells: readonly HTMLElement[], at: number) {
  switch (key) {
    case 'ArrowLeft':
      return cells[at - 1];
    case 'ArrowRight':
      return cells[at + 1];
    case 'Home':
      return cells[0];
    case 'End':
      return cells.at(-1);
    case 'ArrowUp':
      return cellInColumn(row.previousElementSibling, at);
    case 'ArrowDown':
      return cellInColumn(row.nextElementSibling, at);
    default:
      return undefined;
  }
}

const cellInColumn = (row: Element | null, at: number) =>
  row === null ? undefined : [...row.querySelectorAll<HTMLElement>('[data-cell]')][at];
