import type { StudentListed } from '../../../contract/student-list.ts';
import { COLUMNS } from './columns.ts';
import { STYLE, WORKSHEET } from './workbook-parts.ts';

/** A, B, C …; the list has fewer columns than there are letters. */
const LETTERS = COLUMNS.map((_, i) => String.fromCharCode(65 + i));
const LAST = LETTERS.at(-1) ?? 'A';

/** From the head to a row, such as `A1:P2`. */
export const rangeTo = (row: number) => `A1:${LAST}${row}`;

/** What stands before the students: the head stays in place when one scrolls. */
export function sheetHead({ isFirst }: { isFirst: boolean }): string {
  const widths = COLUMNS.map(
    ({ width }, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`,
  );
  const titles = COLUMNS.map(({ title }, i) => textCell(`${LETTERS[i]}1`, STYLE.head, title));
  return `${WORKSHEET}<sheetViews><sheetView${isFirst ? ' tabSelected="1"' : ''} workbookViewId="0">\
<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft"/>\
</sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData><row r="1">${titles.join('')}</row>`;
}

/** IDs and phone numbers are texts on purpose, which the program need not point out at each of them. */
export const sheetFoot = (lastRow: number) =>
  `</sheetData><autoFilter ref="${rangeTo(lastRow)}"/>\
<ignoredErrors><ignoredError sqref="${rangeTo(lastRow)}" numberStoredAsText="1"/></ignoredErrors></worksheet>`;

export function studentRow(row: number, student: StudentListed): string {
  let cells = '';
  for (const [i, { kind, of }] of COLUMNS.entries()) {
    const value = of(student);
    if (value === null || value === '') continue;
    const at = `${LETTERS[i]}${row}`;
    const day = kind === 'date' ? dayNumber(String(value)) : undefined;
    if (day !== undefined) cells += `<c r="${at}" s="${STYLE.date}"><v>${day}</v></c>`;
    else if (typeof value === 'number')
      cells += `<c r="${at}"${kind === 'number' ? '' : ` s="${STYLE[kind]}"`}><v>${value}</v></c>`;
    else cells += textCell(at, STYLE.text, value);
  }
  return `<row r="${row}">${cells}</row>`;
}

const DAY = 86_400_000;
/** The program takes 1900 for a leap year: its days count up reliably from 1 March on. */
const FIRST_DAY = { date: '1900-03-01', number: 61 };

/** A date as the program counts it; undefined for one before its calendar, which stays text. */
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
  // As it is, a reader of XML would make a line feed of it.
  '\r': '&#13;',
};

/** Text within XML: characters that XML can't hold are left out, and what the program would take for a code is kept apart. */
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
