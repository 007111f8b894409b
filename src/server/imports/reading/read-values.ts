import type { DateOrder, NameSplit } from '../../../contract/imports.ts';
import type { FieldRule } from './fields.ts';
import type { ImportRowCells } from './import-file.ts';

/** How the cells of all rows are read. */
export interface ReadingChoices {
  /** The column of each field that is read. */
  mapping: Readonly<Record<string, number>>;
  /** By column; missing where the column has no such dates or contradictory ones, which are errors then. */
  dateOrders: Readonly<Record<number, DateOrder>>;
  /** One value for all rows, for fields without a column. */
  values: Readonly<Record<string, string>>;
  nameSplit: NameSplit | undefined;
  /** Of the workbook. */
  is1904: boolean;
}

/** The values of a row by field, for the schemas of the forms. */
export interface ReadRow {
  /** Without the fields whose cells are blank; null where the cell says `[clear]`. */
  values: Record<string, unknown>;
  /** Texts by field, of cells that can't be read. Such a field is not among the values. */
  errors: Record<string, string[]>;
}

/** Reads a row; `fixes` are corrected cells by field, which may also be fields without a column. */
export function readValues(
  _rules: readonly FieldRule[],
  _row: ImportRowCells,
  _choices: ReadingChoices,
  _fixes: Readonly<Record<string, string>> = {},
): ReadRow {
  throw new Error('not yet');
}
