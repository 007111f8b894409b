import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { readSheets, unzip } from '../../../../tests/support/workbook.ts';
import type { StudentListItem } from '../../../contract/students/student-list.ts';
import { studentColumns } from './columns.ts';
import { toXlsx } from './xlsx.ts';

const aRow = (changes: Partial<StudentListItem> = {}): StudentListItem => ({
  id: '007',
  first_name: 'Ayesha',
  last_name: 'Siddiqui',
  dob: '2005-03-14',
  department: 'CE',
  degree: '44',
  syn: 'B',
  gender: 'F',
  current_sem: 2,
  fsc_marks: 0.85,
  matric_marks: 0.897727272727273,
  phone_number: '+92 300 5550123',
  cgpa: 3.4,
  cgpa_semester: 3,
  final_cgpa: null,
  status: 'active',
  status_date: null,
  standing: 'good',
  is_complete: true,
  former_ids: [],
  father_name: 'Imran Siddiqui',
  father_phone: '0300-5550101',
  ...changes,
});

async function* inPages(students: readonly StudentListItem[], size: number) {
  for (let i = 0; i < students.length; i += size) yield students.slice(i, i + size);
}

const writeBook = (students: readonly StudentListItem[], { size = 500, sheetRows = 1_048_575 } = {}) =>
  buffer(toXlsx({ columns: COLUMNS, pages: inPages(students, size) }, { sheetRows }));

const COLUMNS = studentColumns();
const TITLES = COLUMNS.map(({ title }) => title);

test('toXlsx writes texts, numbers and dates as cells of that type', async () => {
  const none = {
    ...{ gender: null, cgpa: null, cgpa_semester: null, standing: null },
    ...{ phone_number: null, father_name: null, father_phone: null },
  };
  const book = await writeBook([aRow(), aRow({ ...none, id: '8', dob: '1900-02-28', is_complete: false })]);
  expect(readSheets(book)).toEqual([
    {
      name: 'Students',
      rows: [
        TITLES,
        [
          ...['007', 'Ayesha', 'Siddiqui', 38_425, 'F', 'CE', '44', 'B', 2, 'Active', null, 'Good standing'],
          ...[3.4, 3, null, 935, 987.5],
          ...['+92 300 5550123', 'Imran Siddiqui', '0300-5550101', 'Yes'],
        ],
        [
          // Excel's date numbers are wrong before 1 March 1900, so earlier dates are texts.
          ...['8', 'Ayesha', 'Siddiqui', '1900-02-28', null, 'CE', '44', 'B', 2, 'Active', null, null],
          ...[null, null, null, 935, 987.5],
          ...[null, null, null, 'No'],
        ],
      ],
    },
  ]);
});

test('toXlsx writes any text unchanged except for characters that XML does not allow', async () => {
  const troublesome = fc.constantFrom(...'_x04AF<>&"\' \n\r\t\0\x0B\x1F\uFFFE\uFFFF');
  const texts = fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: troublesome })), {
    minLength: 40,
    maxLength: 80,
  });
  await fc.assert(
    fc.asyncProperty(texts, async (names) => {
      const sheets = readSheets(await writeBook(names.map((first_name) => aRow({ first_name }))));
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML does not allow these.
      const expected = names.map((name) => name.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\uFFFE\uFFFF]/g, ''));
      expect(sheets[0]?.rows.slice(1).map((row) => row[1] ?? '')).toEqual(expected);
    }),
    { numRuns: 30 },
  );
});

test('toXlsx continues in another sheet when one is full, without adding an empty one', async () => {
  const students = Array.from({ length: 10 }, (_, i) => aRow({ id: String(i) }));
  const exportIds = async (count: number) =>
    readSheets(await writeBook(students.slice(0, count), { size: 3, sheetRows: 4 })).map(
      ({ name, rows }) => ({
        [name]: rows.slice(1).map(([id]) => id),
      }),
    );
  expect(await exportIds(10)).toEqual([
    { Students: ['0', '1', '2', '3'] },
    { 'Students 2': ['4', '5', '6', '7'] },
    { 'Students 3': ['8', '9'] },
  ]);
  expect(await exportIds(8)).toHaveLength(2);
  expect(await exportIds(0)).toEqual([{ Students: [] }]);
});

test('toXlsx lists all parts, freezes the heading and adds a filter to every column', async () => {
  const files = unzip(await writeBook([aRow(), aRow()], { sheetRows: 1 }));
  const parts = [...(files.get('[Content_Types].xml') ?? '').matchAll(/PartName="\/([^"]+)"/g)].map(
    ([, name]) => name,
  );
  expect(parts.sort()).toEqual([...files.keys()].filter((name) => /^xl\/.*\.xml$/.test(name)).sort());
  expect(files.get('xl/worksheets/sheet2.xml')).toMatch(
    /<pane ySplit="1".*state="frozen".*<autoFilter ref="A1:U2"\/>/s,
  );
  expect(files.get('xl/workbook.xml')).toContain("'Students 2'!$A$1:$U$2");
});

test('toXlsx writes the same bytes at any time', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T10:00:00Z') });
  try {
    const first = await writeBook([aRow()]);
    vi.setSystemTime(new Date('2027-11-05T23:30:00Z'));
    expect((await writeBook([aRow()])).equals(first)).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

test('toXlsx fails with its source, and closes the source when the reader stops', async () => {
  async function* broken() {
    yield [aRow()];
    throw new Error('The database is away.');
  }
  await expect(buffer(toXlsx({ columns: COLUMNS, pages: broken() }))).rejects.toThrow(
    'The database is away.',
  );

  const source = { pages: 0, isClosed: false };
  async function* endless() {
    try {
      for (; ; source.pages += 1) yield Array.from({ length: 100 }, () => aRow());
    } finally {
      source.isClosed = true;
    }
  }
  const file = toXlsx({ columns: COLUMNS, pages: endless() });
  while (source.pages < 10) await file.next();
  await file.return(undefined);
  expect(source.isClosed).toBe(true);
});
