import { type DecimalMark, isAbsence, plainNumber } from './columns/cells.ts';
import { chooseMarksColumn, type TableColumn } from './columns/choose-marks-column.ts';
import { CellScanner } from './columns/csv-cells.ts';
import { findDecimalQuestion, withoutBlankCells } from './columns/decimal-question.ts';
import { headingRole } from './columns/heading-role.ts';
import { isNameless, leftOutRow, leftOutText } from './columns/left-out-rows.ts';
import { beginsWithSerials, type MarksSurvey, surveyMarks } from './columns/survey-marks.ts';
import { plural } from './format-count.ts';

/** Range of a course mark; decimals are allowed. */
export const COURSE_MARK = { min: 0, max: 100 } as const;

/** Faults listed; further ones are only counted. */
const MAX_LISTED_FAULTS = 10;
const MAX_VALUE_LENGTH = 40;
const MAX_SAMPLES = 3;

/** Rules for cells such as `Absent`: they are faults, or are left out like blank ones. */
export const ABSENT_RULES = ['refuse', 'leave_out'] as const;
export type AbsentRule = (typeof ABSENT_RULES)[number];

/** How marks are read, where the text alone does not tell. */
export interface MarksOptions {
  absent?: AbsentRule | undefined;
  /** How decimals are written. */
  decimal?: DecimalMark | undefined;
  /** The column of marks: its number from 1, or its heading. */
  column?: string | undefined;
}

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
  /** Where several columns may have the marks; null if it is certain which one has. */
  columnChoice: ColumnChoice | null;
  /** Where a comma may be a decimal comma; null if it is certain what it is. */
  decimalChoice: DecimalChoice | null;
  /** One of these has not been made: nothing was read. */
  isAsking: boolean;
  /** The first ten invalid cells. */
  faults: MarkFault[];
  faultCount: number;
  /** The cells such as `Absent`, which are among the faults unless they are left out. */
  absent: AbsentCells;
  /** Rows that are no student's, such as one of full marks: the first ten, each with what it is. */
  leftOut: LeftOutLine[];
  leftOutCount: number;
  /** The heading that was skipped; null if there is none. */
  heading: MarksHeading | null;
  /** The largest number of marks that at least two lines have in common; 1 for a plain list. */
  columns: number;
}

export interface ColumnChoice {
  /** Columns that may have the marks. */
  candidates: readonly CandidateColumn[];
  /** The chosen column, from 1; null until it is chosen. */
  chosen: number | null;
  /** A column was asked for that is not there. */
  isUnknown: boolean;
}

export interface DecimalChoice {
  /** May be one mark or two, such as `67,5`. */
  text: string;
  /** Null until it is made. */
  chosen: DecimalMark | null;
}

export interface AbsentCells {
  /** Number of lines that have one. */
  rows: number;
  /** The texts of these cells, each once. */
  texts: readonly string[];
  areLeftOut: boolean;
}

export interface LeftOutLine {
  line: number;
  /** "Points Possible: full marks, not a student". */
  text: string;
}

export interface MarksHeading {
  line: number;
  /** The column that is read; null if the heading has one cell, and all cells below it are read. */
  only: HeadedColumn | null;
}

export interface HeadedColumn {
  /** The number of the column, from 1. */
  column: number;
  /** Shortened if it is long; empty without a heading. */
  name: string;
}

export interface CandidateColumn extends HeadedColumn {
  /** Its first cells. */
  samples: readonly string[];
}

/**
 * Reads marks from delimited text. Separators are comma, semicolon, tab and line end; cells may be quoted; blank cells are
 * skipped. If semicolons or tabs separate the cells, a comma in a cell is a decimal comma.
 *
 * A first line of words is a heading. With several columns only the one that has the marks is read: see
 * {@link chooseMarksColumn}. Where that is not certain, or a comma may be a decimal comma, nothing is read until it is chosen.
 */
export function parseMarks(text: string, options: MarksOptions = {}): ParsedMarks {
  const reader = new MarksReader(text, options);
  reader.read(text.length);
  return reader.result;
}

