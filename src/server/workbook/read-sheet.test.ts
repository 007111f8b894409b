import { crc32, deflateRawSync } from 'node:zlib';
import { type WriteOptions, writeXlsx } from 'hucre';
import { describe, expect, it } from 'vitest';
import { UnreadableWorkbook } from './archive.ts';
import { readCells } from './read-cells.ts';
import { readSheet } from './read-sheet.ts';

const texts = async (workbook: WriteOptions, name?: string) =>
  (await readSheet(await writeXlsx(workbook), { name })).rows.map((row) =>
    row.map((cell) => cell?.text ?? null),
  );

const formatted = (value: number | Date | string, numFmt: string): WriteOptions => ({
  sheets: [{ name: 'A', rows: [[value]], columns: [{ style: { numFmt } }] }],
});

describe('readSheet', () => {
  it('reads texts, numbers and blank cells of the first sheet, with the names of all', async () => {
    const archive = await writeXlsx({
      sheets: [
        { name: 'Section A', rows: [['Name', 'Marks'], [], ['Sara', 64.5], [null, 0.1 + 0.2]] },
        { name: 'Section B', rows: [['Ali']] },
      ],
    });
    const { names, name, rows } = await readSheet(archive);
    expect([names, name]).toEqual([['Section A', 'Section B'], 'Section A']);
    expect(rows.map((row) => row.map((cell) => cell?.text ?? null))).toEqual([
      ['Name', 'Marks'],
      [null, null],
      ['Sara', '64.5'],
      [null, '0.3'],
    ]);
  });

  it('reads a named sheet, and neither hidden ones nor those that are not there', async () => {
    const workbook: WriteOptions = {
      sheets: [
        { name: 'Key', rows: [['secret']], hidden: true },
        { name: 'A', rows: [['a']] },
        { name: 'B', rows: [['b']] },
      ],
    };
    expect(await texts(workbook)).toEqual([['a']]);
    expect(await texts(workbook, 'B')).toEqual([['b']]);
    await expect(texts(workbook, 'Key')).rejects.toThrow('has no sheet “Key”. Its sheets are: “A”, “B”.');
  });

  it('reads the first sheet with as many rows as are needed, else the first one', async () => {
    const archive = await writeXlsx({
      sheets: [
        { name: 'Empty', rows: [[null, ' ']] },
        { name: 'Title', rows: [['Intake']] },
        { name: 'List', rows: [['ID'], [], [7]] },
      ],
    });
    const chosen = async (minRows?: number) =>
      (await readSheet(archive, minRows === undefined ? {} : { minRows })).name;
    expect([await chosen(), await chosen(2), await chosen(3)]).toEqual(['Title', 'List', 'Empty']);
  });

  it('says which rows are hidden', async () => {
    const rowDefs = new Map([[1, { hidden: true }]]);
    const archive = await writeXlsx({ sheets: [{ name: 'A', rows: [['ID'], [1], [2]], rowDefs }] });
    expect([...(await readSheet(archive)).hidden]).toEqual([1]);
  });

  it.each<[string, string, number | Date | string, string]>([
    ['leading zeros of a number', '00000', 123, '00123'],
    ['all digits of a rounded number', '0', 64.5, '64.5'],
    ['all digits of a long number', '#,##0', 20_230_000_012_345, '20230000012345'],
    ['all 16 digits of a number', 'General', 2_019_033_700_123_456, '2019033700123456'],
    ['a number beyond those that a cell can hold', '0', 2 ** 53 + 2, '9.007199254740994e+15'],
    ['zeros and dashes of a number', '0000-0000000', 3_001_234_567, '0300-1234567'],
    ['digits beyond the zeros', '00-00', 12_345, '123-45'],
    ['percent as shown', '0%', 0.85, '85%'],
    ['a text that looks like a number', '@', '007', '007'],
  ])('answers %s', async (_, numFmt, value, text) => {
    expect(await texts(formatted(value, numFmt))).toEqual([[text]]);
  });

  it.each<['1900' | '1904']>([['1900'], ['1904']])(
    'recognises dates of the %s date system',
    async (system) => {
      const workbook = formatted(new Date(Date.UTC(2003, 4, 15)), 'dd/mm/yyyy');
      const { rows } = await readSheet(await writeXlsx({ ...workbook, dateSystem: system }));
      expect(rows).toEqual([[{ text: '15/05/2003', date: '2003-05-15' }]]);
    },
  );

  it.each<[string, '1900' | '1904', number]>([
    ['a phone number', '1900', 923_001_234_567],
    ['a number below all dates', '1904', -3],
    ['a number after the last date', '1900', 2_958_467],
  ])('shows %s in a cell for dates as Excel does', async (_, dateSystem, value) => {
    const { rows } = await readSheet(await writeXlsx({ ...formatted(value, 'dd/mm/yyyy'), dateSystem }));
    expect(rows).toEqual([[{ text: '#######' }]]);
  });

  it('takes a number format that is longer than Excel takes for none', async () => {
    const [longest, longer] = [`yyyy${'"x"'.repeat(83)}`, 'yyyy-mm-dd '.repeat(30)];
    expect((await texts(formatted(45_000, longest)))[0]?.[0]).toMatch(/^2023x/);
    expect(await texts(formatted(45_000, longer))).toEqual([['45000']]);
  });

  it('joins the runs of a text, without how it is pronounced', async () => {
    const runs = '<r><t>Muhammad</t></r><r><rPr><b/></rPr><t xml:space="preserve"> &#65;li_x0041_</t></r>';
    const cell = `<c r="B2" t="inlineStr"><is>${runs}<rPh sb="0" eb="1"><t>x</t></rPh></is></c>`;
    const xml = `<x:sheetData><x:row r="2" hidden="true">${cell}<c><v>7</v></c></x:row></x:sheetData>`;
    const { rows, hidden } = await readCells(inPieces(xml), { texts: [], formats: [], is1904: false });
    expect(rows).toEqual([
      [null, null, null],
      [null, { text: 'Muhammad AliA' }, { text: '7' }],
    ]);
    expect([...hidden]).toEqual([1]);
  });

  it('shows a formula that was never computed instead of a blank cell', async () => {
    const cells = new Map([['0,0', { formula: 'B1+1' }]]);
    expect(await texts({ sheets: [{ name: 'A', rows: [[null, 5]], cells }] })).toEqual([['=B1+1', '5']]);
  });

  it.each<[string, () => Uint8Array | Promise<Uint8Array>]>([
    ['a ZIP archive of something else', () => zip([{ name: 'letter.txt', content: 'x' }])],
    ['an empty archive', () => zip([])],
    ['half a workbook', async () => (await writeXlsx(formatted(1, '0'))).subarray(0, 400)],
    [
      'more rows than the limit',
      () => writeXlsx({ sheets: [{ name: 'A', rows: Array(100_001).fill([1]) }] }),
    ],
    ['a part without a size', () => zip([{ name: 'xl/workbook.xml', content: 'x'.repeat(99), size: 0 }])],
    [
      'a part longer than it says',
      () => zip([{ name: '[Content_Types].xml', content: 'x'.repeat(9999), size: 9 }]),
    ],
    ['a part of a gigabyte', () => zip([{ name: 'xl/workbook.xml', content: 'x', size: 2 ** 30 }])],
  ])('refuses %s', async (_, make) => {
    await expect(readSheet(await make())).rejects.toThrow(UnreadableWorkbook);
  });
});

/** A character at a time, so that every tag and entity is cut. */
async function* inPieces(xml: string): AsyncGenerator<string> {
  yield* xml;
}

/** A ZIP archive whose directory may claim another size than its contents have. */
function zip(parts: readonly { name: string; content: string; size?: number }[]): Buffer {
  const local: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, size = content.length } of parts) {
    const packed = deflateRawSync(content);
    const header = Buffer.alloc(26);
    header.writeUInt16LE(8, 4);
    header.writeUInt32LE(crc32(content), 10);
    header.writeUInt32LE(packed.length, 14);
    header.writeUInt32LE(size, 18);
    header.writeUInt16LE(name.length, 22);
    const at = Buffer.alloc(16);
    at.writeUInt32LE(offset, 12);
    directory.push(Buffer.from('PK\x01\x02\x14\0'), header, at, Buffer.from(name));
    const entry = Buffer.concat([Buffer.from('PK\x03\x04'), header, Buffer.from(name), packed]);
    local.push(entry);
    offset += entry.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, ...directory, end]);
}
