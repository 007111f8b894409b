import { buffer, text } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DateOrder, IMPORT_KINDS, type ImportKind } from '../../../contract/imports.ts';
import { EXPORT_COLUMN_TITLES } from '../../../domain/export-columns.ts';
import { csvLine } from '../../students/export/csv.ts';
import { ColumnScanner } from './column-scanner.ts';
import { FIELDS, missingFields, normalizeHeading } from './fields.ts';
import type { ImportUpload } from './import-file.ts';
import { readImportFile } from './read-import-file.ts';
import { type ReadingChoices, type ReadRow, readValues } from './read-values.ts';
import { importTemplate } from './templates.ts';

const recognise = (
  kind: ImportKind,
  headings: readonly string[],
  remembered = new Map<string, string | null>(),
) => new ColumnScanner(kind, headings, remembered).columns().map(({ field }) => field);

interface ReadTable {
  columns: ReturnType<ColumnScanner['columns']>;
  rows: ReadRow[];
}

/** Reads a text as an import does that takes everything as recognised. */
async function readTable(
  text: string,
  { kind = 'students', ...chosen }: Partial<ReadingChoices> & { kind?: ImportKind } = {},
): Promise<ReadTable> {
  const file = await readImportFile({ kind, upload: { text }, sheet: undefined });
  const scanner = new ColumnScanner(kind, file.headings);
  const pieces = [];
  for await (const piece of file.rows) {
    scanner.add(piece);
    pieces.push(...piece);
  }
  const columns = scanner.columns();
  const choices: ReadingChoices = {
    columns: columns.length,
    mapping: Object.fromEntries(
      columns.flatMap(({ field, index }) => (field === null ? [] : [[field, index]])),
    ),
    dateOrders: Object.fromEntries(
      columns.flatMap(({ index, date_order }) => (date_order === null ? [] : [[index, date_order]])),
    ),
    values: {},
    nameSplit: undefined,
    takesComma: false,
    is1904: false,
    ...chosen,
  };
  return { columns, rows: pieces.map((row) => readValues(FIELDS[kind], row, choices)) };
}

const column = async (heading: string, cells: readonly string[], chosen: Partial<ReadingChoices> = {}) =>
  readTable(
    [['CMS ID', heading], ...cells.map((cell) => ['1', cell])].map((cells) => csvLine(cells)).join(''),
    chosen,
  );

const dates = async (cells: readonly string[], chosen?: Partial<ReadingChoices>) => {
  const { columns, rows } = await column('DOB', cells, chosen);
  return {
    order: columns[1]?.date_order,
    ambiguous: columns[1]?.ambiguous,
    dates: rows.map(({ values, errors }) => values.dob ?? errors.dob?.[0]),
  };
};

