import { CellScanner } from './csv-cells.ts';
import { formatCount } from './format-count.ts';

/** Range of a course mark; decimals are allowed. */
export const COURSE_MARK = { min: 0, max: 100 } as const;

/** Faults listed; further ones are only counted. */
const MAX_LISTED_FAULTS = 10;
const MAX_VALUE_LENGTH = 40;
/** A line with more words is no heading. */
const MAX_HEADING_CELLS = 1000;

const PLAIN_NUMBER = /^\d+(?:\.\d+)?$/;
const NUMBER_WITH_COMMA = /^\d+,\d+$/;
/** A word has a letter before any digit. What programs write in place of a number (`NaN`) is no word. */
const WORD = /^[^\p{L}\p{N}]*\p{L}/u;
const NOT_A_NUMBER = /^[+-]?(?:nan|inf|infinity)$/i;
/** What a sheet has in place of the mark of a student who did not sit the examination. */
const ABSENT = /^(?:absent|abs|ab|a)\.?$/i;

/** Words in the heading of a column of marks: "Marks obtained", "Total (100)". */
const MARKS_WORDS = new Set(['mark', 'marks', 'score', 'total']);
/** Words in the heading of a column that identifies the student. */
const IDENTIFIER_WORDS = new Set([
  ...['roll', 'rollno', 'reg', 'regno', 'registration', 'id', 'cms', 'sr', 'srno', 'sno', 'serial'],
  ...['name', 'student'],
]);

/** What to do with cells such as `Absent`: they are faults, or are left out like blank ones. */
export type AbsentRule = 'refuse' | 'leave_out';

/** A cell that is not a valid mark. */
export interface MarkFault {
  /** Line and cell, both from 1. */
  line: number;
  cell: number;
  /** The text of the cell, shortened if it is long. */
  value: string;
}

export interface ParsedMarks {
  marks: number[];
  /** The first ten invalid cells. */
  faults: MarkFault[];
  faultCount: number;
  /** The cells such as `Absent`, which are among the faults unless they are left out. */
  absent: AbsentCells;
  /** The heading that was skipped; null if there is none. */
  heading: MarksHeading | null;
  /** The largest number of marks that at least two lines have in common; 1 for a plain list. */
  columns: number;
}

export interface AbsentCells {
  /** Number of lines that have one. */
  rows: number;
  /** What they say, each text once. */
  texts: readonly string[];
  areLeftOut: boolean;
}

export interface MarksHeading {
  line: number;
  /** The only column whose heading says that it has marks; null if there is none or more than one. */
  only: HeadedColumn | null;
  /** Columns that are skipped because they identify the student; empty if there is an `only`. */
  leftOut: readonly HeadedColumn[];
}

export interface HeadedColumn {
  /** From 1. */
  column: number;
  /** Shortened if it is long. */
  name: string;
}

interface HeadingCell {
  line: number;
  cell: number;
  value: string;
}

/**
 * Reads marks from delimited text. Separators are comma, semicolon, tab and line end; cells may be quoted; blank cells are
 * skipped. If semicolons or tabs separate the cells, a comma in a cell is a decimal comma.
 *
 * A first line of words is a heading. With several columns only the column headed `marks` is read, or else the only column
 * whose heading mentions marks. If there is neither, columns that identify the student are skipped.
 */
export function parseMarks(text: string, absent: AbsentRule = 'refuse'): ParsedMarks {
  const reader = new MarksReader(text, absent);
  reader.read(text.length);
  return reader.result;
}

/** {@link parseMarks} in portions, for callers that must not block. */
export class MarksReader {
  readonly result: ParsedMarks = {
    marks: [],
    faults: [],
    faultCount: 0,
    absent: { rows: 0, texts: [], areLeftOut: false },
    heading: null,
    columns: 1,
  };
  readonly #cells: CellScanner;
  readonly #hasNul: boolean;
  /** The words of the first line that is not blank; undefined once it is decided whether they are a heading. */
  #words: HeadingCell[] | undefined = [];
  #wordsAreComplete = false;
  /** Number of cells in the heading. */
  #width = 0;
  /** Columns that are not read. */
  #leftOut: ReadonlySet<number> = new Set();
  /** The line of the last mark, and its marks so far. */
  #row = { line: 0, marks: 0 };
  /** The numbers of marks of the lines before it. */
  readonly #widths = new Set<number>();

  /** The line of the last cell that says that a student was absent. */
  #absentLine = 0;

  constructor(text: string, absent: AbsentRule = 'refuse') {
    this.#cells = new CellScanner(text);
    this.#hasNul = text.includes('\0');
    this.result.absent.areLeftOut = absent === 'leave_out';
  }

