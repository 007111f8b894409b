import fc from 'fast-check';
import { writeXlsx } from 'hucre';
import { describe, expect } from 'vitest';
import {
  type Answer,
  getFieldErrors,
  type Person,
  sharedApps,
  type TestApp,
} from '../../../tests/support/app/test-app.ts';
import {
  courseCreatedReply,
  histogramReply,
  marksSheetReply,
  marksUploadedReply,
} from '../../contract/courses.ts';
import { parseMarks } from '../../domain/marks.ts';
import { summarizeMarks, tallyMarks } from '../../domain/statistics.ts';

let lastId = 1000;
const enter = async (staff: Person) => {
  lastId += 1;
  const course = { course_id: lastId, course_code: 'ME', course_name: 'Statics' };
  expect((await staff.post('/api/courses', course)).status).toBe(201);
  return lastId;
};

const upload = (staff: Person, course_id: number, marks: string, more: Record<string, unknown> = {}) =>
  staff.post('/api/courses-marks', { course_id, marks, ...more });

const uploadFile = (
  staff: Person,
  course_id: number,
  content: string | Uint8Array<ArrayBuffer>,
  field = 'file',
  more: Readonly<Record<string, string>> = {},
  path = '',
) => {
  const form = new FormData();
  form.set('course_id', String(course_id));
  for (const [name, value] of Object.entries(more)) form.set(name, value);
  form.set(field, new Blob([content]), '../../sims.db');
  return staff.call('POST', `/api/courses-marks${path}`, { form });
};

/** The figures of a course’s marks, as the API returns them. */
const readFigures = async (staff: Person, id: number) => {
  const shown = (await staff.get(`/api/courses/${id}`)).body as { course: Record<string, unknown> };
  const { average, std_dev, marks_count } = shown.course;
  const histogram = histogramReply.parse((await staff.get(`/api/courses/histogram/${id}`)).body);
  return { average, std_dev, marks_count, histogram };
};

const figuresFor = (marks: readonly number[]) => {
  const { count, ...figures } = summarizeMarks(tallyMarks(marks));
  return { marks_count: count, ...figures };
};

/** The stored marks in upload order. */
const storedMarks = async (app: TestApp, id: number) => {
  const pieces = app.db.read.selectFrom('course_marks').select('marks').where('course_id', '=', id);
  return (await pieces.orderBy('piece').execute()).flatMap(({ marks }) => JSON.parse(marks) as number[]);
};

const expectStored = (answer: Answer, count: number) => {
  expect(answer.status, answer.text).toBe(201);
  expect(courseCreatedReply.parse(answer.body).course.marks_count).toBe(count);
};

