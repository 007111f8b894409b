import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { absentText, MarksReader, markFaultPlace, parseMarks } from './marks.ts';

const marks = (text: string) => {
  const parsed = parseMarks(text);
  expect(parsed.faults).toEqual([]);
  return parsed.marks;
};
const faults = (text: string) => parseMarks(text).faults.map(({ line, cell, value }) => [line, cell, value]);

describe('parseMarks', () => {
  it.each([
    ['commas', '71,64.5,88'],
    ['semicolons', '71;64.5;88'],
    ['tabs', '71\t64.5\t88'],
    ['line feeds', '71\n64.5\n88\n'],
    ['returns and line feeds', '71\r\n64.5\r\n88\r\n\r\n'],
    ['returns', '71\r64.5\r88'],
    ['blanks around', '  71 , 64.5\u00A0,  88 '],
    ['blank cells and lines', ',71,,\n\n64.5,88,,\n,,\n'],
    ['a byte order mark', '\uFEFF71,64.5,88'],
    ['quotes', '"71", "64.5" ,"88"'],
    ['leading zeros', '071,064.50,88.0'],
    ['decimal commas between semicolons', '71;64,5;88,0'],
    ['decimal commas between tabs', '71\t64,5\n88\t'],
    ['quoted decimal commas', '"71";"64,5";"88"'],
  ])('reads marks with %s', (_, text) => {
    expect(marks(text)).toEqual([71, 64.5, 88]);
  });

  it('accepts the lowest and the highest mark', () => {
    expect(marks('0,100,0.0,100.000')).toEqual([0, 100, 0, 100]);
  });

  it('finds no marks in blank text', () => {
    expect(parseMarks('')).toEqual({
      marks: [],
      columnChoice: null,
      decimalChoice: null,
      isAsking: false,
      faults: [],
      faultCount: 0,
      absent: { rows: 0, texts: [], areLeftOut: false },
      leftOut: [],
      leftOutCount: 0,
      heading: null,
      columns: 1,
    });
    expect(marks(' \r\n\t;;\n""')).toEqual([]);
  });

  it.each(['-1', '100.01', '1e1', '0x10', '+5', '.5', '5.', '5%', '1 2', '٥', '1.2.3', '5-', '12/20', '--'])(
    'refuses %s',
    (value) => {
      expect(faults(`50,${value},60`)).toEqual([[1, 2, value]]);
      expect(marks('50,60')).toEqual(parseMarks(`50,${value},60`).marks);
    },
  );

  it.each(['NaN', 'Infinity', '-Infinity', 'inf'])('does not treat %s as a heading', (value) => {
    expect(faults(`${value}\n50`)).toEqual([[1, 1, value]]);
  });

  it('reports line and cell, counting blank ones', () => {
    expect(faults('50,60\r\n\r\n,x,70\r"a\nb",1,y')).toEqual([
      [3, 2, 'x'],
      [4, 1, 'a\nb'],
      [5, 3, 'y'],
    ]);
  });

  it('counts lines inside quotes', () => {
    expect(faults('name,marks\n"Malik\r\nSana",50\nAli,x')).toEqual([[4, 2, 'x']]);
  });

  it('reports the first ten faults and counts all', () => {
    const parsed = parseMarks(`1${',x'.repeat(25)}`);
    expect(parsed.faultCount).toBe(25);
    expect(parsed.faults.map(({ cell }) => cell)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it('shortens long values without splitting a character', () => {
    const [fault] = parseMarks(`1,x${'\u{1F600}'.repeat(50)}`).faults;
    expect(fault?.value.length).toBe(41);
    expect(fault?.value.isWellFormed()).toBe(true);
  });

  it('refuses NUL at any position', () => {
    expect(faults('50,6\0,70')).toEqual([[1, 2, '6\u2400']]);
    expect(faults('name,marks\nA\0li,50')).toEqual([[2, 1, 'A\u2400li']]);
    expect(faults('\0\n50')).toEqual([[1, 1, '\u2400']]);
  });

  it('refuses an unclosed quote, and text after a closing quote', () => {
    expect(faults('50\n60,"70,80\n90')).toEqual([[2, 2, '"70,80\n90']]);
    expect(faults('50,"60"7,80')).toEqual([[1, 2, '"60"7']]);
    expect(faults('50,6"0')).toEqual([[1, 2, '6"0']]);
  });

  it('reads a doubled quote as one', () => {
    expect(faults('50,"6""0"')).toEqual([[1, 2, '6"0']]);
  });

  describe('with a heading', () => {
    it('skips a first line of words', () => {
      expect(parseMarks('\n Result of the quiz \n50\n60')).toMatchObject({
        marks: [50, 60],
        faults: [],
        faultCount: 0,
        heading: { line: 2, only: null },
        columns: 1,
      });
      expect(marks('Marks\n50,60,70')).toEqual([50, 60, 70]);
    });

    it('finds the headings below a title', () => {
      expect(parseMarks('Result of the quiz\n\nRoll No,Score\n1,50\n2,60')).toMatchObject({
        marks: [50, 60],
        heading: { line: 3, only: { column: 2, name: 'Score' } },
      });
    });

    it.each([
      ['Mid Results,,,\nRoll No,Name,Obtained Marks,Total Marks\n1,A,67,100', 2, 3],
      ['Roll,%\n1,67', 1, 2],
      ['Roll,1st Mid\n1,67', 1, 2],
      ['Roll,2024 Marks\n1,67', 1, 2],
      ['Roll,#1\n1,67', 1, 2],
      ['Roll No,(50)\n1,67', 1, 2],
      ['Roll,+Marks\n1,67', 1, 2],
    ])('tells the headings of %j from marks', (text, line, column) => {
      expect(parseMarks(text)).toMatchObject({ marks: [67], heading: { line, only: { column } } });
    });

    it('tells a heading that is an ordinal from marks', () => {
      expect(parseMarks('1st Mid\n67\n71')).toMatchObject({ marks: [67, 71], heading: { line: 1 } });
      expect(parseMarks('1st Quiz,2nd Quiz\n6,7', { column: '2' }).marks).toEqual([7]);
    });

    it.each(['50 marks\n60', 'Ali,50 marks\nSara,60', 'Roll,67%\n1,60'])(
      'takes no row with marks for headings: %j',
      (text) => {
        expect(parseMarks(text)).toMatchObject({ heading: null });
        expect(parseMarks(text).faultCount).toBeGreaterThan(0);
      },
    );

    it('reads a heading with a line break as one cell', () => {
      expect(parseMarks('Roll No\t"Mid\n(out of 50)"\n1\t31\n2\tx')).toMatchObject({
        marks: [31],
        faults: [{ line: 4, cell: 2, value: 'x' }],
      });
    });

    it.each([
      'Name,Marks\n"Malik, Sana",50\nAli,60\n',
      'id;name;MARKS;remark\n1;A;50;"good; very"\n2;B;60;\n',
      'Roll No\t" marks "\nCE-1\t50\nCE-2\t60',
      'marks,name,\n50,1\n60,"5"" disk"\n,C',
      'Total,Marks\n100,50\n100,60',
    ])('reads the column whose heading is “marks”: %j', (text) => {
      const parsed = parseMarks(text);
      expect(parsed.faults).toEqual([]);
      expect(parsed.marks).toEqual([50, 60]);
      expect(parsed.heading?.line).toBe(1);
    });

    it('reads the only column that may have marks', () => {
      expect(parseMarks('Sr,Name,Midterm,Remarks\n1,"Malik, Sana",55,good\n2,Ali,66,')).toMatchObject({
        marks: [55, 66],
        heading: { line: 1, only: { column: 3, name: 'Midterm' } },
        columns: 1,
      });
    });

    it('never reads full marks', () => {
      expect(marks('Roll No,Name,Obtained Marks,Total Marks\n1,A,67,100\n2,B,48.5,100')).toEqual([67, 48.5]);
      expect(marks('Roll No,Name,Total Marks,Obtained\n1,A,100,67\n2,B,100,48.5')).toEqual([67, 48.5]);
    });

    it.each([
      ['parts and their sum', 'Roll No,Theory Marks,Lab Marks,Total\n1,50,20,70', [2, 3, 4]],
      ['two assessments', 'Roll No,Quiz 1,Quiz 2\n1,55,60\n2,66,70', [2, 3]],
      ['two columns of the same heading', 'marks,marks\n50,60', [1, 2]],
      ['headings of which nothing is known', 'First,Second\n50,60', [1, 2]],
      ['only numbers that identify', 'Roll No,Serial\n50,60', [1, 2]],
      ['one column of numbers that identify', 'Roll No\n50\n60', [1]],
      ['serial numbers without a heading', '1;67\n2;71\n3;48', [1, 2]],
    ])('asks which column has the marks for %s', (_, text, columns) => {
      expect(parseMarks(text)).toMatchObject({
        marks: [],
        isAsking: true,
        columnChoice: {
          candidates: columns.map((column) => ({ column })),
          chosen: null,
          isUnknown: false,
        },
      });
    });

    it('names the candidates with their first cells', () => {
      expect(parseMarks('Sr,Theory,Lab\n1,50,20\n2,40,25').columnChoice).toEqual({
        chosen: null,
        isUnknown: false,
        candidates: [
          { column: 2, name: 'Theory', samples: ['50', '40'] },
          { column: 3, name: 'Lab', samples: ['20', '25'] },
        ],
      });
    });

    it.each(['3', 'lab', ' Lab '])('reads the column that was chosen: %j', (column) => {
      const parsed = parseMarks('Sr,Theory,Lab\n1,50,20\n2,40,25\n3,x,', { column });
      expect(parsed).toMatchObject({
        marks: [20, 25],
        isAsking: false,
        faultCount: 0,
        columnChoice: { chosen: 3 },
      });
      expect(parsed.heading?.only).toEqual({ column: 3, name: 'Lab' });
    });

    it('reads a chosen column without headings', () => {
      expect(parseMarks('1;67\n2;71\n3;48', { column: '2' }).marks).toEqual([67, 71, 48]);
    });

    it.each(['4', '0', 'Viva'])('asks again for a column that is not there: %s', (column) => {
      expect(parseMarks('Sr,Theory,Lab\n1,50,20', { column })).toMatchObject({
        isAsking: true,
        columnChoice: { isUnknown: true },
      });
    });

    it('refuses a row that is longer than the heading', () => {
      expect(faults('name,marks\nAli,12,5')).toEqual([[2, 3, '5']]);
      expect(marks('name,marks\nAli,12,\n')).toEqual([12]);
    });

    it('treats a first line with a number, or without rows below it, as marks', () => {
      expect(faults('abc,50\n60')).toEqual([[1, 1, 'abc']]);
      expect(faults('marks')).toEqual([[1, 1, 'marks']]);
      expect(faults('a,b\n\n,')).toEqual([
        [1, 1, 'a'],
        [1, 2, 'b'],
      ]);
    });
  });

  const legal = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100);

  it.each([
    [1, 'one line', '50,60,70'],
    [1, 'lines of one', '50\n60\n70,\n'],
    [2, 'lines of two', '1.5,55\n2,66'],
    [2, 'lines of two, but for a missing mark', '1.5,55\n2,\n3,66'],
    [1, 'a list over two lines', '50,60,70\n80,90'],
  ])('counts the columns it has read: %i in %s', (columns, _, text) => {
    expect(parseMarks(text).columns).toBe(columns);
  });

  it('reads only the marks next to a column of roll numbers, for any values and column order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 9_999_999 }), legal), { minLength: 1 }),
        fc.constantFrom('Marks', 'marks obtained', 'Score', 'TOTAL (100)', 'Quiz'),
        fc.constantFrom(',', ';', '\t'),
        fc.boolean(),
        (rows, heading, separator, isFirst) => {
          const lines = [['Roll No', heading], ...rows].map((row) => (isFirst ? row.toReversed() : row));
          expect(marks(lines.map((cells) => cells.join(separator)).join('\n'))).toEqual(
            rows.map(([, mark]) => mark),
          );
        },
      ),
    );
  });

  it('reads back any list of marks, for every separator, quoting and heading', () => {
    fc.assert(
      fc.property(
        fc.array(legal),
        fc.constantFrom(',', ';', '\t', '\n', '\r\n', '\r'),
        fc.boolean(),
        fc.boolean(),
        (list, separator, isQuoted, hasHeading) => {
          const cells = list.map((mark) => (isQuoted ? `"${mark}"` : String(mark)));
          const heading = hasHeading && list.length > 0 ? 'Marks\n' : '';
          expect(marks(heading + cells.join(separator))).toEqual(list);
        },
      ),
    );
  });

  it('gives the same result read in portions as read whole', () => {
    const text = fc.string({ unit: fc.constantFrom('5', '0', ',', ';', '\n', '\r', '"', 'a', ' ', '.') });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 9 }), (csv, portion) => {
        const reader = new MarksReader(csv);
        let isMore = true;
        while (isMore) isMore = reader.read(portion);
        expect(reader.result).toEqual(parseMarks(csv));
      }),
    );
  });

  it('finishes in linear time for repetitive input', () => {
    const size = 2 ** 19;
    for (const unit of ['"', ' ', '\r', 'a', '1', '1,', ' "', 'abc;', '\0', '"";', '\n', '.', '1.', 'a"']) {
      parseMarks(unit.repeat(size / unit.length));
    }
  });
});

