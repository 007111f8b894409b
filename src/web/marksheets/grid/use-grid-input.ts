import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { foldId, readPastedText } from '../../../domain/columns/pasted-table.ts';
import { fullName } from '../../students/student-format.ts';
import type { MarkEditor, TypedCell } from './model/mark-editor.ts';
import { writeTable } from './model/paste.ts';
import {
  clampSelection,
  isSingle,
  moveByKey,
  type Place,
  type Selection,
  selectCell,
  toArea,
} from './model/selection.ts';
import type { Column, ShownRow } from './model/shown-rows.ts';
import { takeStep } from './saving/use-mark-editing.ts';
import type { RowWindow } from './use-row-window.ts';

/** The text that is typed into the current cell. */
interface Editing {
  text: string;
  /** Arrow keys move to other cells, as long as typing has replaced the cell. */
  replaces: boolean;
}

export interface GridInputOptions {
  /** All rows of the sheet. */
  all: readonly ShownRow[];
  /** The rows on the screen. */
  rows: readonly ShownRow[];
  columns: readonly Column[];
  editor: MarkEditor;
  isReadOnly: boolean;
  /** Whether the current cell takes the focus when the grid appears. */
  startsFocused: boolean;
  selection: Selection;
  onSelect: (selection: Selection) => void;
  /** Several cells from the clipboard. */
  onPaste: (table: string[][]) => void;
  /** Asks for the field that finds a student. */
  onLeave: () => void;
}

