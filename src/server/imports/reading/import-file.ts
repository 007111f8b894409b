import type { ImportKind } from '../../../contract/imports.ts';

/** A cell of a row. */
export interface ImportCell {
  /** The text as the file shows it; `''` for a blank cell. */
  text: string;
  /** `YYYY-MM-DD`, if a workbook formats the cell as a date. */
  date?: string;
  /** The text is a formula of a workbook whose value no program has stored. */
  isUncomputed?: true;
}

/** A row that is not blank. It may have fewer cells than there are headings; one more says that it has too many. */
export interface ImportRowCells {
  /** The line of the file on which the row begins, from 1; of a workbook, the number of the row. */
  line: number;
  cells: ImportCell[];
}

/**
 * A text, a text with its date, or a formula without a value: as cells are stored and sent between threads, in a fraction of the
 * space.
 */
type PackedCell = string | [text: string, date: string] | [formula: string];

export const packCells = (cells: readonly ImportCell[]): PackedCell[] =>
  cells.map(({ text, date, isUncomputed }) =>
    date !== undefined ? [text, date] : isUncomputed ? [text] : text,
  );

export const unpackCells = (packed: readonly PackedCell[]): ImportCell[] =>
  packed.map((cell) => {
    if (typeof cell === 'string') return { text: cell };
    const [text, date] = cell;
    return date === undefined ? { text, isUncomputed: true } : { text, date };
  });

/**
 * A row as text: a text is sent to another thread in a fraction of the time of objects, and many short ones are collected
 * earlier than a long one.
 */
export const packRow = ({ line, cells }: ImportRowCells): string => JSON.stringify([line, packCells(cells)]);

export function unpackRow(packed: string): ImportRowCells {
  const [line, cells]: [number, PackedCell[]] = JSON.parse(packed);
  return { line, cells: unpackCells(cells) };
}

/** The head of a file: its form, and its headings. */
export interface ImportFileHead {
  /** Such as `utf-8`, `utf-16le` and `windows-1252`; null for a workbook and for text. */
  encoding: string | null;
  /** Values with other than ASCII letters, at most five, where the encoding is not certain. */
  encodingSamples: string[];
  /** Null for a workbook. */
  delimiter: string | null;
  /** The sheets of a workbook that are not hidden. */
  sheets: string[];
  /** The sheet that is read; null without sheets. */
  sheet: string | null;
  /** The lines that the sheet hides, as a filter does: the first and the last one of each stretch. */
  hiddenLines: [first: number, last: number][];
  /** Whether serial numbers of dates count from 1904. */
  is1904: boolean;
  /** A cell of marks whose comma may separate two marks or be a decimal comma; null if it is certain what the commas are. */
  decimalSample: string | null;
  /** The line of the headings, counted as that of the rows. */
  headingLine: number;
  headings: string[];
}

export interface ImportFile extends ImportFileHead {
  /**
   * A few hundred rows at a time. Iterating throws {@link UnreadableImport} where the file has too many rows or breaks off.
   */
  rows: AsyncIterable<ImportRowCells[]>;
  /** Ends the worker, also before the rows are iterated to their end. */
  close(): Promise<void>;
}

/** Why a file can't be read: one or two whole sentences that say what to do. */
export class UnreadableImport extends Error {
  /** The fault lies with the file, or with the name of the sheet that was asked for. */
  readonly field: 'file' | 'sheet';

  constructor(text: string, field: 'file' | 'sheet' = 'file') {
    super(text);
    this.field = field;
  }
}

/** An upload: a file, or text that was pasted. */
export type ImportUpload = { bytes: Uint8Array } | { text: string };

export interface ImportFileRequest {
  kind: ImportKind;
  upload: ImportUpload;
  /** The sheet of a workbook; the first one that is not hidden and has rows if undefined. */
  sheet: string | undefined;
}
