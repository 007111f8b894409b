/** A cell of the grid by its place: rows and components that are shown, from 0. */
export interface Place {
  row: number;
  column: number;
}

/** The chosen cells: a rectangle from the current cell to `end`. */
export interface Selection {
  /** Which is typed into. */
  current: Place;
  end: Place;
  /** The column in which moving by Tab began; Enter returns to it. */
  tabColumn?: number | undefined;
  /** All cells were chosen at once: they are copied with the heads, IDs and names. */
  isWhole?: boolean;
}

export interface Size {
  rows: number;
  columns: number;
}

export interface Area {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

export const toArea = ({ current, end }: Selection): Area => ({
  top: Math.min(current.row, end.row),
  bottom: Math.max(current.row, end.row),
  left: Math.min(current.column, end.column),
  right: Math.max(current.column, end.column),
});

export const isSingle = ({ current, end }: Selection): boolean =>
  current.row === end.row && current.column === end.column;

export const selectCell = (place: Place): Selection => ({ current: place, end: place });

/** Rows or components may have gone. */
export function clampSelection(selection: Selection, size: Size): Selection {
  const clamp = ({ row, column }: Place): Place => ({
    row: Math.max(0, Math.min(row, size.rows - 1)),
    column: Math.max(0, Math.min(column, size.columns - 1)),
  });
  return { ...selection, current: clamp(selection.current), end: clamp(selection.end) };
}

interface Key {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
}

/**
 * The selection after a key that moves, or undefined for another key, and for Tab in the last cell, which leaves the grid.
 *
 * @param page rows that are visible
 */
export function moveByKey(
  selection: Selection,
  { key, shiftKey, ctrlKey, metaKey }: Key,
  { rows, columns }: Size,
  page: number,
): Selection | undefined {
  const { row, column } = shiftKey ? selection.end : selection.current;
  const toEdge = ctrlKey || metaKey;
  const last = { row: rows - 1, column: columns - 1 };
  const move = (to: Place): Selection => {
    const { current } = clampSelection(selectCell(to), { rows, columns });
    return shiftKey ? { current: selection.current, end: current } : selectCell(current);
  };
  switch (key) {
    case 'ArrowUp':
      return move({ row: toEdge ? 0 : row - 1, column });
    case 'ArrowDown':
      return move({ row: toEdge ? last.row : row + 1, column });
    case 'ArrowLeft':
      return move({ row, column: toEdge ? 0 : column - 1 });
    case 'ArrowRight':
      return move({ row, column: toEdge ? last.column : column + 1 });
    case 'Home':
      return move({ row: toEdge ? 0 : row, column: 0 });
    case 'End':
      return move({ row: toEdge ? last.row : row, column: last.column });
    case 'PageUp':
      return move({ row: row - page, column });
    case 'PageDown':
      return move({ row: row + page, column });
    case 'Enter': {
      const from = selection.current;
      const to = { row: from.row + (shiftKey ? -1 : 1), column: selection.tabColumn ?? from.column };
      return clampSelection(selectCell(to), { rows, columns });
    }
    case 'Tab':
      return moveByTab(selection, shiftKey ? -1 : 1, last);
    default:
      return undefined;
  }
}

function moveByTab({ current, tabColumn }: Selection, step: 1 | -1, last: Place): Selection | undefined {
  const column = current.column + step;
  if (column >= 0 && column <= last.column) {
    return { ...selectCell({ row: current.row, column }), tabColumn: tabColumn ?? current.column };
  }
  const row = current.row + step;
  if (row < 0 || row > last.row) return undefined;
  const wrapped = selectCell({ row, column: step === 1 ? 0 : last.column });
  return { ...wrapped, tabColumn: step === 1 ? 0 : undefined };
}
