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
      faults: [],
      faultCount: 0,
      absent: { rows: 0, texts: [], areLeftOut: false },
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
        heading: { line: 2, only: null, leftOut: [] },
        columns: 1,
      });
      expect(marks('Quiz 1,Quiz 2\n50,60\n70,80')).toEqual([50, 60, 70, 80]);
      expect(marks('Marks\n50,60,70')).toEqual([50, 60, 70]);
    });

    it.each([
      'Name,Marks\n"Malik, Sana",50\nAli,60\n',
      'id;name;MARKS;remark\n1;A;50;"good; very"\n2;B;60;\n',
      'Roll No\t" marks "\nCE-1\t50\nCE-2\t60',
      'marks,name,\n50,1\n60,"5"" disk"\n,C',
    ])('reads the column whose heading is “marks”: %j', (text) => {
      const parsed = parseMarks(text);
      expect(parsed.faults).toEqual([]);
      expect(parsed.marks).toEqual([50, 60]);
      expect(parsed.heading?.line).toBe(1);
    });

    it.each([
      'Marks Obtained',
      'OBTAINED MARKS',
      'Marks (100)',
      'Marks_obtained',
      'score',
      'Total',
      'Total (out of 100)',
      'Student score',
      'totalMarks',
    ])('reads the only column whose heading mentions marks: %s', (name) => {
      const parsed = parseMarks(`Roll No,${name}\n1,55\n2,66`);
      expect(parsed.marks).toEqual([55, 66]);
      expect(parsed.heading).toEqual({ line: 1, only: { column: 2, name }, leftOut: [] });
      expect(parsed.columns).toBe(1);
    });

    it('prefers the heading “marks” to others that mention marks', () => {
      expect(marks('Total,Marks\n100,55\n100,66')).toEqual([55, 66]);
      expect(marks('Quiz 1,Quiz 2,Total\n20,30,50\n10,20,30')).toEqual([50, 30]);
    });

    it.each([
      ...['Roll No', 'roll_no', 'RollNo', 'ROLLNO', 'Reg. No.', 'Registration number', 'Student ID', 'id'],
      ...['CMS', 'No.', 'Sr', 'S.No', 'Serial', 'Name', 'Student'],
    ])('leaves out the column that identifies the student: %s', (name) => {
      const parsed = parseMarks(`${name},Quiz 1,Quiz 2\n1,55,60\n2,66,70`);
      expect(parsed.marks).toEqual([55, 60, 66, 70]);
      expect(parsed.heading).toEqual({ line: 1, only: null, leftOut: [{ column: 1, name }] });
      expect(parsed.columns).toBe(2);
    });

    it('leaves out several identifying columns if two headings mention marks', () => {
      expect(marks('Sr,Name,Midterm marks,Final marks\n1,"Malik, Sana",55,60\n2,Ali,66,70')).toEqual([
        55, 60, 66, 70,
      ]);
      expect(faults('Sr,Midterm marks,Final marks\n1,12,5,60')).toEqual([[2, 4, '60']]);
    });

    it('reads every column if the headings do not single any out', () => {
      expect(faults('words,more\nAli,50')).toEqual([[2, 1, 'Ali']]);
      expect(marks('marks,marks\n50,60')).toEqual([50, 60]);
      expect(marks('Quiz no. 1,Student 2\n50,60')).toEqual([50, 60]);
      expect(marks('Roll No,Serial\n50,60')).toEqual([50, 60]);
      expect(marks('Roll No\n50,60')).toEqual([50, 60]);
      expect(marks('Remarks,Scores?\n50,60')).toEqual([50, 60]);
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
    [2, 'lines of two', '1,55\n2,66'],
    [2, 'lines of two, but for a missing mark', '1,55\n2,\n3,66'],
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
    const { marks, absent, faultCount } = parseMarks(TEXT, 'leave_out');
    expect([marks, faultCount, absent.rows]).toEqual([[50, 60, 70], 0, 3]);
    expect(parseMarks('50\nabs.\nB', 'leave_out')).toMatchObject({
      marks: [50],
      faults: [{ line: 3, value: 'B' }],
    });
  });

  it('are no heading above marks, but a heading among other words', () => {
    expect(parseMarks('Absent\n50', 'leave_out')).toMatchObject({ heading: null, absent: { rows: 1 } });
    expect(parseMarks('A,Marks\n1,50').heading).toMatchObject({ only: { column: 2 } });
  });

  it('count once for each row', () => {
    expect(absentText(parseMarks('1,A,a\n2,AB').absent)).toBe('2 rows say A, a or AB');
    expect(absentText(parseMarks('5,Abs').absent)).toBe('1 row says Abs');
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
