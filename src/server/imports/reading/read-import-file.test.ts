import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { type WriteOptions, writeXlsx } from 'hucre';
import { describe, expect, it } from 'vitest';
import { CELL_SEPARATORS } from '../../../domain/columns/csv-cells.ts';
import type { ImportFile, ImportRowCells, ImportUpload } from './import-file.ts';
import { UnreadableImport } from './import-file.ts';
import { readImportFile } from './read-import-file.ts';

/** Reads a copy: the reader keeps the bytes. */
const read = (upload: ImportUpload, sheet?: string) =>
  readImportFile({ kind: 'students', upload: structuredClone(upload), sheet });

async function allRows({ rows }: ImportFile): Promise<ImportRowCells[]> {
  const all: ImportRowCells[] = [];
  for await (const piece of rows) all.push(...piece);
  return all;
}

const texts = async (file: ImportFile) =>
  (await allRows(file)).map(({ cells }) => cells.map(({ text }) => text));

const whole = async (upload: ImportUpload, sheet?: string) => {
  const file = await read(upload, sheet);
  return { ...file, rows: await texts(file) };
};

const bytes = (text: string, encoding: BufferEncoding = 'utf8') => ({ bytes: Buffer.from(text, encoding) });
const workbook = async (options: WriteOptions) => ({ bytes: Buffer.from(await writeXlsx(options)) });