describe('recognised columns', () => {
  it.each<[string, string]>([
    ['CMS ID', 'id'],
    ['cms_id', 'id'],
    ['Reg. No.', 'id'],
    ['Regn No', 'id'],
    ['REGISTRATION NO', 'id'],
    ['Roll No', 'id'],
    ['Student ID', 'id'],
    ['Name', 'full_name'],
    ['Student Name', 'full_name'],
    ['Father Name', 'father_name'],
    ["Father's Name", 'father_name'],
    ['F/Name', 'father_name'],
    ['D.O.B', 'dob'],
    ['Date of Birth', 'dob'],
    ['DOJ', 'joining_date'],
    ['Admission Date', 'joining_date'],
    ['SSC Marks', 'matric_marks'],
    ['Matric (Obtained)', 'matric_marks'],
    ['HSSC Total', 'fsc_total'],
    ['FSc Year', 'fsc_year'],
    ['Inter Div', 'fsc_div'],
    ['HSSC/FSC division', 'fsc_div'],
    ['Dept', 'department'],
    ['Branch', 'department'],
    ['Batch', 'degree'],
    ['Syn', 'syn'],
    ['Section', 'syn'],
    ['Class', 'class'],
  ])('of students: “%s” is %s', (heading, field) => {
    expect(recognise('students', [heading])).toEqual([field]);
  });

  it.each<[string, string]>([
    ['CMS ID', 'student_id'],
    ['Semester', 'semester'],
    ['Course Code', 'course_code'],
    ['Course ID', 'course_id'],
    ['Title', 'title'],
    ['CH', 'credits'],
    ['Grade', 'grade'],
    ['GP', 'grade'],
  ])('of results: “%s” is %s', (heading, field) => {
    expect(recognise('results', [heading])).toEqual([field]);
  });

  it.each(IMPORT_KINDS)('of %s: no heading means two fields', (kind) => {
    const all = FIELDS[kind].flatMap(({ headings }) => headings);
    expect(all.filter((heading, at) => all.indexOf(heading) !== at)).toEqual([]);
  });

  it('are those of the labels and names of fields', () => {
    for (const kind of IMPORT_KINDS) {
      expect(
        recognise(
          kind,
          FIELDS[kind].filter(({ gives }) => gives === undefined).map(({ label }) => label),
        ),
      ).not.toContain(null);
      expect(
        recognise(
          kind,
          FIELDS[kind].filter(({ gives }) => gives === undefined).map(({ field }) => field),
        ),
      ).not.toContain(null);
    }
  });

  it('include the editable ones of the own export', () => {
    const titles = Object.values(EXPORT_COLUMN_TITLES);
    expect(recognise('students', titles).filter((field) => field !== null)).toEqual([
      ...['id', 'first_name', 'last_name', 'dob', 'gender', 'department', 'degree', 'syn', 'current_sem'],
      ...['fsc_marks', 'matric_marks', 'phone_number', 'father_name', 'father_phone'],
    ]);
  });

  it('take the first of several headings of a field, and none of two equal ones', () => {
    expect(recognise('results', ['Grade Points', 'Grade'])).toEqual([null, 'grade']);
    expect(recognise('students', ['ID', 'CMS ID'])).toEqual([null, 'id']);
    expect(recognise('students', ['Phone', 'phone'])).toEqual([null, null]);
  });

  it('leave out a full name or class beside its parts', () => {
    expect(recognise('students', ['Name', 'First Name', 'Last Name'])).toEqual([
      null,
      'first_name',
      'last_name',
    ]);
    expect(recognise('students', ['Name', 'Last Name'])).toEqual(['full_name', 'last_name']);
  });

  it('follow earlier imports first', () => {
    const remembered = new Map([
      [normalizeHeading('Wert'), 'degree'],
      [normalizeHeading('Batch'), null],
    ]);
    expect(recognise('students', ['Wert', 'Batch'], remembered)).toEqual(['degree', null]);
  });

  it('have the first values that are not blank', async () => {
    const { columns } = await column('Phone', ['', 'a', ' b ', 'c', 'd']);
    expect(columns[1]).toMatchObject({ index: 1, heading: 'Phone', samples: ['a', 'b', 'c'] });
  });
});

describe('missingFields', () => {
  it('names required fields that no column gives', () => {
    const read = FIELDS.students.filter(({ field }) => !['first_name', 'last_name', 'syn'].includes(field));
    expect(missingFields(FIELDS.students, ['full_name', 'class', 'id']).map(({ field }) => field)).toContain(
      'dob',
    );
    expect(
      missingFields(
        FIELDS.students,
        read.map(({ field }) => field),
      ),
    ).toEqual([]);
  });
});