  /** Reads at least this many characters, or the rest. Returns whether there is more. */
  read(characters: number): boolean {
    const cells = this.#cells;
    const until = cells.position + characters;
    do {
      if (!cells.next()) {
        this.#rejectHeading();
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
      // "Absent" above marks is the first of them.
      if (words.every((word) => ABSENT.test(word.value))) this.#rejectHeading();
      else this.#acceptHeading(words);
      this.#take(line, cell, value, isBroken);
      return;
    }
    if (value !== '') {
      if (isBroken || !isWord(value) || words.length === MAX_HEADING_CELLS) {
        this.#rejectHeading();
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

  /** A line of words is no heading if a number is in it or nothing follows it: its cells are read as marks. */
  #rejectHeading(): void {
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
    // A line longer than the heading was split at a decimal comma or at an unquoted comma in a name.
    else if (isChosen && cell > this.#width) this.#refuse(line, cell, value);
    else if (isRead) {
      const mark = this.#cells.keepsCommas ? numberWithComma(value) : plainNumber(value);
      if (mark >= COURSE_MARK.min && mark <= COURSE_MARK.max) this.#keep(line, mark);
      else {
        const isAbsent = ABSENT.test(value);
        if (isAbsent) this.#noteAbsent(line, value);
        if (!isAbsent || !this.result.absent.areLeftOut) this.#refuse(line, cell, value);
      }
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

  #noteAbsent(line: number, text: string): void {
    const { rows, texts } = this.result.absent;
    this.result.absent = {
      ...this.result.absent,
      rows: line === this.#absentLine ? rows : rows + 1,
      texts: texts.includes(text) ? texts : [...texts, text],
    };
    this.#absentLine = line;
  }

  #refuse(line: number, cell: number, value: string): void {
    this.result.faultCount += 1;
    if (this.result.faults.length === MAX_LISTED_FAULTS) return;
    this.result.faults.push({ line, cell, value: cut(value).replaceAll('\0', '\u2400').toWellFormed() });
  }
}

/** Where a cell is: line and cell of a text, or the reference of a sheet's cell, such as `B3`. */
export const markFaultPlace = ({ line, cell }: MarkFault, isSheet: boolean): string =>
  isSheet ? `cell ${columnLetters(cell)}${line}` : `line ${line}, cell ${cell}`;

/** A to Z, then AA to ZZ … */
function columnLetters(column: number): string {
  const rest = (column - 1) % 26;
  const letter = String.fromCharCode('A'.charCodeAt(0) + rest);
  return column > 26 ? columnLetters((column - 1 - rest) / 26) + letter : letter;
}

/** "3 rows say Absent". */
export function absentText({ rows, texts }: AbsentCells): string {
  const [last, ...others] = texts.toReversed();
  const said = others.length === 0 ? last : `${others.toReversed().join(', ')} or ${last}`;
  return rows === 1 ? `1 row says ${said}` : `${formatCount(rows)} rows say ${said}`;
}

const cut = (value: string) =>
  value.length > MAX_VALUE_LENGTH ? `${value.slice(0, MAX_VALUE_LENGTH)}…` : value;

const headed = ({ cell, value }: HeadingCell): HeadedColumn => ({
  column: cell,
  name: cut(value).toWellFormed(),
});

/** Words and numbers of a heading in lower case; "RollNo" has two. */
const toWords = (heading: string) =>
  (heading.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ').match(/\p{L}+|\p{N}+/gu) ?? []).map((word) =>
    word.toLowerCase(),
  );

const mentionsMarks = ({ value }: HeadingCell) => toWords(value).some((word) => MARKS_WORDS.has(word));

function columnOfMarks(words: readonly HeadingCell[]): HeadingCell | undefined {
  const named = words.filter(({ value }) => value.toLowerCase() === 'marks');
  const [only, ...others] = named.length === 1 ? named : words.filter(mentionsMarks);
  return others.length === 0 ? only : undefined;
}

/** Empty if no column would be left to read. */
function identifiersIn(words: readonly HeadingCell[]): readonly HeadingCell[] {
  const identifiers = words.filter((word) => !mentionsMarks(word) && identifiesStudent(word));
  return identifiers.length === words.length ? [] : identifiers;
}

/** "Roll No", but not "Quiz No. 2": a heading that ends with a number is a numbered test. */
function identifiesStudent({ value }: HeadingCell): boolean {
  const words = toWords(value);
  const last = words.at(-1) ?? '';
  return last === 'no' || (!/^\p{N}/u.test(last) && words.some((word) => IDENTIFIER_WORDS.has(word)));
}

/** NaN for every other notation: 1e3, 0x10, +5, .5. */
function plainNumber(value: string): number {
  return PLAIN_NUMBER.test(value) ? Number(value) : Number.NaN;
}

function numberWithComma(value: string): number {
  return plainNumber(NUMBER_WITH_COMMA.test(value) ? value.replace(',', '.') : value);
}

function isWord(value: string): boolean {
  return WORD.test(value) && !value.includes('\0') && !NOT_A_NUMBER.test(value);
}