/** {@link parseMarks} in portions, for callers that must not block. */
export class MarksReader {
  readonly result: ParsedMarks = {
    marks: [],
    columnChoice: null,
    decimalChoice: null,
    isAsking: false,
    faults: [],
    faultCount: 0,
    absent: { rows: 0, texts: [], areLeftOut: false },
    leftOut: [],
    leftOutCount: 0,
    heading: null,
    columns: 1,
  };
  readonly #cells: CellScanner;
  readonly #hasNul: boolean;
  readonly #takesComma: boolean;
  /** All commas of a line belong to its one cell, also those of blank cells beside it. */
  readonly #keepsCommas: boolean;
  /** Rows before this one are headings. */
  #firstRow = 0;
  /** The column that is read, from 1; undefined if all are. */
  #column: number | undefined;
  /** Number of cells of the headings. */
  #width = Number.POSITIVE_INFINITY;
  /** The columns of IDs and names, from 0, that most rows fill. */
  #identities: readonly number[] = [];
  /** The number of the row, from 0. */
  #rowNumber = 0;
  /** The cells of the row so far, if one column is read. */
  #row: string[] = [];
  /** The line of the last mark, and its marks so far. */
  #marked = { line: 0, marks: 0 };
  /** The numbers of marks of the lines before it. */
  readonly #widths = new Set<number>();
  /** The line of the last cell that says that a student was absent. */
  #absentLine = 0;

  constructor(text: string, { absent, decimal, column }: MarksOptions = {}) {
    const separated = new CellScanner(text);
    const survey = surveyMarks(separated);
    const either = separated.keepsCommas ? undefined : findDecimalQuestion(text);
    const isSingle = either !== undefined || survey.heading === undefined || isOneCell(survey.heading.cells);
    // Commas belong to the cells of a single column.
    this.#keepsCommas = decimal === 'comma' && isSingle && !separated.keepsCommas;
    this.#cells = this.#keepsCommas ? new CellScanner(text, ';') : new CellScanner(text);
    this.#takesComma = decimal === undefined ? this.#cells.keepsCommas : decimal === 'comma';
    this.#hasNul = text.includes('\0');
    this.result.absent.areLeftOut = absent === 'leave_out';
    if (either !== undefined) this.result.decimalChoice = { text: either, chosen: decimal ?? null };
    if (either !== undefined && decimal === undefined) this.result.isAsking = true;
    else this.#chooseColumn(survey, column);
  }

