import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sheetsOf, unzip } from '../../../../tests/support/workbook.ts';
import type { StudentListed } from '../../../contract/student-list.ts';
import { COLUMNS } from './columns.ts';
import { xlsxOf } from './xlsx.ts';

const aRow = (changes: Partial<StudentListed> = {}): StudentListed => ({
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
  is_complete: true,
  father_name: 'Imran Siddiqui',
  father_phone: '0300-5550101',
  ...changes,
});

async function* inPages(students: readonly StudentListed[], size: number) {
  for (let i = 0; i < students.length; i += size) yield students.slice(i, i + size);
}

const written = (students: readonly StudentListed[], { size = 500, sheetStudents = 1_048_575 } = {}) =>
  buffer(xlsxOf(inPages(students, size), { sheetStudents }));

const TITLES = COLUMNS.map(({ title }) => title);

test('has texts as texts, numbers as numbers and dates as dates', async () => {
  const none = { gender: null, cgpa: null, phone_number: null, father_name: null, father_phone: null };
  const book = await written([aRow(), aRow({ ...none, id: '8', dob: '1900-02-28', is_complete: false })]);
  expect(sheetsOf(book)).toEqual([
    {
      name: 'Students',
      rows: [
        TITLES,
        [
          ...['007', 'Ayesha', 'Siddiqui', 38_425, 'F', 'CE', '44', 'B', 2, 3.4, 935, 987.5],
          ...['+92 300 5550123', 'Imran Siddiqui', '0300-5550101', 'Yes'],
        ],
        [
          // The program's own calendar is wrong before 1 March 1900.
          ...['8', 'Ayesha', 'Siddiqui', '1900-02-28', null, 'CE', '44', 'B', 2, null, 935, 987.5],
          ...[null, null, null, 'No'],
        ],
      ],
    },
  ]);
});

test('has any text as it was, but for what XML can’t hold', async () => {
  const troublesome = fc.constantFrom(...'_x04AF<>&"\' \n\r\t\0\x0B\x1F\uFFFE\uFFFF');
  const texts = fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: troublesome })), {
    minLength: 40,
    maxLength: 80,
  });
  await fc.assert(
    fc.asyncProperty(texts, async (names) => {
      const sheets = sheetsOf(await written(names.map((first_name) => aRow({ first_name }))));
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML can't hold.
      const held = names.map((name) => name.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\uFFFE\uFFFF]/g, ''));
      expect(sheets[0]?.rows.slice(1).map((row) => row[1] ?? '')).toEqual(held);
    }),
    { numRuns: 30 },
  );
});

test('goes on in another sheet where one is full, and has none too many', async () => {
  const students = Array.from({ length: 10 }, (_, i) => aRow({ id: String(i) }));
  const idsOf = async (count: number) =>
    sheetsOf(await written(students.slice(0, count), { size: 3, sheetStudents: 4 })).map(
      ({ name, rows }) => ({
        [name]: rows.slice(1).map(([id]) => id),
      }),
    );
  expect(await idsOf(10)).toEqual([
    { Students: ['0', '1', '2', '3'] },
    { 'Students 2': ['4', '5', '6', '7'] },
    { 'Students 3': ['8', '9'] },
  ]);
  expect(await idsOf(8)).toHaveLength(2);
  expect(await idsOf(0)).toEqual([{ Students: [] }]);
});

test('names each of its parts, keeps the head in place and lets every column be filtered', async () => {
  const files = unzip(await written([aRow(), aRow()], { sheetStudents: 1 }));
  const parts = [...(files.get('[Content_Types].xml') ?? '').matchAll(/PartName="\/([^"]+)"/g)].map(
    ([, name]) => name,
  );
  expect(parts.sort()).toEqual([...files.keys()].filter((name) => /^xl\/.*\.xml$/.test(name)).sort());
  expect(files.get('xl/worksheets/sheet2.xml')).toMatch(
    /<pane ySplit="1".*state="frozen".*<autoFilter ref="A1:P2"\/>/s,
  );
  expect(files.get('xl/workbook.xml')).toContain("'Students 2'!$A$1:$P$2");
});

test('breaks off where its source does, and lets go of the source when nobody reads on', async () => {
  async function* broken() {
    yield [aRow()];
    throw new Error('The database is away.');
  }
  await expect(buffer(xlsxOf(broken()))).rejects.toThrow('The database is away.');

  const asked = { pages: 0, isOver: false };
  async function* endless() {
    try {
      for (; ; asked.pages += 1) yield Array.from({ length: 100 }, () => aRow());
    } finally {
      asked.isOver = true;
    }
  }
  const file = xlsxOf(endless());
  while (asked.pages < 10) await file.next();
  await file.return(undefined);
  expect(asked.isOver).toBe(true);
});
