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

/** What the one column of marks may be headed, beside what else it says: "Marks obtained", "Total (100)". */
const MARKS_WORDS = new Set(['mark', 'marks', 'score', 'total']);
/** What says who a line is about. */
const IDENTIFIER_WORDS = new Set([
  ...['roll', 'rollno', 'reg', 'regno', 'registration', 'id', 'cms', 'sr', 'srno', 'sno', 'serial'],
  ...['name', 'student'],
]);

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
  /** The line of words that was skipped, from 1. */
  heading: MarksHeading | null;
  /** The most marks that two lines have alike, so that they are columns rather than one long list; 1 for no such. */
  columns: number;
}

export interface MarksHeading {
  line: number;
  /** The one column that says that it holds marks; null where none does, or more than one. */
  only: HeadedColumn | null;
  /** Columns that are not read, since they say who a line is about; none where there is an `only`. */
  leftOut: readonly HeadedColumn[];
}

export interface HeadedColumn {
  /** From 1. */
  column: number;
  /** Cut off when it is long. */
  name: string;
}

interface HeadingCell {
  line: number;
  cell: number;
  value: string;
}

/**
 * Reads marks from delimited text: comma, semicolon, tab and new line separate; fields may be quoted; blank cells are
 * left out; where semicolons or tabs separate, a comma in a cell is a decimal comma. A first line of words is a
 * heading; with several columns the one headed `marks` is taken alone, or else the only one whose heading speaks of
 * marks; where neither is there, those that say who a line is about are left out.
 */
export function parseMarks(text: string): ParsedMarks {
  const reader = new MarksReader(text);
  reader.read(text.length);
  return reader.result;
}

/** {@link parseMarks} in portions, for whoever must not be busy for long. */
export class MarksReader {
  readonly result: ParsedMarks = {
    marks: [],
    faults: [],
    faultCount: 0,
    heading: null,
    columns: 1,
  };
  readonly #cells: CellScanner;
  readonly #hasNul: boolean;
  /** The words of the first line that is not blank, until it is known whether they are a heading. */
  #words: HeadingCell[] | undefined = [];
  #wordsAreComplete = false;
  /** Cells of the heading's line. */
  #width = 0;
  /** Columns that are not read. */
  #leftOut: ReadonlySet<number> = new Set();
  /** The line of the last mark, and its marks so far. */
  #row = { line: 0, marks: 0 };
  /** How many marks the lines before it have. */
  readonly #widths = new Set<number>();

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
        this.#endRow(0);
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
    const only = words.length > 1 ? columnOfMarks(words) : undefined;
    const leftOut = only === undefined ? identifiersIn(words) : [];
    if (first !== undefined) {
      this.result.heading = {
        line: first.line,
        only: only === undefined ? null : headed(only),
        leftOut: leftOut.map(headed),
      };
    }
    this.#leftOut = new Set(leftOut.map(({ cell }) => cell));
    this.#words = undefined;
  }

  /** Words with nothing below them, or a number among them, are cells like any other. */
  #giveUpHeading(): void {
    const words = this.#words ?? [];
    this.#words = undefined;
    for (const { line, cell, value } of words) this.#take(line, cell, value, false);
  }

  #take(line: number, cell: number, value: string, isBroken: boolean): void {
    const only = this.result.heading?.only ?? null;
    const isRead = only === null ? !this.#leftOut.has(cell) : cell === only.column;
    const isChosen = only !== null || this.#leftOut.size > 0;
    if (isBroken || (this.#hasNul && value.includes('\0'))) this.#refuse(line, cell, value);
    else if (value === '') return;
    // A row that is longer than the heading has come apart: a decimal comma, or an unquoted one in a name.
    else if (isChosen && cell > this.#width) this.#refuse(line, cell, value);
    else if (isRead) {
      const mark = this.#cells.keepsCommas ? numberWithComma(value) : plainNumber(value);
      if (mark >= COURSE_MARK.min && mark <= COURSE_MARK.max) this.#keep(line, mark);
      else this.#refuse(line, cell, value);
    }
  }

  #keep(line: number, mark: number): void {
    this.result.marks.push(mark);
    if (line !== this.#row.line) this.#endRow(line);
    this.#row.marks += 1;
  }

  #endRow(next: number): void {
    const { marks } = this.#row;
    if (this.#widths.has(marks) && marks > this.result.columns) this.result.columns = marks;
    this.#widths.add(marks);
    this.#row = { line: next, marks: 0 };
  }

  #refuse(line: number, cell: number, value: string): void {
    this.result.faultCount += 1;
    if (this.result.faults.length === FAULTS_NAMED) return;
    this.result.faults.push({ line, cell, value: cut(value).replaceAll('\0', '\u2400').toWellFormed() });
  }
}

const cut = (value: string) => (value.length > VALUE_LENGTH ? `${value.slice(0, VALUE_LENGTH)}…` : value);

const headed = ({ cell, value }: HeadingCell): HeadedColumn => ({
  column: cell,
  name: cut(value).toWellFormed(),
});

/** Words and numbers of a heading in lower case; "RollNo" has two. */
const wordsOf = (heading: string) =>
  (heading.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ').match(/\p{L}+|\p{N}+/gu) ?? []).map((word) =>
    word.toLowerCase(),
  );

const saysMarks = ({ value }: HeadingCell) => wordsOf(value).some((word) => MARKS_WORDS.has(word));

function columnOfMarks(words: readonly HeadingCell[]): HeadingCell | undefined {
  const named = words.filter(({ value }) => value.toLowerCase() === 'marks');
  const [only, ...others] = named.length === 1 ? named : words.filter(saysMarks);
  return others.length === 0 ? only : undefined;
}

/** None where nothing would be left to read. */
function identifiersIn(words: readonly HeadingCell[]): readonly HeadingCell[] {
  const identifiers = words.filter((word) => !saysMarks(word) && saysWho(word));
  return identifiers.length === words.length ? [] : identifiers;
}

/** "Roll No", but not "Quiz No. 2": with a number behind it a heading counts something else. */
function saysWho({ value }: HeadingCell): boolean {
  const words = wordsOf(value);
  const last = words.at(-1) ?? '';
  return last === 'no' || (!/^\p{N}/u.test(last) && words.some((word) => IDENTIFIER_WORDS.has(word)));
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
