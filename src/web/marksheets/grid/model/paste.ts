import type { Cell } from '../../../../domain/marksheets/totals.ts';
import { readCell } from './cell-text.ts';
import type { Column } from './shown-rows.ts';

type Component = Column['component'];

/** The cells of copied text: rows by line, columns by tab; commas or semicolons where there is no tab. */
export function readTable(text: string): string[][] {
  const lines = text.replace(/(\r\n|\r|\n)+$/, '').split(/\r\n|\r|\n/);
  const separator = text.includes('\t') ? '\t' : lines.every((line) => line.includes(';')) ? ';' : '\t';
  return lines.map((line) => line.split(separator).map((cell) => unquote(cell.trim())));
}

/** Spreadsheets put quotes around cells with special characters. */
const unquote = (cell: string) => (/^".*"$/s.test(cell) ? cell.slice(1, -1).replaceAll('""', '"') : cell);

/** Copied cells as text for a spreadsheet. */
export const writeTable = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.join('\t')).join('\n');

/** A student of the grid with the cells that are shown. */
export interface PasteRow {
  studentId: string;
  name: string;
  /** By component. */
  texts: ReadonlyMap<number, string>;
}

/** One mark of a paste, or one that is left out because of `fault`. */
export interface PastedMark {
  /** As it was pasted. */
  id: string;
  row: PasteRow | undefined;
  component: Component | undefined;
  before: string;
  after: string;
  fault: string | undefined;
  isChange: boolean;
}

export interface PasteTarget {
  rows: readonly PasteRow[];
  components: readonly Component[];
  /** Where the first mark goes. */
  row: number;
  column: number;
}

const sameId = (id: string) => id.trim().toUpperCase();

/** Whether the first of several columns holds IDs: most are of students of the sheet, or no marks. */
export function hasIds(table: readonly (readonly string[])[], rows: readonly PasteRow[]): boolean {
  if (table.length === 0 || table.some((row) => row.length < 2)) return false;
  const known = new Set(rows.map(({ studentId }) => sameId(studentId)));
  const hits = table.filter(([id = '']) => known.has(sameId(id))).length;
  return 2 * hits >= table.length || (hits > 0 && 2 * (hits + 1) >= table.length);
}

/** Each mark goes to the student whose ID is in its row. A first row of headings is left out. */
export function planById(table: readonly (readonly string[])[], target: PasteTarget): PastedMark[] {
  const byId = new Map(target.rows.map((row) => [sameId(row.studentId), row]));
  const seen = new Set<string>();
  return table.flatMap(([id = '', ...marks], line) => {
    const row = byId.get(sameId(id));
    if (row === undefined && line === 0 && marks.every((text) => isHeading(text))) return [];
    const isTwice = seen.has(sameId(id));
    seen.add(sameId(id));
    return marks.map((text, i) => {
      const fault =
        row === undefined ? 'Not on this mark sheet' : isTwice ? 'This ID occurs twice' : undefined;
      return plan(id, row, target.components[target.column + i], text, fault);
    });
  });
}

/** Each mark goes to the cell at its place, from the chosen one on. */
export function planByPlace(table: readonly (readonly string[])[], target: PasteTarget): PastedMark[] {
  return table.flatMap((marks, line) => {
    const row = target.rows[target.row + line];
    return marks.map((text, i) =>
      plan(
        row?.studentId ?? '',
        row,
        target.components[target.column + i],
        text,
        row === undefined ? 'Below the last student' : undefined,
      ),
    );
  });
}

function plan(
  id: string,
  row: PasteRow | undefined,
  component: Component | undefined,
  text: string,
  fault: string | undefined,
): PastedMark {
  const before = (component && row?.texts.get(component.component_id)) ?? '';
  const read = component === undefined ? { fault: 'Right of the last component' } : readCell(text, component);
  const found = fault ?? ('fault' in read ? read.fault : undefined);
  const after = 'cell' in read ? String((read.cell satisfies Cell) ?? '') : text;
  return {
    id,
    row,
    component,
    before,
    after,
    fault: found,
    isChange: found === undefined && before !== after,
  };
}

const isHeading = (text: string) =>
  text !== '' && !/\d/.test(text.replace(/[^\d.,]/g, '')) && !/^[AE]$/i.test(text);