describe.each(sharedApps())('uploading marks, on $name', ({ test }) => {
  test('counts and averages them immediately', async ({ staff }) => {
    const id = await enter(staff);
    expectStored(await upload(staff, id, '2,4,4,4,5,5,7,9'), 8);
    expect(await readFigures(staff, id)).toMatchObject({ average: 5, std_dev: 2, marks_count: 8 });
  });

  test('replaces the existing marks or appends to them', async ({ app, staff }) => {
    const id = await enter(staff);
    await upload(staff, id, '1,2,3');
    expectStored(await upload(staff, id, '90,95'), 2);
    expect(await readFigures(staff, id)).toEqual(figuresFor([90, 95]));
    expect(await storedMarks(app, id)).toEqual([90, 95]);
    expectStored(await upload(staff, id, '10.5', { mode: 'append' }), 3);
    expect(await storedMarks(app, id)).toEqual([90, 95, 10.5]);
    expect(await readFigures(staff, id)).toEqual(figuresFor([90, 95, 10.5]));
    expectStored(await upload(staff, id, '7', { mode: 'replace' }), 1);
    expect(Object.keys(getFieldErrors(await upload(staff, id, '7', { mode: 'merge' })))).toEqual(['mode']);
  });

  // Covers 3.36, 7.33
  test('accepts a file in either form field, with any name', async ({ staff }) => {
    const id = await enter(staff);
    expectStored(await uploadFile(staff, id, '10\n20\n30\n'), 3);
    expectStored(await uploadFile(staff, id, '40\n50', 'selectedFile'), 2);
    expect(await readFigures(staff, id)).toEqual(figuresFor([40, 50]));
  });

  test.for<[string, string | Uint8Array<ArrayBuffer>]>([
    ['with semicolons and decimal commas', '70,5; 80'],
    ['with tabs', '70.5\t80'],
    ['with Windows lines', '70.5\r\n80\r\n'],
    ['quoted', '"70.5","80"'],
    ['with blank cells and lines', ',,70.5,,\n\n 80 ,'],
    ['under a heading', 'Marks\n70.5\n80'],
    ['in one of several columns', 'Name,Marks,Seat\nAli,70.5,1\n"Khan, Sara",80,2'],
    ['in UTF-8 with a byte order mark', '\ufeff70.5,80'],
    ['in UTF-16', utf16('70.5,80')],
  ])('reads a file %s', async ([, content], { staff }) => {
    const id = await enter(staff);
    expectStored(await uploadFile(staff, id, content), 2);
    expect(await readFigures(staff, id)).toEqual(figuresFor([70.5, 80]));
  });

  test('reads a workbook as it reads text: from the column of marks, of the named sheet', async ({
    staff,
  }) => {
    const id = await enter(staff);
    const heading = ['Roll No', 'Name', 'Marks'];
    const workbook = await writeXlsx({
      sheets: [
        { name: 'Section A', rows: [heading, [1, 'Malik, Sana', 70.5], [2, 'Ali', null], [3, 'Zoë', '80']] },
        { name: 'Section B', rows: [heading, [1, 'Hina', 40]] },
      ],
    });
    expectStored(await uploadFile(staff, id, Uint8Array.from(workbook)), 2);
    expect(await readFigures(staff, id)).toEqual(figuresFor([70.5, 80]));
    expectStored(await uploadFile(staff, id, Uint8Array.from(workbook), 'file', { sheet: 'Section B' }), 1);
    const preview = await uploadFile(staff, id, Uint8Array.from(workbook), 'file', {}, '/sheet');
    const { text, ...sheets } = marksSheetReply.parse(preview.body);
    expect(sheets).toEqual({ sheets: ['Section A', 'Section B'], sheet: 'Section A' });
    expect(parseMarks(text).marks).toEqual([70.5, 80]);
  });

  test('leaves out the cells that say Absent only if asked to', async ({ staff }) => {
    const id = await enter(staff);
    const marks = 'Marks\n50\nAbsent\n60\n-';
    const { marks: [text] = [] } = getFieldErrors(await upload(staff, id, marks));
    expect(text).toContain('line 3, column 1: "Absent"; line 5, column 1: "-". 2 rows say Absent or -;');
    expectStored(await upload(staff, id, marks, { absent: 'leave_out' }), 2);
    expect(await readFigures(staff, id)).toEqual(figuresFor([50, 60]));
    expect(Object.keys(getFieldErrors(await upload(staff, id, marks, { absent: 'zero' })))).toEqual([
      'absent',
    ]);
  });

  test.for<[string, string, number[]]>([
    [
      'full marks on the right',
      'Roll No,Name,Obtained Marks,Total Marks\n1,One Example,67,100\n2,Two Example,71,100\n3,Three Example,48.5,100\n',
      [67, 71, 48.5],
    ],
    [
      'full marks on the left',
      'Roll No,Name,Total Marks,Obtained\n1,One Example,100,67\n2,Two Example,100,71\n3,Three Example,100,48.5\n',
      [67, 71, 48.5],
    ],
    [
      'full marks in a semicolon file with decimal commas',
      'Sr #;Max Marks;Secured\r\n1;100;67,5\r\n2;100;71\r\n',
      [67.5, 71],
    ],
  ])('reads the marks beside %s', async ([, marks, expected], { app, staff }) => {
    const id = await enter(staff);
    expectStored(await upload(staff, id, marks), expected.length);
    expect(await storedMarks(app, id)).toEqual(expected);
  });

  test('asks which of several columns has the marks', async ({ app, staff }) => {
    const id = await enter(staff);
    const marks = 'Roll No,Theory Marks,Lab Marks,Total\n1,50,20,70\n2,40,20,60\n';
    const asked = {
      columns: [
        'Several columns may have the marks: column 2, “Theory Marks”; column 3, “Lab Marks”; column 4, “Total”. Choose one as column, by its number or heading.',
      ],
    };
    expect(getFieldErrors(await upload(staff, id, marks))).toEqual(asked);
    expect(getFieldErrors(await uploadFile(staff, id, marks))).toEqual(asked);
    expect(await storedMarks(app, id)).toEqual([]);
    expect(getFieldErrors(await upload(staff, id, marks, { column: 'Viva' }))).toEqual({
      column: [expect.stringMatching(/^There is no such column\. Choose one of these: column 2, “Theory/)],
    });
    for (const column of [4, '4', 'total']) {
      expectStored(await upload(staff, id, marks, { column }), 2);
      expect(await storedMarks(app, id)).toEqual([70, 60]);
    }
    expectStored(await uploadFile(staff, id, marks, 'file', { column: 'Lab Marks' }), 2);
    expect(await storedMarks(app, id)).toEqual([20, 20]);
  });

  test('asks whether a comma separates two marks or is a decimal comma', async ({ app, staff }) => {
    const id = await enter(staff);
    const text = 'Is 67,5 one mark or two? Choose how decimals are written.';
    for (const marks of ['Marks\n67,5\n71,25\n', '67,5\n71,25', 'Marks\r\n67,5\r\n']) {
      expect(getFieldErrors(await upload(staff, id, marks))).toEqual({ decimal: [text] });
      expect(getFieldErrors(await uploadFile(staff, id, marks))).toEqual({ decimal: [text] });
    }
    expectStored(await upload(staff, id, 'Marks\n67,5\n71,25\n', { decimal: 'comma' }), 2);
    expect(await storedMarks(app, id)).toEqual([67.5, 71.25]);
    expectStored(await uploadFile(staff, id, 'Marks\n67,5\n71,25\n', 'file', { decimal: 'point' }), 4);
    expect(await storedMarks(app, id)).toEqual([67, 5, 71, 25]);
    expectStored(await upload(staff, id, '67,5'), 2);
    expect(getFieldErrors(await upload(staff, id, '67,5', { decimal: 'dot' }))).toEqual({
      decimal: ['The decimal must be comma or point.'],
    });
  });

  test('leaves out and names the rows that are no student’s', async ({ app, staff }) => {
    const id = await enter(staff);
    const marks = [
      'Student,ID,SIS User ID,SIS Login ID,Section,Final Exam (4411),Final Score',
      '    Points Possible,,,,,100.00,(read only)',
      '"Example, One",1,900001,one,EE-48-A,67.50,67.50',
      '"Example, Two",2,900002,two,EE-48-A,71.00,71.00',
      '"Student, Test",3,,,EE-48-A,0.00,0.00',
    ].join('\n');
    expect(Object.keys(getFieldErrors(await upload(staff, id, marks)))).toEqual(['columns']);
    const answer = await upload(staff, id, marks, { column: 'Final Exam (4411)' });
    expectStored(answer, 2);
    expect(marksUploadedReply.parse(answer.body).left_out).toEqual([
      { line: 2, text: 'Points Possible: full marks, not a student' },
      { line: 5, text: 'Student, Test: a test account, not a student' },
    ]);
    expect(await storedMarks(app, id)).toEqual([67.5, 71]);
  });

  test('stores what was sent, for any marks', async ({ staff }) => {
    const id = await enter(staff);
    const mark = fc.integer({ min: 0, max: 10_000 }).map((n) => n / 100);
    await fc.assert(
      fc.asyncProperty(
        fc.array(mark, { minLength: 1, maxLength: 40 }),
        fc.constantFrom(',', '\n', ';', '\t'),
        async (marks, by) => {
          expectStored(await upload(staff, id, marks.join(by)), marks.length);
          expect(await readFigures(staff, id)).toEqual(figuresFor(marks));
        },
      ),
      { numRuns: 25 },
    );
  });

  test('accepts a hundred thousand marks in one upload', async ({ staff }) => {
    const id = await enter(staff);
    const marks = Array.from({ length: 100_000 }, (_, i) => (i * 7919) % 101);
    expectStored(await uploadFile(staff, id, marks.join('\n')), 100_000);
    expect(await readFigures(staff, id)).toEqual(figuresFor(marks));
  });
});

