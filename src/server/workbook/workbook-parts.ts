import { posix } from 'node:path';
import { isDateFormat } from 'hucre';
import { type Archive, notAWorkbook } from './archive.ts';
import { getAttribute, readXml } from './read-xml.ts';

/** A sheet as the workbook lists it. */
export interface ListedSheet {
  name: string;
  isHidden: boolean;
  /** The name of its part in the archive. */
  part: string;
}

/** How the number of a cell is shown. */
export interface CellFormat {
  code: string;
  isDate: boolean;
}

/** The parts that the sheets of a workbook have in common. */
export interface WorkbookParts {
  sheets: ListedSheet[];
  /** Whether the workbook counts days from 1904 on, not from 1900. */
  is1904: boolean;
  texts: readonly string[];
  formats: readonly CellFormat[];
}

/** The longest format that Excel takes; a longer one is shown as no format. */
const MAX_FORMAT_LENGTH = 255;
const GENERAL: CellFormat = { code: 'General', isDate: false };

/** Formats that workbooks name by number only (ECMA-376, part 1, 18.8.30). */
const BUILT_IN: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: '$#,##0_);\\($#,##0\\)',
  6: '$#,##0_);[Red]\\($#,##0\\)',
  7: '$#,##0.00_);\\($#,##0.00\\)',
  8: '$#,##0.00_);[Red]\\($#,##0.00\\)',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  14: 'm/d/yyyy',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'm/d/yyyy h:mm',
  37: '#,##0 ;(#,##0)',
  38: '#,##0 ;[Red](#,##0)',
  39: '#,##0.00;(#,##0.00)',
  40: '#,##0.00;[Red](#,##0.00)',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mmss.0',
  48: '##0.0E+0',
  49: '@',
};
/** Dates whose format depends on the language of Excel. */
const isLocalDate = (id: number) => (id >= 27 && id <= 36) || (id >= 50 && id <= 58);

/** @throws UnreadableWorkbook */
export async function readWorkbookParts(archive: Archive): Promise<WorkbookParts> {
  const [workbook] = [...(await readRelations(archive, '')).values()].filter(({ type }) =>
    type.endsWith('/officeDocument'),
  );
  if (workbook === undefined) throw notAWorkbook();
  const relations = await readRelations(archive, workbook.part);
  const find = (type: string) => [...relations.values()].find((one) => one.type.endsWith(`/${type}`))?.part;
  const sheets: ListedSheet[] = [];
  let is1904 = false;
  await forEachElement(archive, workbook.part, (name, attributes) => {
    if (name === 'workbookPr') is1904 = /^(?:1|true)$/.test(getAttribute(attributes, 'date1904') ?? '');
    if (name !== 'sheet') return;
    const related = relations.get(getAttribute(attributes, 'id') ?? '');
    if (related === undefined || !related.type.endsWith('/worksheet')) return;
    sheets.push({
      name: getAttribute(attributes, 'name') ?? '',
      isHidden: /^(?:hidden|veryHidden)$/.test(getAttribute(attributes, 'state') ?? ''),
      part: related.part,
    });
  });
  const [texts, styles] = [find('sharedStrings'), find('styles')];
  return {
    sheets,
    is1904,
    texts: texts === undefined || !archive.has(texts) ? [] : await readTexts(archive, texts),
    formats: styles === undefined || !archive.has(styles) ? [] : await readFormats(archive, styles),
  };
}

/** Reads the parts that a part refers to, by the id of the relation; of the archive itself with `''`. */
async function readRelations(
  archive: Archive,
  of: string,
): Promise<Map<string, { type: string; part: string }>> {
  const folder = posix.dirname(of);
  const found = new Map<string, { type: string; part: string }>();
  const part = posix.join(folder, '_rels', `${posix.basename(of)}.rels`);
  await forEachElement(archive, part, (name, attributes) => {
    const target = getAttribute(attributes, 'Target');
    if (name !== 'Relationship' || target === undefined) return;
    found.set(getAttribute(attributes, 'Id') ?? '', {
      type: getAttribute(attributes, 'Type') ?? '',
      part: target.startsWith('/') ? target.slice(1) : posix.join(folder, target),
    });
  });
  return found;
}

async function forEachElement(
  archive: Archive,
  part: string,
  visit: (name: string, attributes: string) => void,
): Promise<void> {
  for await (const events of readXml(archive.readText(part))) {
    for (const event of events) if (event.kind === 'open') visit(event.name, event.attributes);
  }
}

/** The texts that cells refer to by their number. */
async function readTexts(archive: Archive, part: string): Promise<string[]> {
  const texts: string[] = [];
  const reader = new TextReader();
  for await (const events of readXml(archive.readText(part))) {
    for (const event of events) {
      if (event.kind === 'open' && event.name === 'si') reader.start();
      else if (event.kind === 'close' && event.name === 'si') texts.push(reader.end());
      else if (event.kind === 'text') reader.add(event.text);
      else reader.visit(event.name, event.kind === 'open');
    }
  }
  return texts;
}

/** Joins the runs of a text. How to pronounce it stands beside it, and is left out. */
export class TextReader {
  #text = '';
  #isInText = false;
  #isPhonetic = false;

  start(): void {
    this.#text = '';
    this.#isInText = false;
    this.#isPhonetic = false;
  }

  visit(element: string, isOpening: boolean): void {
    if (element === 't') this.#isInText = isOpening;
    else if (element === 'rPh') this.#isPhonetic = isOpening;
  }

  add(text: string): void {
    if (this.#isInText && !this.#isPhonetic) this.#text += text;
  }

  end(): string {
    return toOwnText(decodeEscapes(this.#text));
  }
}

/** Characters that XML can't have are written `_x000D_`. */
export const decodeEscapes = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([\da-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;

/** Shorter texts are always copied. */
const MIN_SLICE_LENGTH = 13;

/** A copy: a slice would keep the whole piece of XML in memory that it was cut from. */
export const toOwnText = (text: string): string =>
  text.length < MIN_SLICE_LENGTH ? text : Buffer.from(text, 'utf16le').toString('utf16le');

/** The formats that cells refer to by their number. */
async function readFormats(archive: Archive, part: string): Promise<CellFormat[]> {
  const own = new Map<number, CellFormat>();
  const formats: CellFormat[] = [];
  let isInCells = false;
  for await (const events of readXml(archive.readText(part))) {
    for (const event of events) {
      if (event.kind === 'text') continue;
      if (event.name === 'cellXfs') isInCells = event.kind === 'open';
      if (event.kind === 'close') continue;
      const id = Number(getAttribute(event.attributes, 'numFmtId'));
      if (event.name === 'numFmt') own.set(id, toFormat(getAttribute(event.attributes, 'formatCode')));
      if (event.name === 'xf' && isInCells) formats.push(own.get(id) ?? builtInFormat(id));
    }
  }
  return formats;
}

const toFormat = (code = ''): CellFormat =>
  code === '' || code.length > MAX_FORMAT_LENGTH ? GENERAL : { code, isDate: isDateFormat(code) };

const builtInFormat = (id: number): CellFormat =>
  isLocalDate(id) ? { ...GENERAL, isDate: true } : toFormat(BUILT_IN[id]);
