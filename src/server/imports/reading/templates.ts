import type { ImportKind } from '../../../contract/imports.ts';

/** A CSV file with the headings and two example rows, which can be imported as it is. */
export function importTemplate(_kind: ImportKind): string {
  throw new Error('not yet');
}
