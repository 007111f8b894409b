import type { ImportKind } from '../../../contract/imports.ts';
import {
  chooseMarksColumn,
  type MarksColumn,
  type TableColumn,
} from '../../../domain/columns/choose-marks-column.ts';
import { isKnownHeading } from '../../../domain/columns/heading-role.ts';
import { FIELDS, normalizeHeading } from './fields.ts';
import { UnreadableImport } from './import-file.ts';

/** Rows among which the headings are looked for: a title may stand above them. */
export const HEADING_ROWS = 10;

const known = new Map(
  Object.entries(FIELDS).map(([kind, rules]) => [kind, new Set(rules.flatMap(({ headings }) => headings))]),
);

/** How many different headings of a row are known. */
function countKnown(kind: ImportKind, cells: readonly string[]): number {
  // A row with a number may have marks: words in it, such as a name or "Total", are not those of headings.
  const tellsOfMarks = kind === 'marks' && !cells.some((cell) => PLAIN_NUMBER.test(cell));
  const isKnown = (cell: string) =>
    known.get(kind)?.has(normalizeHeading(cell)) === true || (tellsOfMarks && isKnownHeading(cell));
  return new Set(cells.filter(isKnown).map(normalizeHeading)).size;
}

const PLAIN_NUMBER = /^\s*\d+(?:[.,]\d+)?\s*$/;

/**
 * The position of the row with the headings: the one of the first rows in which most headings are known, and of several the
 * one with most cells. Without known headings, the first row.
 */
export function findHeadingRow(kind: ImportKind, rows: readonly { cells: readonly string[] }[]): number {
  let best = { at: 0, known: 0, filled: 0 };
  for (const [at, { cells }] of rows.slice(0, HEADING_ROWS).entries()) {
    const row = {
      at,
      known: countKnown(kind, cells),
      filled: cells.filter((cell) => cell.trim() !== '').length,
    };
    if (row.known > best.known || (row.known === best.known && row.known > 0 && row.filled > best.filled)) {
      best = row;
    }
  }
  return best.at;
}

/**
 * A row in which no heading is known may still have headings, unless one of its cells begins with a number, as IDs and dates do.
 *
 * @throws UnreadableImport if the row has values
 */
export function requireHeadings(kind: ImportKind, cells: readonly string[]): void {
  if (countKnown(kind, cells) > 0) return;
  if (!cells.some((cell) => /^\s*[+-]?\p{N}/u.test(cell))) return;
  const [first, second] = FIELDS[kind].filter(({ required }) => required);
  const such = [first, second].flatMap((rule) => (rule === undefined ? [] : `“${rule.label}”`)).join(' and ');
  throw new UnreadableImport(
    `The file has no headings. Its first row must say what each column has, such as ${such}. Add that row, and choose the file again.`,
  );
}

/**
 * The field that each column is read as, or null. A field that several headings stand for takes the one that comes first in
 * its list; where that heading is there twice, neither column is taken. A full name beside first and last names is not read.
 *
 * @param remembered fields by normalized heading, which go before the known headings
 */
export function recogniseFields(
  kind: ImportKind,
  headings: readonly string[],
  remembered: ReadonlyMap<string, string | null>,
): (string | null)[] {
  const normalized = headings.map(normalizeHeading);
  const fields: (string | null)[] = normalized.map(() => null);
  const isFree = (heading: string) => heading !== '' && !remembered.has(heading);
  for (const rule of FIELDS[kind]) {
    // By its cells too: see recogniseMarks.
    if (kind === 'marks' && rule.field === 'marks') continue;
    const own = [...remembered].flatMap(([heading, field]) => (field === rule.field ? heading : []));
    const wanted = [...own, ...rule.headings.filter(isFree)].find((heading) => normalized.includes(heading));
    if (wanted === undefined) continue;
    const at = normalized.indexOf(wanted);
    if (at === normalized.lastIndexOf(wanted)) fields[at] = rule.field;
  }
  const isNeeded = (field: string | null) => {
    const { gives } = FIELDS[kind].find((rule) => rule.field === field) ?? {};
    return gives === undefined || gives.length === 0 || !gives.every((given) => fields.includes(given));
  };
  return fields.map((field) => (isNeeded(field) ? field : null));
}

/**
 * The column of marks. What was chosen for its heading in an earlier import decides between several that may have them; a column
 * that never has marks, such as one of full marks, is not taken because of it.
 */
export function recogniseMarks(
  columns: readonly TableColumn[],
  remembered: ReadonlyMap<string, string | null>,
): MarksColumn {
  const found = chooseMarksColumn(columns);
  if (found.kind === 'one') return found;
  const fieldOf = (index: number) => remembered.get(normalizeHeading(columns[index]?.heading ?? ''));
  const [index, ...others] = found.indexes.filter((at) => fieldOf(at) === 'marks');
  return index === undefined || others.length > 0 ? found : { kind: 'one', index };
}