describe('cells that say that a student was absent', () => {
  const TEXT = 'Marks\n50\nAbsent\nA\n60\nAbsent\n70';

  it('are refused, with the number of rows and what they say', () => {
    const { marks, absent, faultCount } = parseMarks(TEXT);
    expect([marks, faultCount]).toEqual([[50, 60, 70], 3]);
    expect(absentText(absent)).toBe('3 rows say Absent or A');
  });

  it('are left out on request, while other words are still refused', () => {
    const { marks, absent, faultCount } = parseMarks(TEXT, { absent: 'leave_out' });
    expect([marks, faultCount, absent.rows]).toEqual([[50, 60, 70], 0, 3]);
    expect(parseMarks('50\nabs.\nB', { absent: 'leave_out' })).toMatchObject({
      marks: [50],
      faults: [{ line: 3, value: 'B' }],
    });
  });

  it('are no heading above marks, but a heading among other words', () => {
    expect(parseMarks('Absent\n50', { absent: 'leave_out' })).toMatchObject({
      heading: null,
      absent: { rows: 1 },
    });
    expect(parseMarks('A,Marks\n1,50').heading).toMatchObject({ only: { column: 2 } });
  });

  it.each(['-', '–', '---', 'Did not appear', 'غیر حاضر', '(Absent)', 'AB.'])('may say %s', (text) => {
    expect(parseMarks(`Marks\n50\n${text}`, { absent: 'leave_out' })).toMatchObject({
      marks: [50],
      faultCount: 0,
      absent: { rows: 1, texts: [text] },
    });
  });

  it('count once for each row', () => {
    expect(absentText(parseMarks('1,A,a\n2,AB').absent)).toBe('2 rows say A, a or AB');
    expect(absentText(parseMarks('5,Abs').absent)).toBe('1 row says Abs');
  });
});