describe('readImportFile', () => {
  const SMALL = 'CMS ID,First Name\r\n1,Zoë\r\n';

  it.each<[string, ImportUpload, string | null]>([
    ['UTF-8', bytes(SMALL), 'utf-8'],
    ['UTF-8 with a byte order mark', bytes(`\uFEFF${SMALL}`), 'utf-8'],
    ['UTF-16, low byte first', bytes(`\uFEFF${SMALL}`, 'utf16le'), 'utf-16le'],
    ['UTF-16, high byte first', { bytes: bytes(`\uFEFF${SMALL}`, 'utf16le').bytes.swap16() }, 'utf-16be'],
    ['UTF-16 without a byte order mark', bytes(SMALL, 'utf16le'), 'utf-16le'],
    [
      'UTF-16, high byte first, without a mark',
      { bytes: bytes(SMALL, 'utf16le').bytes.swap16() },
      'utf-16be',
    ],
    ['Windows-1252', bytes(SMALL, 'latin1'), 'windows-1252'],
    ['pasted text', { text: SMALL }, null],
  ])('reads %s', async (_, upload, encoding) => {
    const file = await whole(upload);
    expect(file).toMatchObject({ encoding, headings: ['CMS ID', 'First Name'], rows: [['1', 'Zoë']] });
  });

  it('shows values with other than ASCII letters where Windows-1252 is a guess, and only there', async () => {
    const names = ['José', 'Ali', 'Zoë', 'José', 'Müller', 'Åsa', 'Çelik', 'Ñandú'];
    const text = `CMS ID,First Name\n${names.map((name, i) => `${i},${name}`).join('\n')}`;
    const { encodingSamples } = await read(bytes(text, 'latin1'));
    expect(encodingSamples).toEqual(['José', 'Zoë', 'Müller', 'Åsa', 'Çelik']);
    expect((await read(bytes(text))).encodingSamples).toEqual([]);
  });

  it('reads typographic quotes and dashes of Windows-1252', async () => {
    const { rows } = await whole({ bytes: Buffer.from('CMS ID,Address\n1,\x93A\x94 \x96 B', 'latin1') });
    expect(rows).toEqual([['1', '“A” – B']]);
  });

  it.each([
    ['CMS ID;Name\n1;"Khan, Ali"\n2;Baig, Sara', ';'],
    ['CMS ID\tAddress\n1\tHouse 1, Street 2; Rawalpindi', '\t'],
    ['CMS ID|Address\n1|a,b;c', '|'],
    ['CMS ID,Address\n1,"a;b;c"\n2,"d|e"', ','],
    ['CMS ID\n1\n2', ','],
    ['Students, 2027; first list\n\nCMS ID;Name;Dept\n1;A;CE\n2;B;EE', ';'],
  ])('finds the separator of %j', async (text, delimiter) => {
    expect((await read({ text })).delimiter).toBe(delimiter);
  });

  it('reads any cells again that were written with any separator', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'ب', ' ', '"', ',', ';', '\t', '|', '\n', '\r\n') });
    const row = fc
      .array(cell, { minLength: 3, maxLength: 3 })
      .filter((cells) => cells.join('').trim() !== '');
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...CELL_SEPARATORS),
        fc.array(row, { minLength: 1 }),
        async (separator, rows) => {
          const quoted = rows.map((cells) =>
            cells.map((one) => `"${one.replaceAll('"', '""')}"`).join(separator),
          );
          const text = ['CMS ID,First Name,Last Name'.replaceAll(',', separator), ...quoted].join('\r\n');
          const file = await whole({ text });
          expect(file.delimiter).toBe(separator);
          expect(file.rows).toEqual(rows);
        },
      ),
    );
  });

  it('numbers rows by the line on which they begin, with line breaks in cells and blank lines', async () => {
    const file = await read({
      text: '"CMS\nID",Address\r\n1,"House 1\nStreet 2\n"\r\n\r\n , \r\n2,b\r\n',
    });
    expect(file).toMatchObject({ headingLine: 1, headings: ['CMS ID', 'Address'] });
    expect(await allRows(file)).toEqual([
      { line: 3, cells: [{ text: '1' }, { text: 'House 1\nStreet 2\n' }] },
      { line: 8, cells: [{ text: '2' }, { text: 'b' }] },
    ]);
  });

  it('finds the headings below a title', async () => {
    const file = await whole({
      text: 'Faculty of Engineering,,\nIntake 2027,,\n\nCMS ID,Name,Dept\n1,Ali Khan,CE\n',
    });
    expect(file).toMatchObject({
      headingLine: 4,
      headings: ['CMS ID', 'Name', 'Dept'],
      rows: [['1', 'Ali Khan', 'CE']],
    });
  });

  it('takes the first row of words as headings if it knows none', async () => {
    expect(await read({ text: 'Wert,Spalte 2\n1,2' })).toMatchObject({ headings: ['Wert', 'Spalte 2'] });
  });

  it('keeps the cells of a row that has too many, but not blank ones', async () => {
    const { rows } = await whole({ text: 'CMS ID,Address\n1,a,b\n2,c,,\n' });
    expect(rows).toEqual([
      ['1', 'a', 'b'],
      ['2', 'c'],
    ]);
  });

  it('keeps columns without a heading', async () => {
    const file = await whole({ text: 'CMS ID,Name,,\n1,Ali,,checked\n2,Sara\n' });
    expect(file).toMatchObject({
      headings: ['CMS ID', 'Name', '', ''],
      rows: [
        ['1', 'Ali', '', 'checked'],
        ['2', 'Sara'],
      ],
    });
  });

  it('reads a long text in a worker, in pieces', async () => {
    const lines = Array.from({ length: 5_000 }, (_, i) => `${i},Name of student ${i}`);
    const file = await read({ text: `CMS ID,Full Name\n${lines.join('\n')}` });
    const pieces: number[] = [];
    for await (const piece of file.rows) pieces.push(piece.length);
    expect(pieces).toHaveLength(20);
    expect(Math.max(...pieces)).toBe(250);
  });

  it('ends the worker when the caller leaves the rows', async () => {
    const file = await read({ text: `CMS ID\n${'1\n'.repeat(40_000)}` });
    for await (const piece of file.rows) {
      expect(piece[0]?.line).toBe(2);
      break;
    }
    await expect(texts(file)).resolves.toEqual([]);
  });

  it('reads the first sheet that is not hidden, or a named one, of a workbook', async () => {
    const upload = await workbook({
      sheets: [
        { name: 'Key', rows: [['CMS ID'], [9]], hidden: true },
        { name: 'A', rows: [['Intake'], ['CMS ID', 'Name'], [1, 'Ali'], [null, ''], [3, 'Sara', 'a note']] },
        { name: 'B', rows: [['CMS ID'], [4]] },
      ],
    });
    expect(await whole(upload)).toMatchObject({
      ...{
        encoding: null,
        delimiter: null,
        sheets: ['A', 'B'],
        sheet: 'A',
        is1904: false,
        decimalSample: null,
        headingLine: 2,
      },
      rows: [
        ['1', 'Ali'],
        ['3', 'Sara'],
      ],
    });
    expect((await whole(upload, 'B')).rows).toEqual([['4']]);
    await expect(read(upload, 'Key')).rejects.toThrow(
      'The workbook has no sheet “Key”. Its sheets are: “A”, “B”.',
    );
  });

  it('passes over a sheet without rows below its headings, and numbers the rows of the next', async () => {
    const upload = await workbook({
      sheets: [
        { name: 'Cover', rows: [['Students of 2027']] },
        { name: 'List', rows: [['CMS ID'], [], [4]] },
      ],
    });
    const file = await read(upload);
    expect(file).toMatchObject({ sheets: ['Cover', 'List'], sheet: 'List' });
    expect(await allRows(file)).toEqual([{ line: 3, cells: [{ text: '4' }] }]);
  });

  it('names the lines that a sheet hides', async () => {
    const rowDefs = new Map([0, 2, 3, 6, 9].map((row) => [row, { hidden: true }]));
    const rows = [['CMS ID'], [1], [2], [3], [4], [5], [6], [7]];
    const { hiddenLines } = await read(await workbook({ sheets: [{ name: 'A', rows, rowDefs }] }));
    expect(hiddenLines).toEqual([
      [3, 4],
      [7, 7],
    ]);
  });

  it('tells a formula that no program has computed from a text', async () => {
    const cells = new Map([['1,1', { formula: 'A2&"x"' }]]);
    const rows = [
      ['CMS ID', 'Name'],
      ['=1', null],
    ];
    const file = await read(await workbook({ sheets: [{ name: 'A', rows, cells }] }));
    expect((await allRows(file))[0]?.cells).toEqual([
      { text: '=1' },
      { text: '=A2&"x"', isUncomputed: true },
    ]);
  });

  it.each<['1900' | '1904']>([['1900'], ['1904']])(
    'reads date cells of the %s date system',
    async (dateSystem) => {
      const rows = [
        ['CMS ID', 'DOB'],
        [1, new Date(Date.UTC(1985, 4, 15))],
      ];
      const upload = await workbook({ dateSystem, sheets: [{ name: 'A', rows }] });
      const file = await read(upload);
      expect(file.is1904).toBe(dateSystem === '1904');
      expect((await allRows(file))[0]?.cells[1]).toMatchObject({ date: '1985-05-15' });
    },
  );

  it('reads the value of a formula that a program computed', async () => {
    const cells = new Map([['1,1', { formula: 'A2*2', formulaResult: 14 }]]);
    const upload = await workbook({
      sheets: [
        {
          name: 'A',
          rows: [
            ['CMS ID', 'Degree'],
            [7, 14],
          ],
          cells,
        },
      ],
    });
    expect((await whole(upload)).rows).toEqual([['7', '14']]);
  });

  it('reads inline texts', async () => {
    const rows = [
      ['CMS ID', 'Name'],
      ['007', 'Ali'],
    ];
    expect(
      (await whole(await workbook({ stringMode: 'inline', sheets: [{ name: 'A', rows }] }))).rows,
    ).toEqual([['007', 'Ali']]);
  });

  it.each<[string, () => ImportUpload | Promise<ImportUpload>, RegExp]>([
    ['an empty file', () => bytes(''), /is empty/],
    ['a file with blank rows alone', () => bytes('\n ,,\n'), /is empty/],
    ['an empty sheet', () => workbook({ sheets: [{ name: 'A', rows: [] }] }), /is empty/],
    ['headings without rows', () => bytes('CMS ID,Name\n'), /no rows below/],
    [
      'rows without headings',
      () => bytes('2027001,Ali,Khan,2008-03-14\n'),
      /no headings.*Registration number/,
    ],
    [
      'a quotation mark that is not closed',
      () => bytes('CMS ID,Name\n1,"Ali\n2,Sara\n'),
      /Line 2 .*not closed/,
    ],
    ['more rows than the limit', () => bytes(`CMS ID\n${'1\n'.repeat(50_001)}`), /more than 50,000 rows/],
    [
      'more columns than the limit',
      () => bytes(`CMS ID${',a'.repeat(1_000)}\n1\n`),
      /more than 1,000 columns/,
    ],
    ['commas alone', () => bytes(`CMS ID\n${','.repeat(2 ** 20)}`), /no rows below/],
    ['more bytes than the limit', () => ({ bytes: Buffer.alloc(20 * 2 ** 20 + 1, '1,') }), /20 MiB/],
    [
      'a picture',
      () => ({ bytes: Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1') }),
      /Save it as CSV/,
    ],
    ['half a character of UTF-16', () => ({ bytes: Buffer.from([0xff, 0xfe, 0x41, 0x00, 0x42]) }), /damaged/],
    ['a workbook of Excel 97', () => ({ bytes: ole() }), /old XLS format/],
    [
      'a workbook with a password',
      () =>
        workbook({
          sheets: [{ name: 'A', rows: [['CMS ID'], [1]] }],
          encryption: { password: 'secret', spinCount: 1 },
        }),
      /password.*Remove/,
    ],
    [
      'an archive of something else',
      () => ({ bytes: archive('letter.txt', 'x') }),
      /workbook in the XLSX format/,
    ],
    [
      'a zip bomb',
      () => ({ bytes: archive('xl/workbook.xml', 'x', 2 ** 30) }),
      /too large when it is unpacked/,
    ],
    [
      'half a workbook',
      async () => ({
        bytes: (await workbook({ sheets: [{ name: 'A', rows: [['CMS ID'], [1]] }] })).bytes.subarray(0, 500),
      }),
      /workbook in the XLSX format/,
    ],
  ])('refuses %s and says what to do', async (_, make, text) => {
    const upload = await make();
    const refused = await whole(upload).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UnreadableImport);
    expect(String(refused)).toMatch(text);
  });
});

const ole = () =>
  Buffer.concat([
    Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
    Buffer.alloc(512),
    Buffer.from('Workbook', 'utf16le'),
    Buffer.alloc(512),
  ]);

/** A ZIP archive of one part, which may claim another size than it has. */
function archive(name: string, content: string, size = content.length): Buffer {
  const packed = deflateRawSync(content);
  const header = Buffer.alloc(26);
  header.writeUInt16LE(8, 4);
  header.writeUInt32LE(packed.length, 14);
  header.writeUInt32LE(size, 18);
  header.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), header, Buffer.from(name), packed]);
  const directory = Buffer.concat([
    Buffer.from('PK\x01\x02\x14\0'),
    header,
    Buffer.alloc(14),
    Buffer.from(name),
  ]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, directory, end]);
}