describe('dates of a column', () => {
  it.each<[string, string[], DateOrder | null, boolean, string[]]>([
    ['ISO dates', ['2005-03-14', '2005-04-12'], null, false, ['2005-03-14', '2005-04-12']],
    ['a first part above 12', ['25/12/2003', '03/04/2003'], 'day-first', false, ['2003-12-25', '2003-04-03']],
    [
      'a second part above 12',
      ['12/25/2003', '03/04/2003'],
      'month-first',
      false,
      ['2003-12-25', '2003-03-04'],
    ],
    ['equal parts alone', ['05/05/2003'], null, false, ['2003-05-05']],
    [
      'names of months',
      ['14-Mar-2005', 'March 14, 2005', '14th September 2005'],
      null,
      false,
      ['2005-03-14', '2005-03-14', '2005-09-14'],
    ],
    ['the year first', ['2005/3/4', '2005.03.04'], null, false, ['2005-03-04', '2005-03-04']],
    ['dots and dashes', ['25.12.2003', '3-4-2003'], 'day-first', false, ['2003-12-25', '2003-04-03']],
    [
      'midnight',
      ['2005-03-14 00:00:00', '2005-03-14T00:00:00.000Z', '2005-03-14 12:00:00 AM'],
      null,
      false,
      ['2005-03-14', '2005-03-14', '2005-03-14'],
    ],
    ['serial numbers', ['31182', '45292'], null, false, ['1985-05-15', '2024-01-01']],
  ])('are read from %s', async (_, cells, order, ambiguous, expected) => {
    expect(await dates(cells)).toEqual({ order, ambiguous, dates: expected });
  });

  it('are asked about where each can be read in two ways', async () => {
    expect(await dates(['03/04/2003', '05/05/2003'])).toMatchObject({ order: null, ambiguous: true });
    expect((await dates(['03/04/2003'], { dateOrders: { 1: 'month-first' } })).dates).toEqual(['2003-03-04']);
  });

  it('are errors where the column contradicts itself', async () => {
    const { order, ambiguous, dates: read } = await dates(['25/12/2003', '12/25/2003', '2003-12-25']);
    expect([order, ambiguous, read[2]]).toEqual([null, false, '2003-12-25']);
    expect(read.slice(0, 2)).toEqual([
      "The dob can't be read: some dates of its column have the day first, others the month. Choose one order, and correct the others.",
      "The dob can't be read: some dates of its column have the day first, others the month. Choose one order, and correct the others.",
    ]);
  });

  it.each(['14/03/05', '14-Mar-05', 'March 14, 05'])(
    'are refused with a year of two digits: %s',
    async (cell) => {
      expect((await dates([cell])).dates).toEqual([
        `The dob must have a year of four digits, such as 2005-03-14, not “${cell}”.`,
      ]);
    },
  );

  it.each(['yesterday', '0000-00-00', '3rd week', '1234'])(
    'leave “%s” to the check of the form',
    async (cell) => {
      const [date] = (await dates([cell])).dates;
      expect(String(date)).not.toMatch(/^The /);
    },
  );

  it('count from 1904 in such workbooks', async () => {
    expect((await dates([String(31_182 - 1_462)], { is1904: true })).dates).toEqual(['1985-05-15']);
  });

  it('come back from every notation', async () => {
    const day = fc.date({ min: new Date('1927-06-01'), max: new Date('2099-12-31'), noInvalidDate: true });
    await fc.assert(
      fc.asyncProperty(day, async (at) => {
        const iso = at.toISOString().slice(0, 10);
        const [year, month, date] = iso.split('-');
        const serial = (Date.parse(iso) - Date.UTC(1899, 11, 30)) / 86_400_000;
        const chosen = (order: DateOrder) => ({ dateOrders: { 1: order } });
        expect((await dates([iso, String(serial)])).dates).toEqual([iso, iso]);
        expect((await dates([`${date}/${month}/${year}`], chosen('day-first'))).dates).toEqual([iso]);
        expect((await dates([`${month}-${date}-${year}`], chosen('month-first'))).dates).toEqual([iso]);
      }),
      { numRuns: 50 },
    );
  });
});