describe('rows of a file that are no student’s', () => {
  // As a learning platform exports grades.
  const EXPORT = [
    'Student,ID,SIS User ID,SIS Login ID,Section,Final Exam (4411),Final Score',
    '    Points Possible,,,,,100.00,(read only)',
    '"Example, One",1,900001,one,EE-48-A,67.50,67.50',
    '"Example, Two",2,900002,two,EE-48-A,71.00,71.00',
    '"Student, Test",3,,,EE-48-A,0.00,0.00',
  ].join('\n');

  it('are left out and named', () => {
    expect(parseMarks(EXPORT).columnChoice).toMatchObject({ candidates: [{ column: 6 }, { column: 7 }] });
    expect(parseMarks(EXPORT, { column: 'Final Exam (4411)' })).toMatchObject({
      marks: [67.5, 71],
      faultCount: 0,
      leftOutCount: 2,
      leftOut: [
        { line: 2, text: 'Points Possible: full marks, not a student' },
        { line: 5, text: 'Student, Test: a test account, not a student' },
      ],
    });
  });

  it('are a summary below the marks', () => {
    expect(parseMarks('Name,Marks\nAli,60\nAverage,60')).toMatchObject({ marks: [60], leftOutCount: 1 });
  });

  it('have nothing in the columns of IDs and names, which others fill', () => {
    expect(parseMarks('Roll No,Name,Marks\n1,Ali,60\n2,Sara,70\n,,65')).toMatchObject({
      marks: [60, 70],
      leftOut: [{ line: 4 }],
    });
    expect(parseMarks('Roll No,Marks\n,60\n,70\n3,80').marks).toEqual([60, 70, 80]);
  });

  it('are not those of students with such a remark', () => {
    expect(parseMarks('Roll No,Marks,Remarks\n1,100,Full marks\n2,71,Good\n3,72,Maximum')).toMatchObject({
      marks: [100, 71, 72],
      leftOutCount: 0,
    });
  });
});

