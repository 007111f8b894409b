import { isAbsenceWord, isDash } from '../../../../domain/columns/cells.ts';
import { leftOutText } from '../../../../domain/columns/left-out-rows.ts';
import {
  foldId,
  type LeftOutColumn,
  type PastedTable,
  surveyPasted,
} from '../../../../domain/columns/pasted-table.ts';
import { type Cell, type Component, MAX_FULL_MARKS } from '../../../../domain/marksheets/totals.ts';
import { isSameName } from '../../../../domain/names/person-names.ts';
import { type ReadCell, readCell } from './cell-text.ts';
import type { TypedCell } from './mark-editor.ts';

type NamedComponent = Component & { name: string };

/** Copied cells as text for a spreadsheet. */
export const writeTable = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.join('\t')).join('\n');

/** A student of the grid with the cells that are shown. */
export interface PasteRow {
  studentId: string;
  name: string;
  /** The marks by component. */
  texts: ReadonlyMap<number, string>;
}

export interface PasteTarget {
  /** The rows on the screen. Marks without an ID are pasted into them by position. */
  rows: readonly PasteRow[];
  /** All students of the sheet, whom IDs name. */
  students: readonly PasteRow[];
  components: readonly NamedComponent[];
  /** Where the first mark goes. */
  row: number;
  column: number;
  /** The value of a text that is not a dash; that of a mark unless this is given. */
  read?: (text: string, component: NamedComponent) => ReadCell<Cell | string>;
}

/** One mark of a paste, or one that is left out because of `fault`. */
export interface PastedMark {
  /** The pasted ID, or that of the student at this position. */
  id: string;
  row: PasteRow | undefined;
  component: NamedComponent | undefined;
  before: string;
  pasted: string;
  after: string;
  fault: string | undefined;
  /** It has no place in the grid. */
  isOutside: boolean;
  /** The pasted name, if it is not the student's. */
  otherName: string | undefined;
  isChange: boolean;
}

/** The pasted text as a table with recognised columns. */
export interface Pasted {
  table: readonly (readonly string[])[];
  found: PastedTable;
}

export const toPasted = (
  table: readonly (readonly string[])[],
  { students, components }: PasteTarget,
): Pasted => ({
  table,
  found: surveyPasted(table, {
    studentIds: new Set(students.map(({ studentId }) => foldId(studentId))),
    components: components.map(({ name }) => name),
    highest: Math.max(...components.map(({ max, bonus }) => (bonus === true ? MAX_FULL_MARKS : max))),
  }),
});

/** How a paste is read. */
export interface PasteChoices {
  /** Each mark goes to the student whose ID is in its row, or to the cell at its place. */
  by: 'id' | 'place';
  /** Where marks go whose headings name no component: this one and those to its right. */
  column: number;
  /** Dashes are students who were absent; otherwise they are left out. */
  takesDashes: boolean;
}

/** The choices before the user makes any. */
export function initialChoices({ found }: Pasted, { column }: PasteTarget): PasteChoices {
  const { idColumn, markColumns } = found;
  const [only, ...others] = markColumns;
  return {
    by: idColumn === undefined ? 'place' : 'id',
    column: others.length === 0 ? (only?.component ?? column) : column,
    takesDashes: false,
  };
}

/** Whether the headings say where the marks go. */
export const isNamed = ({ found: { markColumns } }: Pasted): boolean =>
  markColumns.length > 1 && markColumns.some(({ component }) => component !== undefined);

export function planPaste(
  { found }: Pasted,
  target: PasteTarget,
  { by, column, takesDashes }: PasteChoices,
): PastedMark[] {
  const { rows, idColumn, nameColumns, markColumns } = found;
  const byId = new Map(target.students.map((row) => [foldId(row.studentId), row]));
  const seen = new Set<string>();
  const columns = markColumns.map((one, at) => ({
    column: one.column,
    component: target.components[markColumns.length === 1 ? column : (one.component ?? column + at)],
  }));
  return rows.flatMap(({ cells }, at) => {
    const pastedId = idColumn === undefined ? '' : (cells[idColumn] ?? '');
    const id = foldId(pastedId);
    const isTwice = by === 'id' && seen.has(id);
    seen.add(id);
    const row = by === 'id' ? byId.get(id) : target.rows[target.row + at];
    const name = nameColumns
      .map((one) => cells[one] ?? '')
      .join(' ')
      .trim();
    const otherName = row !== undefined && name !== '' && !isSameName(name, row.name) ? name : undefined;
    const fault =
      row === undefined
        ? by === 'id'
          ? 'Not on this mark sheet'
          : 'Below the last student'
        : isTwice
          ? 'This ID occurs twice'
          : undefined;
    return columns.map(({ column: own, component }): PastedMark => {
      const text = cells[own] ?? '';
      const read = readPasted(text, component, { takesDashes, ...target });
      const after = 'cell' in read ? String(read.cell ?? '') : text;
      const before = (component && row?.texts.get(component.component_id)) ?? '';
      const found = fault ?? ('fault' in read ? read.fault : undefined);
      return {
        id: by === 'id' ? pastedId : (row?.studentId ?? ''),
        row,
        component,
        before,
        pasted: text,
        after,
        otherName,
        fault: found,
        isOutside: component === undefined || (row === undefined && by === 'place'),
        isChange: found === undefined && before !== after,
      };
    });
  });
}