  #chooseColumn({ heading, rows }: MarksSurvey, wanted: string | undefined): void {
    const cells = heading?.cells ?? [];
    const width = heading === undefined ? (rows[0]?.cells.length ?? 0) : cells.length;
    const columns = Array.from({ length: width }, (_, at) => ({
      heading: cells[at] ?? '',
      samples: rows.map((row) => row.cells[at] ?? '').filter(Boolean),
    }));
    if (heading !== undefined) {
      this.#firstRow = heading.row + 1;
      this.result.heading = { line: heading.line, only: null };
    }
    this.#identities = [...columns.keys()].filter((at) => {
      const { heading: text = '', samples = [] } = columns[at] ?? {};
      return ['id', 'name'].includes(headingRole(text)) && 2 * samples.length >= rows.length;
    });
    const isList = isOneCell(cells) ? !isNoMarks(cells) : heading === undefined && !beginsWithSerials(rows);
    const found = isList || heading === undefined ? undefined : chooseMarksColumn(columns);
    if (isList && wanted === undefined) return;
    if (found?.kind === 'one' && wanted === undefined) {
      this.#readOnly(found.index, columns);
      return;
    }
    const all = [...columns.keys()].filter((index) => columns[index]?.samples.length !== 0);
    const indexes = found === undefined || found.kind === 'one' ? all : found.indexes;
    const chosen = wanted === undefined ? undefined : findColumn(wanted, columns);
    this.result.columnChoice = {
      candidates: indexes.map((index) => candidate(index, columns[index])),
      chosen: chosen === undefined ? null : chosen + 1,
      isUnknown: wanted !== undefined && chosen === undefined,
    };
    if (chosen === undefined) this.result.isAsking = true;
    else this.#readOnly(chosen, heading === undefined ? undefined : columns);
  }

  /** @param columns those of the headings, if there are any */
  #readOnly(index: number, columns: readonly { heading: string }[] | undefined): void {
    this.#column = index + 1;
    if (columns === undefined) return;
    this.#width = columns.length;
    const { heading } = this.result;
    if (heading !== null) heading.only = headed(index, columns[index]?.heading);
  }

  /** Reads at least this many characters, or the rest. Returns whether there is more. */
  read(characters: number): boolean {
    if (this.result.isAsking) return false;
    const cells = this.#cells;
    const until = cells.position + characters;
    do {
      if (!cells.next()) {
        this.#endRow(0);
        return false;
      }
      if (this.#rowNumber >= this.#firstRow) {
        const value = cells.value.trim();
        this.#take(cells.line, cells.cell, this.#keepsCommas ? withoutBlankCells(value) : value);
      }
      if (cells.endsLine) this.#rowNumber += 1;
    } while (cells.position <= until);
    return true;
  }

  #take(line: number, cell: number, value: string): void {
    const isInvalid = this.#cells.isBroken || (this.#hasNul && value.includes('\0'));
    if (this.#column === undefined) {
      if (isInvalid) this.#refuse(line, cell, value);
      else if (value !== '') this.#read(line, cell, value);
      return;
    }
    if (isInvalid) this.#refuse(line, cell, value);
    // A line longer than the heading was split at a decimal comma or at an unquoted comma in a name.
    else if (cell > this.#width && value !== '') this.#refuse(line, cell, value);
    if (cell <= this.#width) this.#row.push(isInvalid ? '' : value);
    if (!this.#cells.endsLine) return;
    const row = this.#row;
    this.#row = [];
    const mark = row[this.#column - 1] ?? '';
    const why =
      leftOutRow(row) ?? (mark !== '' && isNameless(row, this.#identities) ? 'nameless' : undefined);
    if (why !== undefined) this.#leaveOut({ line, text: leftOutText(row, why) });
    else if (mark !== '') this.#read(line, this.#column, mark);
  }

  #read(line: number, cell: number, value: string): void {
    const mark = plainNumber(value, this.#takesComma);
    if (mark >= COURSE_MARK.min && mark <= COURSE_MARK.max) {
      this.#keep(line, mark);
      return;
    }
    const isAbsent = isAbsence(value);
    if (isAbsent) this.#noteAbsent(line, value);
    if (!isAbsent || !this.result.absent.areLeftOut) this.#refuse(line, cell, value);
  }

  #keep(line: number, mark: number): void {
    this.result.marks.push(mark);
    if (line !== this.#marked.line) this.#endRow(line);
    this.#marked.marks += 1;
  }

  #endRow(next: number): void {
    const { marks } = this.#marked;
    if (this.#widths.has(marks) && marks > this.result.columns) this.result.columns = marks;
    this.#widths.add(marks);
    this.#marked = { line: next, marks: 0 };
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

  #leaveOut(row: LeftOutLine): void {
    this.result.leftOutCount += 1;
    if (this.result.leftOut.length < MAX_LISTED_FAULTS) this.result.leftOut.push(row);
  }

  #refuse(line: number, cell: number, value: string): void {
    this.result.faultCount += 1;
    if (this.result.faults.length === MAX_LISTED_FAULTS) return;
    this.result.faults.push({ line, cell, value: cut(value).replaceAll('\0', '\u2400') });
  }
}

const isOneCell = (cells: readonly string[]) => cells.filter(Boolean).length === 1;

/** Whether the heading of a single column says that it has something else. */
const isNoMarks = (cells: readonly string[]) =>
  cells.some((cell) => ['id', 'serial', 'full'].includes(headingRole(cell)));

/** Finds a column by its number from 1, or by its heading without regard to case. */
function findColumn(wanted: string, columns: readonly { heading: string }[]): number | undefined {
  const text = wanted.trim();
  const index = /^\d+$/.test(text)
    ? Number(text) - 1
    : columns.findIndex(({ heading }) => heading.toLowerCase() === text.toLowerCase());
  return index >= 0 && index < columns.length ? index : undefined;
}

/** Where a cell is: line and cell of a text, or the reference of a sheet's cell, such as `B3`. */
export const markFaultPlace = ({ line, cell }: MarkFault, isSheet: boolean): string =>
  isSheet ? `cell ${columnLetters(cell)}${line}` : `line ${line}, column ${cell}`;

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
  return `${plural(rows, 'row says', 'rows say')} ${said}`;
}

const cut = (value: string) =>
  (value.length > MAX_VALUE_LENGTH ? `${value.slice(0, MAX_VALUE_LENGTH)}…` : value).toWellFormed();

const candidate = (index: number, column: TableColumn | undefined): CandidateColumn => ({
  ...headed(index, column?.heading),
  samples: (column?.samples ?? []).slice(0, MAX_SAMPLES).map(cut),
});

const headed = (index: number, heading = ''): HeadedColumn => ({ column: index + 1, name: cut(heading) });

/** "column 3, “Obtained Marks”". */
export const columnText = ({ column, name }: HeadedColumn): string =>
  name === '' ? `column ${column}` : `column ${column}, “${name}”`;
