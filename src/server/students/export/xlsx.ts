import type { StudentListed } from '../../../contract/student-list.ts';
import type { StudentPages } from './columns.ts';
import { rangeTo, sheetFoot, sheetHead, studentRow } from './sheet-xml.ts';
import { contentTypes, PACKAGE_RELATIONS, STYLES, workbook, workbookRelations } from './workbook-parts.ts';
import { type ZipEntry, zip } from './zip.ts';

/** Students of one sheet: its last row is 1,048,576, the first is the head. */
const SHEET_STUDENTS = 1_048_575;

/** The list as a workbook, written while it is read. Every text is a text: none is ever taken for a formula. */
export const xlsxOf = (pages: StudentPages, { sheetStudents = SHEET_STUDENTS } = {}) =>
  zip(parts(pages, sheetStudents));

/** What says how many sheets there are comes last, when they are known. */
async function* parts(pages: StudentPages, sheetStudents: number): AsyncGenerator<ZipEntry> {
  yield { name: '_rels/.rels', content: [PACKAGE_RELATIONS] };
  yield { name: 'xl/styles.xml', content: [STYLES] };
  const supply = new Supply(pages);
  const sheets: { name: string; range: string }[] = [];
  try {
    do {
      const number = sheets.length + 1;
      const sheet = { name: number === 1 ? 'Students' : `Students ${number}`, range: '' };
      sheets.push(sheet);
      yield { name: `xl/worksheets/sheet${number}.xml`, content: sheetOf(supply, sheetStudents, sheet) };
    } while (await supply.hasMore());
  } finally {
    await supply.close();
  }
  yield { name: 'xl/workbook.xml', content: [workbook(sheets)] };
  yield { name: 'xl/_rels/workbook.xml.rels', content: [workbookRelations(sheets)] };
  yield { name: '[Content_Types].xml', content: [contentTypes(sheets)] };
}

async function* sheetOf(supply: Supply, most: number, sheet: { name: string; range: string }) {
  let row = 1;
  yield sheetHead({ isFirst: sheet.name === 'Students' });
  for await (const page of supply.take(most)) {
    let rows = '';
    for (const student of page) {
      row += 1;
      rows += studentRow(row, student);
    }
    yield rows;
  }
  sheet.range = rangeTo(row);
  yield sheetFoot(row);
}

/** Pages that are taken by one sheet after the other. */
class Supply {
  readonly #pages: AsyncIterator<readonly StudentListed[]>;
  #rest: readonly StudentListed[] = [];

  constructor(pages: StudentPages) {
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

  async *take(most: number): AsyncGenerator<readonly StudentListed[]> {
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
