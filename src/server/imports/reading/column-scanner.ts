import type { ImportColumn, ImportKind } from '../../../contract/imports.ts';
import type { ImportRowCells } from './import-file.ts';

/** Finds out what the columns of a file have, from its headings and all its rows. */
export class ColumnScanner {
  /** @param remembered fields of earlier imports of this person, by normalized heading; null for a column not to be read */
  constructor(
    readonly kind: ImportKind,
    readonly headings: readonly string[],
    readonly remembered: ReadonlyMap<string, string | null> = new Map(),
  ) {}

  add(_rows: readonly ImportRowCells[]): void {
    throw new Error('not yet');
  }

  /** `date_order` and `ambiguous` are answered for every column with dates, whichever field it is read as. */
  columns(): ImportColumn[] {
    throw new Error('not yet');
  }
}
