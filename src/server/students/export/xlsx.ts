import type { Column, Table } from './columns.ts';
import {
  contentTypes,
  PACKAGE_RELATIONS,
  STYLE,
  STYLES,
  WORKSHEET,
  workbook,
  workbookRelations,
} from './xlsx-parts.ts';
import { type ZipEntry, zip } from './zip.ts';

/** The letters of a column: A, B … Z, AA … */
const letters = (index: number): string =>
  index < 26 ? String.fromCharCode(65 + index) : letters(Math.floor(index / 26) - 1) + letters(index % 26);

/** The sheets of a table: the parts that depend on its columns. */
class Sheets<Row> {
  readonly #columns: readonly (Column<Row> & { letters: string })[];

  constructor(columns: readonly Column<Row>[]) {
    this.#columns = columns.map((column, i) => ({ ...column, letters: letters(i) }));
  }

  /** The cells from the header to a row, such as `A1:P2`. */
  range(row: number): string {
    return `A1:${this.#columns.at(-1)?.letters ?? 'A'}${row}`;
  }

  /** The sheet up to the first row, with a frozen header row. */
  head({ isFirst }: { isFirst: boolean }): string {
    const widths = this.#columns.map(
      ({ width }, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`,
    );
    const titles = this.#columns.map(({ title, letters }) => textCell(`${letters}1`, STYLE.head, title));
    return `${WORKSHEET}<sheetViews><sheetView${isFirst ? ' tabSelected="1"' : ''} workbookViewId="0">\
<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft"/>\
</sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData><row r="1">${titles.join('')}</row>`;
  }

  /** Suppresses Excel's warning about numbers stored as text: IDs and phone numbers are. */
  foot(lastRow: number): string {
    return `</sheetData><autoFilter ref="${this.range(lastRow)}"/>\
<ignoredErrors><ignoredError sqref="${this.range(lastRow)}" numberStoredAsText="1"/></ignoredErrors></worksheet>`;
  }

  row(number: number, row: Row): string {
    let cells = '';
    for (const column of this.#columns) {
      const { kind } = column;
      const value = column.value(row);
      if (value === null || value === '') continue;
      const at = `${column.letters}${number}`;
      const day = kind === 'date' ? dayNumber(String(value)) : undefined;
      if (day !== undefined) cells += `<c r="${at}" s="${STYLE.date}"><v>${day}</v></c>`;
      else if (typeof value === 'number')
        cells += `<c r="${at}"${kind === 'number' ? '' : ` s="${STYLE[kind]}"`}><v>${value}</v></c>`;
      else cells += textCell(at, STYLE.text, value);
    }
    return `<row r="${number}">${cells}</row>`;
  }
}

const DAY = 86_400_000;
/** Excel treats 1900 as a leap year, so its day numbers are right from 1 March 1900 on. */
const FIRST_DAY = { date: '1900-03-01', number: 61 };

/** Excel's day number of a date; undefined for earlier dates, which stay text. */
function dayNumber(date: string): number | undefined {
  const days = (Date.parse(date) - Date.parse(FIRST_DAY.date)) / DAY;
  return days >= 0 ? days + FIRST_DAY.number : undefined;
}

function textCell(at: string, style: number, text: string): string {
  const space = /^\s|\s$|\s\s|[\t\r\n]/.test(text) ? ' xml:space="preserve"' : '';
  return `<c r="${at}" s="${style}" t="inlineStr"><is><t${space}>${xmlText(text)}</t></is></c>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  // XML readers turn a plain carriage return into a line feed.
  '\r': '&#13;',
};

/** Escapes text for XML. Removes characters that XML does not allow and escapes what Excel would read as `_x0041_` codes. */
function xmlText(text: string): string {
  if (/^[ -%'-;=?-^`-~]*$/.test(text)) return text;
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to go.
      .replaceAll(/[\x00-\x08\x0b\x0c\x0e-\x1f\uFFFE\uFFFF]/g, '')
      .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
      .replaceAll(/[&<>\r]/g, (character) => ENTITIES[character] ?? character)
  );
}

/** Rows per sheet: Excel allows 1,048,576, one of which is the header. */
const MAX_SHEET_ROWS = 1_048_575;

/**
 * A table as a workbook, written while it is read. Text cells are never formulas.
 *
 * @param name of the first sheet; further ones have a number
 */
export const toXlsx = <Row>(
  table: Table<Row>,
  { sheetRows = MAX_SHEET_ROWS, name = 'Students' }: { sheetRows?: number; name?: string } = {},
) => zip(parts(table, { sheetRows, name }));

/** The parts that list the sheets come last, when their number is known. */
async function* parts<Row>(
  { columns, pages }: Table<Row>,
  { sheetRows, name }: { sheetRows: number; name: string },
): AsyncGenerator<ZipEntry> {
  yield { name: '_rels/.rels', content: [PACKAGE_RELATIONS] };
  yield { name: 'xl/styles.xml', content: [STYLES] };
  const rows = new PageReader(pages);
  const sheetParts = new Sheets(columns);
  const sheets: { name: string; range: string }[] = [];
  try {
    do {
      const number = sheets.length + 1;
      const sheet = { name: number === 1 ? name : `${name} ${number}`, range: '' };
      sheets.push(sheet);
      yield {
        name: `xl/worksheets/sheet${number}.xml`,
        content: writeSheet(rows, sheetParts, sheetRows, { sheet, isFirst: number === 1 }),
      };
    } while (await rows.hasMore());
  } finally {
    await rows.close();
  }
  yield { name: 'xl/workbook.xml', content: [workbook(sheets)] };
  yield { name: 'xl/_rels/workbook.xml.rels', content: [workbookRelations(sheets)] };
  yield { name: '[Content_Types].xml', content: [contentTypes(sheets)] };
}

async function* writeSheet<Row>(
  source: PageReader<Row>,
  parts: Sheets<Row>,
  most: number,
  { sheet, isFirst }: { sheet: { range: string }; isFirst: boolean },
) {
  let last = 1;
  yield parts.head({ isFirst });
  for await (const page of source.take(most)) {
    let rows = '';
    for (const row of page) {
      last += 1;
      rows += parts.row(last, row);
    }
    yield rows;
  }
  sheet.range = parts.range(last);
  yield parts.foot(last);
}

/** Pages of rows, read by one sheet after the other. */
class PageReader<Row> {
  readonly #pages: AsyncIterator<readonly Row[]>;
  #rest: readonly Row[] = [];

  constructor(pages: Table<Row>['pages']) {
    this.#pages = pages[Symbol.asyncIterator]();
  }

  async hasMore(): Promise<boolean> {
    while (this.#rest.length === 0) {
      const next = await this.#pages.next();
      if (next.done === true) return false;
      this.#rest = next.value;
    }
    return true;
  }

  async *take(most: number): AsyncGenerator<readonly Row[]> {
    for (let left = most; left > 0 && (await this.hasMore()); ) {
      const page = this.#rest.slice(0, left);
      this.#rest = this.#rest.slice(left);
      left -= page.length;
      yield page;
    }
  }

  async close(): Promise<void> {
    await this.#pages.return?.();
  }
}