/** Keyboard, mouse and clipboard of a grid in a box: which cells are selected, what is typed, and where the focus is. */
export function useGridInput(
  box: RefObject<HTMLElement | null>,
  shownWindow: RowWindow,
  { all, rows, columns, editor, isReadOnly, onSelect, onPaste, onLeave, ...options }: GridInputOptions,
) {
  const field = useRef<HTMLInputElement>(null);
  const [editing, setEditing] = useState<Editing | null>(null);
  const isDragging = useRef(false);
  const wantsFocus = useRef(options.startsFocused);
  const size = { rows: rows.length, columns: columns.length };
  const selection = clampSelection(options.selection, size);
  const { current, end } = selection;
  const area = toArea(selection);
  const { reveal } = shownWindow;

  const currentRow = rows[current.row];
  const currentColumn = columns[current.column];
  const view = currentRow?.views[current.column];

  // The focus follows the current cell, unless something outside of the grid has it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the cell is another one with each place.
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || editing !== null) return;
    if (!wantsFocus.current && !element.contains(document.activeElement)) return;
    wantsFocus.current = false;
    const cell = element.querySelector<HTMLElement>('td[tabindex="0"]');
    if (cell === null || cell === document.activeElement) return;
    cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current.row, current.column, editing, currentRow]);
  useEffect(() => {
    if (box.current?.contains(document.activeElement)) reveal(end.row);
  }, [box, end.row, reveal]);

  const toCells = (rowsToTake: readonly ShownRow[], text: (row: ShownRow, column: number) => string) => {
    const cells: TypedCell[] = [];
    for (const shown of rowsToTake) {
      for (let column = area.left; column <= area.right; column += 1) {
        const componentId = columns[column]?.component.component_id;
        if (componentId === undefined) continue;
        cells.push({ studentId: shown.row.student_id, componentId, text: text(shown, column) });
      }
    }
    return cells;
  };
  const chosenRows = () => rows.slice(area.top, area.bottom + 1);

  /** Takes what is in the field. */
  const keep = useCallback(() => {
    const input = field.current;
    if (input === null || currentRow === undefined || currentColumn === undefined) return;
    const text = input.value;
    setEditing(null);
    editor.type([
      { studentId: currentRow.row.student_id, componentId: currentColumn.component.component_id, text },
    ]);
  }, [editor, currentRow, currentColumn]);
  const keepTyped = useRef(keep);
  useLayoutEffect(() => {
    keepTyped.current = keep;
  });
  // A field that goes with the grid loses no focus.
  useLayoutEffect(() => () => keepTyped.current(), []);
  const select = (next: Selection) => {
    if (editing !== null) keep();
    onSelect(next);
    reveal(next.end.row);
  };
  const edit = (next: Editing) => {
    if (isReadOnly || currentRow === undefined || columns.length === 0) return;
    reveal(current.row);
    // At once: the next key belongs to the field.
    flushSync(() => setEditing(next));
    field.current?.focus({ preventScroll: true });
    field.current?.setSelectionRange(next.text.length, next.text.length);
  };
  const fillDown = () => {
    if (isReadOnly) return;
    const isOneRow = area.top === area.bottom;
    const source = rows[isOneRow ? area.top - 1 : area.top];
    if (source === undefined) return;
    const targets = isOneRow ? chosenRows() : rows.slice(area.top + 1, area.bottom + 1);
    editor.type(toCells(targets, (_, column) => source.views[column]?.text ?? ''));
  };
  const step = (direction: 'undo' | 'redo') => {
    const [first] = takeStep(editor, direction);
    if (first === undefined) return;
    const row = rows.findIndex((shown) => shown.row.student_id === first.studentId);
    const column = columns.findIndex(({ component }) => component.component_id === first.componentId);
    if (row >= 0 && column >= 0) select(selectCell({ row, column }));
  };

  const onEditingKey = (event: KeyboardEvent) => {
    const { key } = event;
    if (key === 'Escape') {
      event.preventDefault();
      wantsFocus.current = true;
      setEditing(null);
      return;
    }
    const isArrow = key.startsWith('Arrow');
    if (key !== 'Enter' && key !== 'Tab' && !(isArrow && editing?.replaces)) return;
    if (isArrow && event.shiftKey) return;
    event.preventDefault();
    wantsFocus.current = true;
    const next = moveByKey(selection, event, size, shownWindow.page);
    keep();
    onSelect(next ?? selectCell(current));
    reveal((next ?? selection).end.row);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.target instanceof HTMLButtonElement) {
      if (event.key === 'Escape') wantsFocus.current = true;
      return;
    }
    if (editing !== null) return onEditingKey(event);
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    const isCommand = (ctrlKey || metaKey) && !altKey;
    // The choice of a conflict comes next.
    if (key === 'Tab' && !shiftKey && view?.kind === 'conflict') return;
    const handled = () => event.preventDefault();
    if (isCommand && key.toLowerCase() === 'a') {
      handled();
      return onSelect({
        current: { row: 0, column: 0 },
        end: { row: size.rows - 1, column: size.columns - 1 },
        isWhole: true,
      });
    }
    if (isCommand && key.toLowerCase() === 'z') {
      handled();
      return step(shiftKey ? 'redo' : 'undo');
    }
    if (isCommand && key.toLowerCase() === 'y') {
      handled();
      return step('redo');
    }
    if (isCommand && key.toLowerCase() === 'd') {
      handled();
      return fillDown();
    }
    if (key === 'F2') {
      handled();
      return edit({ text: view?.text ?? '', replaces: false });
    }
    if (key === 'Delete' || key === 'Backspace') {
      handled();
      if (!isReadOnly) editor.type(toCells(chosenRows(), () => ''));
      return;
    }
    if (key === 'Escape') {
      handled();
      return isSingle(selection) ? onLeave() : onSelect(selectCell(current));
    }
    const next =
      isCommand && (key === 'Enter' || key === 'Tab')
        ? undefined
        : moveByKey(selection, event, size, shownWindow.page);
    if (next !== undefined) {
      handled();
      return select(next);
    }
    // A slash leads to the search, also from here.
    if (key.length === 1 && key !== '/' && key !== ' ' && !isCommand && !altKey) {
      handled();
      edit({ text: key, replaces: true });
    }
  };

  const placeAt = (target: EventTarget): Place | undefined => {
    const cell = target instanceof Element ? target.closest<HTMLElement>('td[data-row]') : null;
    if (cell === null) return undefined;
    return { row: Number(cell.dataset.row), column: Number(cell.dataset.column) };
  };
  const onMouseDown = (event: MouseEvent) => {
    const place = placeAt(event.target);
    if (place === undefined || event.button !== 0) return;
    if (event.target instanceof Element && event.target.closest('.marks-note, input') !== null) return;
    event.preventDefault();
    isDragging.current = true;
    wantsFocus.current = true;
    const isAgain = place.row === current.row && place.column === current.column;
    if (event.shiftKey) return select({ current, end: place });
    // A second tap opens the keyboard of a touch screen.
    if (isAgain && event.detail >= 2) return edit({ text: view?.text ?? '', replaces: false });
    select(selectCell(place));
    if (isAgain) box.current?.querySelector<HTMLElement>('td[tabindex="0"]')?.focus({ preventScroll: true });
  };
  const onMouseMove = (event: MouseEvent) => {
    if (!isDragging.current || (event.buttons & 1) === 0) return;
    const place = placeAt(event.target);
    if (place !== undefined && (place.row !== end.row || place.column !== end.column)) {
      onSelect({ current, end: place });
    }
  };

  const onCopy = (event: ClipboardEvent) => {
    event.preventDefault();
    const isWhole = selection.isWhole === true && event.type === 'copy';
    const texts = chosenRows().map(({ row, views }) => [
      ...(isWhole ? [row.student_id, fullName(row)] : []),
      ...views.slice(area.left, area.right + 1).map(({ text }) => text),
    ]);
    if (isWhole) texts.unshift(['CMS ID', 'Name', ...columns.map(({ component }) => component.name)]);
    event.clipboardData?.setData('text/plain', writeTable(texts));
    if (event.type === 'cut' && !isReadOnly) editor.type(toCells(chosenRows(), () => ''));
  };
  const onPasteEvent = (event: ClipboardEvent) => {
    if (isReadOnly || rows.length === 0) return;
    event.preventDefault();
    const ids = new Set(all.map(({ row }) => foldId(row.student_id)));
    const table = readPastedText(event.clipboardData?.getData('text/plain') ?? '', ids);
    const [[only = ''] = []] = table;
    if (table.length === 1 && table[0]?.length === 1) editor.type(toCells(chosenRows(), () => only));
    else onPaste(table);
  };
  useClipboard(box, { copy: onCopy, cut: onCopy, paste: onPasteEvent });

  return {
    selection,
    area,
    /** The text that is typed into the current cell; null while nothing is. */
    editing,
    /** The field that the text is typed into. */
    field,
    keep,
    /** The cell takes the focus once it is drawn again. */
    returnFocus: () => {
      wantsFocus.current = true;
    },
    handlers: {
      onKeyDown,
      onMouseDown,
      onMouseMove,
      onMouseUp: () => {
        isDragging.current = false;
      },
    },
  };
}

type ClipboardHandlers = Record<'copy' | 'cut' | 'paste', (event: ClipboardEvent) => void>;

/**
 * Handles the clipboard while the focus is in the box, but not in a field, which has its own. On the document: browsers may send these events to
 * where the selection is instead of the focus, and a cell that has the focus need not have a selection.
 */
function useClipboard(box: RefObject<HTMLElement | null>, handlers: ClipboardHandlers): void {
  const latest = useRef(handlers);
  useLayoutEffect(() => {
    latest.current = handlers;
  });
  useEffect(() => {
    const controller = new AbortController();
    for (const name of ['copy', 'cut', 'paste'] as const) {
      const handle = (event: ClipboardEvent) => {
        const { activeElement } = document;
        if (!box.current?.contains(activeElement) || activeElement instanceof HTMLInputElement) return;
        latest.current[name](event);
      };
      document.addEventListener(name, handle, { signal: controller.signal });
    }
    return () => controller.abort();
  }, [box]);
}
