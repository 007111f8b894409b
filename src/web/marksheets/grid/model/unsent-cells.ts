import type { Sheet, SheetRowReply } from '../../../../contract/marksheets/sheets.ts';
import type { Cell, ComponentSetup } from '../../../../domain/marksheets/totals.ts';
import { cellText, readCell } from './cell-text.ts';

/** A cell that was typed here and is not known to be stored. */
export interface Unsent {
  text: string;
  /** The value of the cell when typing began; null for an empty one. */
  was: Cell;
  /** The value that was sent, while the reply is awaited or was lost; undefined otherwise. */
  sent?: Cell | undefined;
}

/** Unsent cells by student and component. */
export type UnsentCells = ReadonlyMap<string, ReadonlyMap<number, Unsent>>;

export interface CellAddress {
  studentId: string;
  componentId: number;
}

/** `conflict`: somebody else has stored `stored` since typing began. */
export type CellView =
  | { kind: 'stored' | 'waiting'; text: string; cell: Cell }
  | { kind: 'wrong'; text: string; fault: string }
  | { kind: 'conflict'; text: string; cell: Cell; stored: Cell };

export const storedCell = ({ cells }: Pick<SheetRowReply, 'cells'>, componentId: number): Cell =>
  cells[componentId] ?? null;

/** A cell as it is shown: what was typed here, before what is stored. */
export function viewCell(stored: Cell, unsent: Unsent | undefined, component: ComponentSetup): CellView {
  if (unsent === undefined) return { kind: 'stored', text: cellText(stored), cell: stored };
  const { text, was, sent } = unsent;
  const read = readCell(text, component);
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
export function cellToSend(
  stored: Cell,
  unsent: Unsent,
  component: ComponentSetup,
): { value: Cell; was: Cell } | undefined {
  const view = viewCell(stored, unsent, component);
  if (view.kind !== 'waiting' && unsent.sent === undefined) return undefined;
  if (view.kind === 'conflict') return undefined;
  if (unsent.sent !== undefined) return { value: unsent.sent, was: unsent.was };
  return view.kind === 'waiting' ? { value: view.cell, was: unsent.was } : undefined;
}

/** The cells with some changed; undefined removes one. Rows that are not named keep their identity. */
export function withCells(
  cells: UnsentCells,
  changes: Iterable<readonly [CellAddress, Unsent | undefined]>,
): UnsentCells {
  const next = new Map(cells);
  const copied = new Map<string, Map<number, Unsent>>();
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

export function* eachUnsent(cells: UnsentCells): Generator<readonly [CellAddress, Unsent]> {
  for (const [studentId, row] of cells) {
    for (const [componentId, unsent] of row) yield [{ studentId, componentId }, unsent];
  }
}

export const addressKey = ({ studentId, componentId }: CellAddress): string => `${componentId} ${studentId}`;

export const findUnsent = (cells: UnsentCells, { studentId, componentId }: CellAddress): Unsent | undefined =>
  cells.get(studentId)?.get(componentId);

export const isSameUnsent = (one: Unsent | undefined, other: Unsent | undefined): boolean =>
  one === other || (one?.text === other?.text && one?.was === other?.was && one?.sent === other?.sent);

export const isSameCells = (some: UnsentCells, others: UnsentCells): boolean =>
  some.size === others.size &&
  [...some].every(([studentId, row]) => {
    const other = others.get(studentId);
    return other?.size === row.size && [...row].every(([id, unsent]) => isSameUnsent(other.get(id), unsent));
  });

/** The cells of `cells` that are not in `others`. */
export const withoutCells = (cells: UnsentCells, others: UnsentCells): UnsentCells =>
  withCells(
    new Map(),
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