function readPasted(
  text: string,
  component: NamedComponent | undefined,
  { takesDashes, read = readCell }: Pick<PasteTarget, 'read'> & Pick<PasteChoices, 'takesDashes'>,
) {
  if (component === undefined) return { fault: 'Right of the last component' };
  if (!isDash(text)) return read(text, component);
  return takesDashes ? { cell: 'A' as const } : { fault: `“${text}” is no mark` };
}

/** Whether nothing has to be shown before the marks are taken: all of them only fill empty cells, and all cells are used. */
export const isPlain = ({ found }: Pasted, target: PasteTarget, plan: readonly PastedMark[]): boolean =>
  found.idColumn === undefined &&
  found.leftOutColumns.length === 0 &&
  found.leftOutRows.length === 0 &&
  plan.length > 0 &&
  (found.headings === undefined ||
    found.markColumns.every(({ component }, at) => component === target.column + at)) &&
  plan.every(
    ({ fault, before, pasted, isChange }) =>
      fault === undefined && (before === '' || !isChange) && (pasted.length < 2 || !isAbsenceWord(pasted)),
  );

/** Whether the block has another shape than the place where it was pasted, so that all of it may be misplaced. */
export function isMisfit(plan: readonly PastedMark[], { by }: PasteChoices): boolean {
  if (plan.length === 0 || plan.some(({ isOutside }) => isOutside)) return true;
  if (by === 'id') return false;
  const bad = plan.filter(({ fault, otherName }) => fault !== undefined || otherName !== undefined).length;
  return plan.some(({ otherName }) => otherName !== undefined) || 2 * bad > plan.length;
}

/** Marks with a fault come first, then those with a warning, then the others in the order of the paste. */
export const byUrgency = (plan: readonly PastedMark[]): PastedMark[] => {
  const rank = ({ fault, otherName, isChange, before }: PastedMark) =>
    fault !== undefined ? 0 : otherName !== undefined ? 1 : isChange && before !== '' ? 2 : 3;
  return [0, 1, 2, 3].flatMap((one) => plan.filter((mark) => rank(mark) === one));
};

export const toCells = (plan: readonly PastedMark[]): TypedCell[] =>
  plan.flatMap(({ row, component, after, fault }) =>
    row === undefined || component === undefined || fault !== undefined
      ? []
      : [{ studentId: row.studentId, componentId: component.component_id, text: after }],
  );

const COLUMN_NAMES: Readonly<Record<LeftOutColumn, string>> = {
  serial: 'serial numbers',
  name: 'names',
  full: 'full marks',
  percentage: 'percentages',
  total: 'totals',
  other: 'no marks',
  unnamed: 'no component of this sheet',
};

/** The columns and rows that are not read, such as "column 1 (serial numbers)". */
export function leftOutTexts({ found }: Pasted): string[] {
  const columns = found.leftOutColumns.map(({ column, heading, why }) =>
    heading === ''
      ? `column ${column + 1} (${COLUMN_NAMES[why]})`
      : `“${heading.replaceAll(/\s+/g, ' ')}”${why === 'unnamed' ? ` (${COLUMN_NAMES[why]})` : ''}`,
  );
  return [...columns, ...found.leftOutRows.map(({ cells, why }) => leftOutText(cells, why))];
}

/** The kind of dash in the pasted marks; undefined without any. */
export const findDash = ({ found: { rows, markColumns } }: Pasted): string | undefined => {
  for (const { cells } of rows) {
    for (const { column } of markColumns) {
      const cell = cells[column] ?? '';
      if (cell !== '' && isDash(cell)) return cell;
    }
  }
  return undefined;
};