describe('a comma that may separate marks or be a decimal comma', () => {
  it.each([
    ['below a heading of one cell', 'Marks\n67,5\n71,25'],
    ['in one line below a heading', 'Marks\r\n67,5\r\n'],
    ['in two lines', '67,5\n71,25'],
    ['beside whole numbers and absent students', 'Marks\n67,5\n71\nAbsent\n60'],
    ['below a heading in quotation marks', '"Marks"\n67,5\n71,25'],
    ['below a heading and a blank cell', 'Marks,\n67,5'],
    ['left of blank cells', '67,5,\n71,25,,'],
    ['right of blank cells', ',Marks\n,67,5\n'],
    ['below a heading with its full marks', 'Marks, out of 100\n67,5'],
    ['below a heading with its full marks after a comma alone', 'Marks,out of 100\n67,5'],
  ])('is asked for %s', (_, text) => {
    expect(parseMarks(text)).toMatchObject({
      marks: [],
      isAsking: true,
      decimalChoice: { text: '67,5', chosen: null },
    });
  });

  it.each([
    ['a list in one line', '67,5', [67, 5]],
    ['lists of three', 'Marks\n67,5,1\n71,25,2', [67, 5, 1, 71, 25, 2]],
    ['spaces after the commas', '67, 5\n71, 25', [67, 5, 71, 25]],
    ['marks with a decimal point', '67.5,5\n71,25', [67.5, 5, 71, 25]],
    ['one line of two marks beside others', '50,60\n70', [50, 60, 70]],
  ])('is not asked for %s', (_, text, expected) => {
    expect(marks(text)).toEqual(expected);
  });

  it('is asked for three decimals that begin with 0', () => {
    expect(parseMarks('67,050\n71,025')).toMatchObject({ isAsking: true });
    expect(marks('67,100\n71,100')).toEqual([67, 100, 71, 100]);
  });

  it('is read as answered beside blank cells, and below full marks', () => {
    const comma = (text: string) => parseMarks(text, { decimal: 'comma' });
    expect(comma(',Marks\n,67,5\n,71')).toMatchObject({ marks: [67.5, 71], faultCount: 0 });
    expect(comma('67,5,\n71,25,,\n,\n')).toMatchObject({ marks: [67.5, 71.25], faultCount: 0 });
    expect(comma('Marks, out of 100\n67,5')).toMatchObject({ marks: [67.5], faultCount: 0 });
    expect(comma('"Marks"\n67,5\n71,25').marks).toEqual([67.5, 71.25]);
  });

  it('is read as answered', () => {
    const text = 'Marks\n67,5\n71\n48,25';
    expect(parseMarks(text, { decimal: 'comma' })).toMatchObject({
      marks: [67.5, 71, 48.25],
      isAsking: false,
    });
    expect(parseMarks(text, { decimal: 'point' })).toMatchObject({
      marks: [67, 5, 71, 48, 25],
      isAsking: false,
    });
    expect(parseMarks('67,5', { decimal: 'comma' }).marks).toEqual([67.5]);
    expect(parseMarks('67,5,71', { decimal: 'comma' })).toMatchObject({ marks: [], faultCount: 1 });
    expect(parseMarks('Roll No,Marks\n1,"67,5"', { decimal: 'comma' }).marks).toEqual([67.5]);
    expect(parseMarks('60;67,5', { decimal: 'point' })).toMatchObject({ marks: [60], faultCount: 1 });
  });
});

describe('markFaultPlace', () => {
  it.each([
    [1, 'A7'],
    [26, 'Z7'],
    [27, 'AA7'],
    [703, 'AAA7'],
  ])('names the cell of a sheet in column %i', (cell, reference) => {
    expect(markFaultPlace({ line: 7, cell, value: '' }, true)).toBe(`cell ${reference}`);
  });
});