describe('readValues', () => {
  const first = async (heading: string, cell: string, chosen?: Partial<ReadingChoices>) => {
    const [row] = (await column(heading, [cell], chosen)).rows;
    return row ?? { values: {}, errors: {} };
  };

  it('keeps IDs as shown, with leading zeros', async () => {
    const { rows } = await readTable('CMS ID,Phone\n00123,0300 5550\n2023-CE-1,\n');
    expect(rows.map(({ values }) => values)).toEqual([
      { id: '00123', phone_number: '0300 5550' },
      { id: '2023-CE-1' },
    ]);
  });

  it.each(['2.02E+14', '2,02E+14', '1e5'])('refuses the rounded ID %s', async (id) => {
    const { rows } = await readTable(`CMS ID;Degree\n${id};1`);
    expect(rows[0]).toEqual({
      values: { degree: '1' },
      errors: {
        id: [`The id is rounded in the file (${id}). Format the column as text there, and enter all digits.`],
      },
    });
  });

  const rounded = (field: string, text: string) =>
    `The ${field} is rounded in the file (${text}). Format the column as text there, and enter all digits.`;

  it.each<[heading: string, field: string, cell: string]>([
    ['Phone', 'phone_number', '9.23001E+11'],
    ["Father's phone", 'father_phone', '9,23001e+11'],
    ['Mother Mobile', 'mother_phone', '9.23E11'],
    ['Landline', 'home_phone', '5.1E+09'],
    ['Batch', 'degree', '4.8E+01'],
    ['Syn', 'syn', '1E+01'],
    ['Semester', 'current_sem', '1E+00'],
    ['HSSC Marks', 'fsc_marks', '9.35E+02'],
    ['Phone', 'phone_number', '9.23 E+11'],
    ['Phone', 'phone_number', '9.23E + 11'],
    ['Phone', 'phone_number', '.92E+12'],
    ['Phone', 'phone_number', '92 E+10'],
    ['Batch', 'degree', '4.E1'],
  ])('refuses a rounded number in the column %s', async (heading, field, cell) => {
    expect(await first(heading, cell)).toEqual({
      values: { id: '1' },
      errors: { [field]: [rounded(field.replace('_', ' '), cell)] },
    });
  });

  it.each<[heading: string, cell: string, value: string]>([
    ['Phone', '923001234567.0', '923001234567'],
    ['Phone', '+923001234567.00', '+923001234567'],
    ['Phone', '0300.5550123', '0300.5550123'],
    ['Phone', '0300\u00a05550\u2009123', '0300 5550 123'],
    ['Batch', '48.0', '48'],
    ['Batch', 'DE\u202f48', 'DE 48'],
    ['Batch', '48.5', '48.5'],
    ['Batch', '４８', '48'],
    ['Batch', '4\u200b8\ufeff', '48'],
    ['Batch', '\u200e48', '48'],
    ['Phone', '0300.555.0123', '0300.555.0123'],
    ['Phone', '0300-5550123, 0301-5550123', '0300-5550123, 0301-5550123'],
    ['Phone', '48 E 12', '48 E 12'],
    ['Batch', '2024.10', '2024.10'],
  ])('reads %s “%s” as %s', async (heading, cell, value) => {
    const { values, errors } = await first(heading, cell);
    expect([Object.values(values).at(-1), errors]).toEqual([value, {}]);
  });

  it('reads an ID without the decimals of a whole number, and refuses what may be another number', async () => {
    const { rows } = await readTable(
      ['CMS ID;Batch', '2024901.0;1', '2024.901;1', '1.000;1', '2024901,0;1', '9923372036854775.0;1'].join(
        '\n',
      ),
    );
    const twoWays = (text: string) =>
      `The id can be read in two ways (${text}). Write it without a point or comma.`;
    expect(rows.map(({ values, errors }) => values.id ?? errors.id?.[0])).toEqual([
      '2024901',
      '2024.901',
      twoWays('1.000'),
      twoWays('2024901,0'),
      'The id may be rounded in the file (9923372036854775.0): it has more digits than programs keep of a number. Format the column as text there, and enter all digits.',
    ]);
  });

  it.each([
    ...['1,234', '1.234', '1.234.567', '1,234.00', '48.50', '48,5', '2024901.', '2024901,', '４８．５０'],
  ])('refuses “%s” as a number that is a name', async (text) => {
    for (const [heading, field] of [
      ['Phone', 'phone_number'],
      ['Batch', 'degree'],
    ] as const) {
      expect((await first(heading, text)).errors[field]?.[0]).toMatch(
        /can be read in two ways \(.*\)\. Write it without a point or comma\.$/,
      );
    }
  });

  it.each(['Batch', 'DOB', 'Address', 'Semester'])(
    'refuses what a narrow column shows in place of a value of %s',
    async (heading) => {
      const { values, errors } = await first(heading, '#######');
      expect(values).toEqual({ id: '1' });
      expect(Object.values(errors)).toEqual([
        [expect.stringContaining('is not in the file (#######): its column was too narrow.')],
      ]);
    },
  );

  it.each([
    ['Class', 'CE\u00a048.0\u00a0A', { department: 'CE', degree: '48', syn: 'A' }],
    ['Dept', 'Computer\u00a0and  Software\u3000Engineering', { department: 'CE' }],
    ['Syn', 'Section\u2009B', { syn: 'B' }],
  ])('takes no-break, thin and wide spaces in the column %s for spaces', async (heading, cell, values) => {
    expect(await first(heading, cell)).toEqual({ values: { id: '1', ...values }, errors: {} });
  });

  it('refuses the batch of a class that a spreadsheet has rounded', async () => {
    expect((await first('Class', 'CE/4.8E+01/A')).errors).toEqual({ class: [rounded('class', '4.8E+01')] });
  });

  it('refuses a formula that no program has computed, and keeps a text like one', () => {
    const choices: ReadingChoices = {
      ...{ columns: 2, mapping: { first_name: 0, last_name: 1 }, dateOrders: {}, values: {} },
      ...{ nameSplit: undefined, takesComma: false, is1904: false },
    };
    const cells = [{ text: '=A1&B1', isUncomputed: true } as const, { text: '=A1' }];
    expect(readValues(FIELDS.students, { line: 2, cells }, choices)).toEqual({
      values: { last_name: '=A1' },
      errors: {
        first_name: [
          'The first name is a formula without a value (=A1&B1). Open the workbook in a spreadsheet program, and save it there.',
        ],
      },
    });
  });

  it.each([
    ["'+92 300", '+92 300'],
    ["'=SUM(1)", '=SUM(1)'],
    ["'-", '-'],
    ["''-", "''-"],
    ["'Arif", "'Arif"],
  ])('removes an apostrophe before a formula alone: %s', async (cell, value) => {
    expect((await first('Phone', cell)).values.phone_number).toBe(value);
  });

  it.each([
    ['#N/A', 'is an error of the spreadsheet (#N/A). Correct it there.'],
    ['#DIV/0!', 'is an error of the spreadsheet (#DIV/0!). Correct it there.'],
  ])('refuses %s in place of a value', async (cell, text) => {
    const { rows } = await readTable(`CMS ID,Phone\n1,${cell}`);
    expect(rows[0]).toEqual({ values: { id: '1' }, errors: { phone_number: [`The phone number ${text}`] } });
  });

  it.each<[string, string, string, unknown]>([
    ['Gender', 'female', 'gender', 'F'],
    ['Gender', 'M', 'gender', 'M'],
    ['Gender', 'other', 'gender', 'other'],
    ['Gender', 'constructor', 'gender', 'constructor'],
    ['Dept', 'Mechanical Engineering', 'department', 'ME'],
    ['Dept', 'computer and software engineering', 'department', 'CE'],
    ['Dept', 'mts', 'department', 'MTS'],
    ['Syn', 'Syndicate B', 'syn', 'B'],
    ['Phone', '[clear]', 'phone_number', null],
    ['Phone', '  ', 'phone_number', undefined],
  ])('reads %s “%s” as %s %j', async (heading, cell, field, value) => {
    expect((await first(heading, cell)).values[field]).toEqual(value);
  });

  it.each<[string, string]>([
    ['b+', 'B+'],
    ['3.50', '3.5'],
    ['4.00', '4'],
    ['3.70', '3.7'],
  ])('reads the grade %s as %s', async (cell, grade) => {
    const { rows } = await readTable(`CMS ID,Semester,Grade\n1,1,${cell}`, { kind: 'results' });
    expect(rows[0]?.values.grade).toBe(grade);
  });

  it('divides full names only as chosen', async () => {
    const name = 'Syed Murtaza  Kazmi';
    expect((await first('Name', name)).errors).toEqual({
      full_name: ['The full name can be divided in two ways. Choose one.'],
    });
    expect((await first('Name', name, { nameSplit: 'last-word' })).values).toMatchObject({
      first_name: 'Syed Murtaza',
      last_name: 'Kazmi',
    });
    expect((await first('Name', name, { nameSplit: 'first-word' })).values).toMatchObject({
      first_name: 'Syed',
      last_name: 'Murtaza Kazmi',
    });
    expect((await first('Name', 'Sara', { nameSplit: 'last-word' })).errors).toEqual({
      full_name: ['The full name must have a first and a last name.'],
    });
    expect((await first('Name', 'ul Haq , Ali  Raza')).values).toMatchObject({
      first_name: 'Ali  Raza',
      last_name: 'ul Haq',
    });
    expect((await first('Name', 'Khan, Ali, Jr.', { nameSplit: 'last-word' })).errors).toEqual({
      full_name: ['The full name must have at most one comma, after the last name.'],
    });
  });

  it('divides classes', async () => {
    expect((await first('Class', 'CE-44-B')).values).toMatchObject({
      department: 'CE',
      degree: '44',
      syn: 'B',
    });
    expect((await first('Class', 'mts-DE-44-c')).values).toMatchObject({
      department: 'MTS',
      degree: 'DE-44',
      syn: 'C',
    });
    expect((await first('Class', 'CE 44')).errors).toEqual({
      class: ['The class must be department, degree and syndicate, such as CE-44-B.'],
    });
  });

  it('reads semesters and divisions as people write them', async () => {
    const { rows } = await column('Current Semester', [
      '3',
      '3rd',
      'III',
      'third',
      'Semester 3',
      'Sem. 3',
      '3.0',
    ]);
    expect(rows.map(({ values }) => values.current_sem)).toEqual(['3', '3', '3', '3', '3', '3', '3.0']);
    const divisions = (await column('SSC Division', ['1st', 'I', 'First', '2nd Div', 'x'])).rows;
    expect(divisions.map(({ values }) => values.matric_div)).toEqual(['1', '1', '1', '2', 'x']);
  });

  it('reads marks with their total, and refuses them out of another one', async () => {
    const { rows } = await column('FSc Marks', ['912/1100', '912.5 / 1100', '912 out of 1100', '800/1050']);
    expect(rows.slice(0, 3).map(({ values }) => values.fsc_marks)).toEqual(['912', '912.5', '912']);
    expect(rows[3]?.errors.fsc_marks).toEqual([
      'The fsc marks are out of 1050. Marks out of another total are not converted: enter them out of 1100.',
    ]);
  });

  it('says why a date is none', async () => {
    const { rows } = await column('Date of birth', ['29/02/2007', '31/04/2006', '2006-13-01', '28/02/2007']);
    expect(rows.map(({ errors }) => errors.dob?.[0])).toEqual([
      'The dob is 29 February 2007, and that month has 28 days.',
      'The dob is 31 April 2006, and that month has 30 days.',
      'The dob has the month 13, and a year has twelve.',
      undefined,
    ]);
  });

  it('knows departments whose names are cut short', async () => {
    const { rows } = await column('Department', [
      'Computer Engg',
      'Electrical Engg.',
      'Mechatronics engineering',
    ]);
    expect(rows.map(({ values }) => values.department)).toEqual(['CE', 'EE', 'MTS']);
  });

  it('refuses marks out of another total than 1100', async () => {
    expect(await first('HSSC Total', '1100')).toEqual({ values: { id: '1' }, errors: {} });
    expect((await first('HSSC Total', '1050')).errors).toEqual({
      fsc_total: [
        'The fsc total must be 1100. Marks out of another total are not converted: enter them out of 1100.',
      ],
    });
  });

  it('takes one value for all rows, and corrections before both', async () => {
    const row = { line: 2, cells: [{ text: '1' }, { text: 'CV' }] };
    const choices: ReadingChoices = {
      ...{
        columns: 2,
        mapping: { id: 0, department: 1 },
        dateOrders: {},
        nameSplit: undefined,
        takesComma: false,
        is1904: false,
      },
      values: { syn: 'A', department: 'EE', joining_date: '25/12/2026' },
    };
    expect(readValues(FIELDS.students, row, choices).values).toEqual({
      ...{ id: '1', department: 'CV', syn: 'A', joining_date: '2026-12-25' },
    });
    const fixes = { department: 'CE', syn: 'B', dob: '03/04/2003' };
    expect(readValues(FIELDS.students, row, choices, fixes)).toEqual({
      values: { id: '1', department: 'CE', syn: 'B', joining_date: '2026-12-25' },
      errors: { dob: ['The dob can be read in two ways. Write it as 2005-03-14.'] },
    });
  });

  it('refuses a row with more cells than headings', async () => {
    const { rows } = await readTable('CMS ID,Address\n1,House 2, Street 3\n');
    expect(rows[0]?.errors).toEqual({
      row: [
        'The row has more cells than there are headings. A text that contains the separator must be in quotation marks.',
      ],
    });
  });

  it('reads what the CSV export writes', async () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'Z', '0', "'", '=', '+', '-', '@', '"', ',', ';', ' ', 'é', 'ب'),
      minLength: 1,
    });
    const value = text.map((one) => one.trim()).filter((one) => one !== '' && !/^'[=+\-@]/.test(one));
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 20 }), async (names) => {
        const lines = names.map((name) => csvLine(['1', name, name]));
        const { rows } = await readTable(
          `${csvLine(['ID', 'First Name', "Father's Name"])}${lines.join('')}`,
        );
        expect(rows.map(({ values }) => values)).toEqual(
          names.map((name) => ({ id: '1', first_name: name, father_name: name })),
        );
      }),
    );
  });
});

