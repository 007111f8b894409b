import type { Sheet, SheetRowReply } from '../../../../contract/marksheets/sheets.ts';
import type { Cell, ComponentSetup } from '../../../../domain/marksheets/totals.ts';
import { cellText, type ReadCell, readCell } from './cell-text.ts';

/* Cells hold marks, unless another kind of value is named: the attendance of a row is typed and kept in the same way. */

/** What cells hold; compared with `===`. Null for an empty one. */
export type CellValue = number | string | null;

/** A cell that was typed here and is not known to be stored. */
export interface Unsent<Value = Cell> {
  text: string;
  /** The value of the cell when typing began. */
  was: Value;
  /** The value that was sent, while the reply is awaited or was lost; undefined otherwise. */
  sent?: Value | undefined;
}

/** Unsent cells by student and component. */
export type UnsentCells<Value = Cell> = ReadonlyMap<string, ReadonlyMap<number, Unsent<Value>>>;

export interface CellAddress {
  studentId: string;
  componentId: number;
}

/** `conflict`: somebody else has stored `stored` since typing began. */
export type CellView<Value = Cell> =
  | { kind: 'stored' | 'waiting'; text: string; cell: Value }
  | { kind: 'wrong'; text: string; fault: string }
  | { kind: 'conflict'; text: string; cell: Value; stored: Value };

export const storedCell = ({ cells }: Pick<SheetRowReply, 'cells'>, componentId: number): Cell =>
  cells[componentId] ?? null;

/** The cell of a mark as it is shown. */
export const viewCell = (stored: Cell, unsent: Unsent | undefined, component: ComponentSetup): CellView =>
  viewValue(stored, unsent, (text) => readCell(text, component));

/** A cell as it is shown: what was typed here, before what is stored. */
export function viewValue<Value extends CellValue>(
  stored: Value,
  unsent: Unsent<Value> | undefined,
  readText: (text: string) => ReadCell<Value>,
): CellView<Value> {
  if (unsent === undefined) return { kind: 'stored', text: cellText(stored), cell: stored };
  const { text, was, sent } = unsent;
  const read = readText(text);
  if ('fault' in read) return { kind: 'wrong', text, fault: read.fault };
  const { cell } = read;
  if (cell === stored && sent === undefined) return { kind: 'stored', text: cellText(stored), cell };
  const isOwn = stored === was || stored === sent || stored === cell;
  return isOwn ? { kind: 'waiting', text, cell } : { kind: 'conflict', text, cell, stored };
}

/**
 * The value to send for a cell, or undefined for none. When the reply to an earlier call was lost, the same value is sent once
 * more before another: then it is known what the cell held.
 */
export function cellToSend<Value extends CellValue>(
  stored: Value,
  unsent: Unsent<Value>,
  readText: (text: string) => ReadCell<Value>,
): { value: Value; was: Value } | undefined {
  const view = viewValue(stored, unsent, readText);
  if (view.kind !== 'waiting' && unsent.sent === undefined) return undefined;
  if (view.kind === 'conflict') return undefined;
  if (unsent.sent !== undefined) return { value: unsent.sent, was: unsent.was };
  return view.kind === 'waiting' ? { value: view.cell, was: unsent.was } : undefined;
}

/** The cells with some changed; undefined removes one. Rows that are not named keep their identity. */
export function withCells<Value = Cell>(
  cells: UnsentCells<Value>,
  changes: Iterable<readonly [CellAddress, Unsent<Value> | undefined]>,
): UnsentCells<Value> {
  const next = new Map(cells);
  const copied = new Map<string, Map<number, Unsent<Value>>>();
  for (const [{ studentId, componentId }, unsent] of changes) {
    const row = copied.get(studentId) ?? new Map(next.get(studentId));
    copied.set(studentId, row);
    if (unsent === undefined) row.delete(componentId);
    else row.set(componentId, unsent);
    if (row.size === 0) next.delete(studentId);
    else next.set(studentId, row);
  }
  return next;
}

export function* eachUnsent<Value = Cell>(
  cells: UnsentCells<Value>,
): Generator<readonly [CellAddress, Unsent<Value>]> {
  for (const [studentId, row] of cells) {
    for (const [componentId, unsent] of row) yield [{ studentId, componentId }, unsent];
  }
}

export const addressKey = ({ studentId, componentId }: CellAddress): string => `${componentId} ${studentId}`;

export const findUnsent = <Value = Cell>(
  cells: UnsentCells<Value>,
  { studentId, componentId }: CellAddress,
): Unsent<Value> | undefined => cells.get(studentId)?.get(componentId);

export const isSameUnsent = <Value>(
  one: Unsent<Value> | undefined,
  other: Unsent<Value> | undefined,
): boolean =>
  one === other || (one?.text === other?.text && one?.was === other?.was && one?.sent === other?.sent);

export const isSameCells = <Value>(some: UnsentCells<Value>, others: UnsentCells<Value>): boolean =>
  some.size === others.size &&
  [...some].every(([studentId, row]) => {
    const other = others.get(studentId);
    return other?.size === row.size && [...row].every(([id, unsent]) => isSameUnsent(other.get(id), unsent));
  });

/** The cells of `cells` that are not in `others`. */
export const withoutCells = <Value>(
  cells: UnsentCells<Value>,
  others: UnsentCells<Value>,
): UnsentCells<Value> =>
  withCells(
    new Map<string, ReadonlyMap<number, Unsent<Value>>>(),
    [...eachUnsent(cells)].filter(([address]) => findUnsent(others, address) === undefined),
  );

/** `lost`: of a student or a component that the sheet does not have any more. */
export interface UnsentMark extends CellAddress {
  kind: 'waiting' | 'wrong' | 'conflict' | 'lost';
  text: string;
  /** Why it is no mark. */
  fault?: string;
}

/** The unsent cells that a sheet does not have as they are, in the order of its rows and components; the lost ones at the end. */
export function listUnsent(
  { rows, categories }: Pick<Sheet, 'rows' | 'categories'>,
  unsent: UnsentCells,
): UnsentMark[] {
  if (unsent.size === 0) return [];
  const components = categories.flatMap((category) => category.components);
  const named = rows.filter(({ student_id }) => unsent.has(student_id));
  const marks = named.flatMap((row) =>
    components.flatMap((component): UnsentMark[] => {
      const { component_id } = component;
      const view = viewCell(
        storedCell(row, component_id),
        unsent.get(row.student_id)?.get(component_id),
        component,
      );
      if (view.kind === 'stored') return [];
      const fault = view.kind === 'wrong' ? { fault: view.fault } : {};
      return [
        { kind: view.kind, text: view.text, ...fault, studentId: row.student_id, componentId: component_id },
      ];
    }),
  );
  const students = new Set(named.map(({ student_id }) => student_id));
  const known = new Set(components.map(({ component_id }) => component_id));
  const lost = [...eachUnsent(unsent)].flatMap(([address, { text }]): UnsentMark[] =>
    students.has(address.studentId) && known.has(address.componentId)
      ? []
      : [{ ...address, kind: 'lost', text }],
  );
  return [...marks, ...lost];
}
