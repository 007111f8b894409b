const LINE_FEED = 10;
const RETURN = 13;
const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const TAB = 9;
const SEMICOLON = 59;

/** Characters that may separate the cells of a file. */
export const CELL_SEPARATORS = [',', ';', '\t', '|'] as const;
export type CellSeparator = (typeof CELL_SEPARATORS)[number];

/**
 * Reads delimited text cell by cell, in one pass. Accepts any text. After `next()` the fields describe the cell just read; the
 * next call overwrites them, so that a million cells need no objects.
 */
export class CellScanner {
  /** The text between the separators, without quotes, not trimmed. */
  value = '';
  /** The line it begins in, from 1. */
  line = 1;
  /** Its position in the line, from 1, counting blank cells. */
  cell = 0;
  /** Whether it is the last cell of its line. */
  endsLine = false;
  /** A quote is not closed, or there is text between the closing quote and the separator. */
  isBroken = false;
  /** A quote is not closed: the cell has the rest of the text. */
  isUnclosed = false;
  /** Cells are not separated by commas, so that commas belong to the cells. */
  readonly keepsCommas: boolean;

  readonly #text: string;
  readonly #separator: number;
  readonly #otherSeparator: number;
  #at: number;
  #nextLine = 1;
  #isOver = false;

  /** @param separator if undefined, semicolons and tabs, or commas in a text that has neither outside quotes */
  constructor(text: string, separator?: CellSeparator) {
    this.#text = text;
    this.#at = text.startsWith('\uFEFF') ? 1 : 0;
    this.keepsCommas = separator === undefined ? hasSemicolonOrTab(text) : separator !== ',';
    this.#separator = separator?.charCodeAt(0) ?? (this.keepsCommas ? SEMICOLON : COMMA);
    this.#otherSeparator = separator === undefined && this.keepsCommas ? TAB : this.#separator;
  }

  /** How many characters have been read. */
  get position(): number {
    return this.#at;
  }

  /** Reads the next cell; false at the end. Text that ends with a line end has a last, blank cell. */
  next(): boolean {
    if (this.#isOver) return false;
    const isFirstOfLine = this.endsLine || this.cell === 0;
    this.cell = isFirstOfLine ? 1 : this.cell + 1;
    this.line = this.#nextLine;
    const opening = this.#openingQuote();
    if (opening === -1) {
      const end = this.#endOfCell(this.#at);
      this.value = this.#text.slice(this.#at, end);
      this.isBroken = false;
      this.#passSeparator(end);
    } else this.#readQuoted(opening);
    return true;
  }

  #openingQuote(): number {
    let at = this.#at;
    while (this.#text.charCodeAt(at) === SPACE) at += 1;
    return this.#text.charCodeAt(at) === QUOTE ? at : -1;
  }

  #readQuoted(opening: number): void {
    const text = this.#text;
    const { length } = text;
    let closing = opening + 1;
    let hasDoubled = false;
    for (; closing < length; closing += 1) {
      if (text.charCodeAt(closing) !== QUOTE) continue;
      if (text.charCodeAt(closing + 1) !== QUOTE) break;
      hasDoubled = true;
      closing += 1;
    }
    this.isUnclosed = closing >= length;
    const inner = text.slice(opening + 1, closing);
    this.#nextLine += lineEndsIn(inner);
    const end = this.isUnclosed ? length : this.#endOfCell(closing + 1);
    this.isBroken = this.isUnclosed || text.slice(closing + 1, end).trim() !== '';
    if (this.isBroken) this.value = text.slice(opening, end);
    else this.value = hasDoubled ? inner.replaceAll('""', '"') : inner;
    this.#passSeparator(end);
  }

  #endOfCell(from: number): number {
    const text = this.#text;
    const { length } = text;
    for (let at = from; at < length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === LINE_FEED || code === RETURN) return at;
      if (code === this.#separator || code === this.#otherSeparator) return at;
    }
    return length;
  }

  #passSeparator(end: number): void {
    const code = this.#text.charCodeAt(end);
    this.#isOver = end === this.#text.length;
    this.endsLine = this.#isOver || code === LINE_FEED || code === RETURN;
    if (this.endsLine) this.#nextLine += 1;
    const isPair = code === RETURN && this.#text.charCodeAt(end + 1) === LINE_FEED;
    this.#at = this.#isOver ? end : end + (isPair ? 2 : 1);
  }
}

function hasSemicolonOrTab(text: string): boolean {
  if (!text.includes('"')) return text.includes(';') || text.includes('\t');
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) isQuoted = !isQuoted;
    else if (!isQuoted && (code === SEMICOLON || code === TAB)) return true;
  }
  return false;
}

function lineEndsIn(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === LINE_FEED || (code === RETURN && text.charCodeAt(at + 1) !== LINE_FEED)) count += 1;
  }
  return count;
}