describe.each(sharedApps())('an invalid upload of marks, on $name', ({ test }) => {
  test('is refused as a whole, naming invalid values by line and column', async ({ staff }) => {
    const id = await enter(staff);
    await upload(staff, id, '50,60');
    const { marks } = getFieldErrors(await upload(staff, id, '10,20\n30,x,101\n-1'));
    expect(marks?.[0]).toMatch(/^The marks /);
    expect(marks?.[0]).toContain('line 2, column 2: "x"');
    expect(marks?.[0]).toContain('line 2, column 3: "101"');
    expect(marks?.[0]).toContain('line 3, column 1: "-1"');
    expect(getFieldErrors(await uploadFile(staff, id, '10,oops'))).toEqual({
      file: [expect.stringContaining('column 2: "oops"')],
    });
    const many = getFieldErrors(await upload(staff, id, Array.from({ length: 25 }, () => '101').join(',')));
    expect(many.marks?.[0]?.match(/line \d+, column \d+/g)).toHaveLength(10);
    expect(await readFigures(staff, id)).toEqual(figuresFor([50, 60]));
  });

  test.for(['100.01', '-0.5', '1e1', '0x10', 'NaN', 'Infinity', '50%', '=1+1', '5 0', '１２', '<b>50</b>'])(
    'is refused for the value %s',
    async (value, { staff }) => {
      const id = await enter(staff);
      expect(Object.keys(getFieldErrors(await upload(staff, id, `50,${value}`)))).toEqual(['marks']);
      expect(await readFigures(staff, id)).toEqual(figuresFor([]));
    },
  );

  test.for<[string, Record<string, unknown>, string]>([
    ['neither text nor file', {}, 'marks'],
    ['only blanks', { marks: ' , \n ; ' }, 'marks'],
    ['empty text', { marks: '' }, 'marks'],
    ['a list instead of text', { marks: [50] }, 'marks'],
    ['only a heading', { marks: 'Marks' }, 'marks'],
    ['no course', { marks: '50', course_id: '' }, 'course_id'],
    ['an unknown course', { marks: '50', course_id: 999_999_999 }, 'course_id'],
    ['an invalid course id', { marks: '50', course_id: '1abc' }, 'course_id'],
  ])('is refused with %s', async ([, changes, field], { staff }) => {
    const course_id = await enter(staff);
    const answer = await staff.post('/api/courses-marks', { course_id, ...changes });
    expect(Object.keys(getFieldErrors(answer))).toEqual([field]);
  });

  test('is refused with text and file together', async ({ staff }) => {
    const form = new FormData();
    form.set('course_id', String(await enter(staff)));
    form.set('marks', '50');
    form.set('file', new Blob(['60']), 'marks.csv');
    expect(getFieldErrors(await staff.call('POST', '/api/courses-marks', { form }))).toHaveProperty('marks');
  });

  test('names the bad cells of a workbook as a spreadsheet does', async ({ staff }) => {
    const id = await enter(staff);
    const workbook = await writeXlsx({
      sheets: [
        {
          name: 'A',
          rows: [
            ['Roll No', 'Marks'],
            [1, 50],
            [2, 101],
          ],
        },
      ],
    });
    const answer = await uploadFile(staff, id, Uint8Array.from(workbook));
    expect(getFieldErrors(answer)).toEqual({ file: [expect.stringContaining('cell B3: "101"')] });
    const other = await uploadFile(staff, id, Uint8Array.from(workbook), 'file', { sheet: 'B' }, '/sheet');
    expect(getFieldErrors(other)).toEqual({ file: ['The file has no sheet “B”. Its sheets are: “A”.'] });
    const form = new FormData();
    form.set('sheet', 'A');
    expect(getFieldErrors(await staff.call('POST', '/api/courses-marks/sheet', { form }))).toEqual({
      file: ['The file field is required.'],
    });
  });

  test.for<[string, Uint8Array<ArrayBuffer>]>([
    [
      'a ZIP archive without a workbook',
      Uint8Array.from([0x50, 0x4b, 0x03, 0x04, ...Buffer.from('xl/workbook.xml')]),
    ],
    ['invalid UTF-8', Uint8Array.from([0x35, 0x30, 0xff, 0xc0, 0x80])],
    ['a picture', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ])('is refused for a file that is %s', async ([, bytes], { staff }) => {
    const id = await enter(staff);
    expect(Object.keys(getFieldErrors(await uploadFile(staff, id, bytes)))).toEqual(['file']);
  });

  test('is refused for a file of more than 32 MiB', async ({ staff }) => {
    const id = await enter(staff);
    const answer = await uploadFile(staff, id, new Uint8Array(33 * 1024 * 1024).fill(0x2c));
    expect(answer.status).toBe(413);
  });

  test.for<[string, string]>([
    ['a million quotes', '"'.repeat(1_000_000)],
    ['one very long line of words', 'word,'.repeat(200_000)],
    ['one very long number', '1'.repeat(900_000)],
  ])('is refused with a short error text for %s', async ([, marks], { staff }) => {
    const id = await enter(staff);
    const answer = await uploadFile(staff, id, marks);
    expect(answer.status).toBe(422);
    expect(answer.text.length).toBeLessThan(5000);
  });
});

function utf16(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([0xff, 0xfe, ...Buffer.from(text, 'utf16le')]);
}
