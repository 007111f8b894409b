import { CellScanner } from './csv-cells.ts';

/** Marks of a course, decimals allowed. */
export const COURSE_MARK = { min: 0, max: 100 } as const;

/** So many faults are named; further ones are only counted. */
const FAULTS_NAMED = 10;
const VALUE_LENGTH = 40;
/** A longer line of words is no heading. */
const HEADING_CELLS = 1000;

const PLAIN_NUMBER = /^\d+(?:\.\d+)?$/;
const NUMBER_WITH_COMMA = /^\d+,\d+$/;
/** A letter before any figure. What other programs write instead of a number is no word. */
const WORD = /^[^\p{L}\p{N}]*\p{L}/u;
const NOT_A_NUMBER = /^[+-]?(?:nan|inf|infinity)$/i;

/** A cell that is no mark. */
export interface MarkFault {
  /** Line and cell, both from 1. */
  line: number;
  cell: number;
  /** What stands there, cut off when it is long. */
  value: string;
}

export interface ParsedMarks {
  marks: number[];
  /** The first ten cells that are no mark. */
  faults: MarkFault[];
  faultCount: number;
  /** The line of words that was skipped, and the column it names `marks`, both from 1. */
  heading: { line: number; column: number | null } | null;
}

interface HeadingCell {
  line: number;
  cell: number;
  value: string;
}

/**
 * Reads marks from delimited text: comma, semicolon, tab and new line separate; fields may be quoted; blank cells are
 * left out; where semicolons or tabs separate, a comma in a cell is a decimal comma. A first line of words is a
 * heading; with several columns the one headed `marks` is taken alone.
 */
export function parseMarks(text: string): ParsedMarks {
  const reader = new MarksReader(text);
  reader.read(text.length);
  return reader.result;
}

/** {@link parseMarks} in portions, for whoever must not be busy for long. */
export class MarksReader {
  readonly result: ParsedMarks = { marks: [], faults: [], faultCount: 0, heading: null };
  readonly #cells: CellScanner;
  readonly #hasNul: boolean;
  /** The words of the first line that is not blank, until it is known whether they are a heading. */
  #words: HeadingCell[] | undefined = [];
  #wordsAreComplete = false;
  /** Cells of the heading's line. */
  #width = 0;

  constructor(text: string) {
    this.#cells = new CellScanner(text);
    this.#hasNul = text.includes('\0');
  }

  /** Reads at least so many characters, or what is left; answers whether there is more. */
  read(characters: number): boolean {
    const cells = this.#cells;
    const until = cells.position + characters;
    do {
      if (!cells.next()) {
        this.#giveUpHeading();
        return false;
      }
      const value = cells.value.trim();
      if (this.#words === undefined) this.#take(cells.line, cells.cell, value, cells.isBroken);
      else this.#takeAtStart(this.#words, value);
    } while (cells.position <= until);
    return true;
  }

  #takeAtStart(words: HeadingCell[], value: string): void {
    const { line, cell, isBroken, endsLine } = this.#cells;
    if (value !== '' && this.#wordsAreComplete) {
      this.#acceptHeading(words);
      this.#take(line, cell, value, isBroken);
      return;
    }
    if (value !== '') {
      if (isBroken || !isWord(value) || words.length === HEADING_CELLS) {
        this.#giveUpHeading();
        this.#take(line, cell, value, isBroken);
        return;
      }
      words.push({ line, cell, value });
    }
    if (endsLine && words.length > 0 && !this.#wordsAreComplete) {
      this.#wordsAreComplete = true;
      this.#width = cell;
    }
  }

  #acceptHeading(words: readonly HeadingCell[]): void {
    const [first] = words;
    const named = words.filter(({ value }) => value.toLowerCase() === 'marks');
    const column = words.length > 1 && named.length === 1 ? (named[0]?.cell ?? null) : null;
    if (first !== undefined) this.result.heading = { line: first.line, column };
    this.#words = undefined;
  }

  /** Words with nothing below them, or a number among them, are cells like any other. */
  #giveUpHeading(): void {
    const words = this.#words ?? [];
    this.#words = undefined;
    for (const { line, cell, value } of words) this.#take(line, cell, value, false);
  }

  #take(line: number, cell: number, value: string, isBroken: boolean): void {
    const column = this.result.heading?.column ?? null;
    if (isBroken || (this.#hasNul && value.includes('\0'))) this.#refuse(line, cell, value);
    else if (value === '') return;
    else if (column === null || cell === column) {
      const mark = this.#cells.keepsCommas ? numberWithComma(value) : plainNumber(value);
      if (mark >= COURSE_MARK.min && mark <= COURSE_MARK.max) this.result.marks.push(mark);
      else this.#refuse(line, cell, value);
    }
    // A row that is longer than the heading has come apart: a decimal comma, or an unquoted one in a name.
    else if (cell > this.#width) this.#refuse(line, cell, value);
  }

  #refuse(line: number, cell: number, value: string): void {
    this.result.faultCount += 1;
    if (this.result.faults.length === FAULTS_NAMED) return;
    const cut = value.length > VALUE_LENGTH ? `${value.slice(0, VALUE_LENGTH)}…` : value;
    this.result.faults.push({ line, cell, value: cut.replaceAll('\0', '\u2400').toWellFormed() });
  }
}

/** Not a number for every other notation: 1e3, 0x10, +5, .5. */
function plainNumber(value: string): number {
  return PLAIN_NUMBER.test(value) ? Number(value) : Number.NaN;
}

function numberWithComma(value: string): number {
  return plainNumber(NUMBER_WITH_COMMA.test(value) ? value.replace(',', '.') : value);
}

function isWord(value: string): boolean {
  return WORD.test(value) && !value.includes('\0') && !NOT_A_NUMBER.test(value);
}