describe('importTemplate', () => {
  it.each(IMPORT_KINDS)('has headings of %s that are recognised, and two rows', async (kind) => {
    const { columns, rows } = await readTable(await text(importTemplate(kind, 'csv')), { kind });
    expect(columns.map(({ field }) => field)).not.toContain(null);
    expect(
      missingFields(
        FIELDS[kind],
        columns.flatMap(({ field }) => field ?? []),
      ),
    ).toEqual([]);
    expect(rows).toHaveLength(2);
    expect(rows.flatMap(({ errors }) => Object.keys(errors))).toEqual([]);
  });

  it.each(IMPORT_KINDS)('has the same cells of %s in both formats', async (kind) => {
    const readCells = async (upload: ImportUpload) => {
      const { headings, rows } = await readImportFile({ kind, upload, sheet: undefined });
      const all = [headings];
      for await (const piece of rows) {
        for (const { cells } of piece) {
          const texts = cells.map(({ text: shown, date }) => date ?? shown);
          all.push(texts.slice(0, texts.findLastIndex((one) => one !== '') + 1));
        }
      }
      return all;
    };
    const [csv, workbook] = [importTemplate(kind, 'csv'), importTemplate(kind, 'xlsx')];
    expect(await readCells({ bytes: await buffer(workbook) })).toEqual(
      await readCells({ text: await text(csv) }),
    );
  });
});
