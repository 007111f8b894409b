import { isAbsence, isNumberLike, isWord } from './cells.ts';
import type { CellScanner } from './csv-cells.ts';
import { isKnownHeading } from './heading-role.ts';

/** Rows below the headings that are looked at to find out what the columns have. */
const SURVEYED_ROWS = 50;
/** Rows above the first number among which the headings are looked for. */
const MAX_HEADING_ROWS = 10;
/** A row with more cells is no heading, and no row of a table. */
const MAX_CELLS = 1000;
/** Fewer rows of consecutive numbers may be marks. */
const MIN_SERIAL_ROWS = 3;

export interface SurveyedRow {
  /** The number of the row from 0, counting blank rows. */
  row: number;
  /** The line that it begins in, from 1. */
  line: number;
  /** Trimmed. */
  cells: readonly string[];
}

/** The beginning of a text as a table. */
export interface MarksSurvey {
  /** The row with the headings; undefined if there is none. */
  heading: SurveyedRow | undefined;
  /** Rows below it. */
  rows: readonly SurveyedRow[];
}

/** Looks for the headings of a text, and for what is below them. */
export function surveyMarks(scanner: CellScanner): MarksSurvey {
  const above: SurveyedRow[] = [];
  const rows: SurveyedRow[] = [];
  for (const row of tableRows(scanner)) {
    if (rows.length === 0 && above.length < MAX_HEADING_ROWS && isHeading(row, above.length === 0)) {
      above.push(row);
    } else if (rows.push(row) === SURVEYED_ROWS) break;
  }
  const heading = widest(above);
  // Words without anything below them are no heading.
  if (heading === undefined || (rows.length === 0 && heading === above.at(-1))) {
    return { heading: undefined, rows: [...above, ...rows] };
  }
  return { heading, rows: [...above.slice(above.indexOf(heading) + 1), ...rows] };
}

/** Rows that are not blank, up to one with too many cells or a broken one. */
function* tableRows(scanner: CellScanner): Generator<SurveyedRow> {
  let cells: string[] = [];
  let line = 1;
  for (let row = 0; scanner.next(); ) {
    if (scanner.isBroken || cells.length === MAX_CELLS) return;
    if (cells.length === 0) line = scanner.line;
    cells.push(scanner.value.trim());
    if (!scanner.endsLine) continue;
    if (cells.some((cell) => cell !== '')) yield { row, line, cells };
    row += 1;
    cells = [];
  }
}

/**
 * A row of words, or one in which a word is a known heading and no cell is a number: `Roll`, `1st Mid`. "Absent" alone, or below a
 * heading, is what a row of marks says.
 */
function isHeading({ cells }: SurveyedRow, isFirst: boolean): boolean {
  const filled = cells.filter((cell) => cell !== '');
  const isKnown = () =>
    filled.some((cell) => isWord(cell) && isKnownHeading(cell)) && !filled.some(isBareNumber);
  if (!filled.every(isWord) && !isKnown()) return false;
  return isFirst ? !filled.every(isAbsence) : !filled.some(isAbsence);
}

/** Whether a cell begins as a number and has no word: `67`, `67%`, `67/100`. */
const isBareNumber = (cell: string) => isNumberLike(cell) && !/\p{L}/u.test(cell);

const countFilled = ({ cells }: SurveyedRow) => cells.filter((cell) => cell !== '').length;

/** A title may stand above the headings, which have more cells. */
const widest = (rows: readonly SurveyedRow[]): SurveyedRow | undefined =>
  rows.reduce<SurveyedRow | undefined>(
    (best, row) => (best === undefined || countFilled(row) > countFilled(best) ? row : best),
    undefined,
  );

/** Whether each row has the same cells, all numbers, of which the first ones count 1, 2, 3 … */
export function beginsWithSerials(rows: readonly SurveyedRow[]): boolean {
  const width = rows[0]?.cells.filter(Boolean).length ?? 0;
  return (
    rows.length >= MIN_SERIAL_ROWS &&
    width > 1 &&
    rows.every(
      ({ cells }, at) =>
        cells[0] === String(at + 1) && cells.filter(Boolean).length === width && cells.every(isNumberOrBlank),
    )
  );
}

const isNumberOrBlank = (cell: string) => cell === '' || isNumberLike(cell) || isAbsence(cell);
