import { describe, expect, test } from 'vitest';
import { readPastedText } from '../../../../domain/columns/pasted-table.ts';
import {
  byUrgency,
  findDash,
  initialChoices,
  isMisfit,
  isNamed,
  isPlain,
  leftOutTexts,
  type PasteChoices,
  type PasteTarget,
  planPaste,
  toPasted,
} from './paste.ts';

const NAMES = ['One', 'Two', 'Three', 'Four', 'Five'];
const STUDENTS = NAMES.map((name, i) => ({
  studentId: `EE-48-${i + 1}`,
  name: `${name} Example`,
  texts: new Map<number, string>(),
}));
const TARGET: PasteTarget = {
  rows: STUDENTS,
  students: STUDENTS,
  components: [
    { component_id: 1, name: 'Mid', max: 50 },
    { component_id: 2, name: 'OHT 1', max: 50 },
    { component_id: 3, name: 'End', max: 100 },
  ],
  row: 0,
  column: 0,
};

/** What a pasted text does: the marks by student and component, what is left out, and whether it is asked about. */
function paste(
  text: string,
  { target = TARGET, ...chosen }: Partial<PasteChoices> & { target?: PasteTarget } = {},
) {
  const table = readPastedText(text, new Set(target.students.map(({ studentId }) => studentId)));
  const pasted = toPasted(table, target);
  const choices = { ...initialChoices(pasted, target), ...chosen };
  const plan = planPaste(pasted, target, choices);
  return {
    ...{ pasted, plan, choices },
    marks: plan.flatMap(({ row, component, after, fault }) =>
      fault === undefined ? [`${row?.studentId} ${component?.name} ${after}`] : [],
    ),
    faults: plan.flatMap(({ fault }) => fault ?? []),
    leftOut: leftOutTexts(pasted),
    isPlain: isPlain(pasted, target, plan),
    isMisfit: isMisfit(plan, choices),
  };
}

const MID = ['EE-48-1 Mid 31', 'EE-48-2 Mid 32', 'EE-48-3 Mid 33'];

describe('a pasted column', () => {
  test('fills the rows in their order, at once', () => {
    expect(paste('31\n32\n33\n')).toMatchObject({ marks: MID, isPlain: true, isMisfit: false });
    expect(paste('31\r\n32\r\n33\r\n').marks).toEqual(MID);
  });

  test.each(['Mid', 'MID', '"Mid\n(out of 50)"', 'Mid Marks', 'mid / 50'])(
    'has a heading that names the chosen component: %j',
    (heading) => {
      expect(paste(`${heading}\n31\n32\n33`)).toMatchObject({ marks: MID, isPlain: true });
    },
  );

  test('goes to the component that its heading names, which is shown first', () => {
    expect(paste('OHT-1\n31')).toMatchObject({ marks: ['EE-48-1 OHT 1 31'], isPlain: false });
    expect(paste('OHT-1\n31', { column: 2 }).marks).toEqual(['EE-48-1 End 31']);
  });

  test('has a heading that names nothing: it is left out, and shown first', () => {
    expect(paste('Marks of May\n31\n32\n33')).toMatchObject({ marks: MID, isPlain: false, isMisfit: false });
  });

  test('says in words who was absent; a dash is left out unless it is chosen', () => {
    const text = '31\nAbsent\nABS\n-\n36';
    expect(paste(text)).toMatchObject({
      marks: ['EE-48-1 Mid 31', 'EE-48-2 Mid A', 'EE-48-3 Mid A', 'EE-48-5 Mid 36'],
      faults: ['“-” is no mark'],
      isPlain: false,
      isMisfit: false,
    });
    expect(findDash(paste(text).pasted)).toBe('-');
    expect(paste(text, { takesDashes: true }).marks[3]).toBe('EE-48-4 Mid A');
    expect(paste('31\nAbsent').isPlain).toBe(false);
  });

  test('is not offered where it is longer than the rows below the chosen cell', () => {
    const { isMisfit: isOff, faults } = paste('1\n2\n3\n4\n5\n6');
    expect([isOff, faults]).toEqual([true, ['Below the last student']]);
    expect(paste('31\n32', { target: { ...TARGET, row: 4 } }).isMisfit).toBe(true);
  });

  test('is not offered where most of it is no mark', () => {
    expect(paste('x\ny\nz\n31').isMisfit).toBe(true);
  });

  test('keeps the place of blank cells', () => {
    expect(paste('31\n\n33').marks).toEqual(['EE-48-1 Mid 31', 'EE-48-2 Mid ', 'EE-48-3 Mid 33']);
  });
});

describe('a pasted table with IDs', () => {
  test.each([
    [
      'ID, name, mark',
      'EE-48-1\tOne Example\t31\nEE-48-2\tTwo Example\t32\nEE-48-3\tThree Example\t33',
      ['column 2 (names)'],
    ],
    ['serial, ID, mark', '1\tEE-48-1\t31\n2\tEE-48-2\t32\n3\tEE-48-3\t33', ['column 1 (serial numbers)']],
    ['mark, ID', '31\tee-48-1\n32\tEE-48-2 \n33\tEE-48-3', []],
    ['commas', 'EE-48-1,31\nEE-48-2,32\nEE-48-3,33', []],
    ['semicolons', 'EE-48-1;31\nEE-48-2;32\nEE-48-3;33', []],
    [
      'headings',
      'S.No\tCMS ID\tStudent\tMid\tMax\n1\tEE-48-1\tOne\t31\t50\n2\tEE-48-2\tTwo\t32\t50\n3\tEE-48-3\tThree\t33\t50',
      ['“S.No”', '“Student”', '“Max”'],
    ],
    [
      'a cell with a tab and a line break',
      'EE-48-1\t"One\tExample"\t31\nEE-48-2\t"Two\nExample"\t32\nEE-48-3\tThree\t33',
      ['column 2 (names)'],
    ],
  ])('brings the marks to their students: %s', (_, text, leftOut) => {
    expect(paste(text)).toMatchObject({ marks: MID, faults: [], leftOut, isPlain: false, isMisfit: false });
  });

  test('has several columns of marks, each with the component of its heading, and no other', () => {
    const { marks, leftOut, pasted } = paste('CMS ID\tEnd\tQuiz\tOHT 1 (50)\nEE-48-2\t90\t7\t32');
    expect(marks).toEqual(['EE-48-2 End 90', 'EE-48-2 OHT 1 32']);
    expect(leftOut).toEqual(['“Quiz” (no component of this sheet)']);
    expect(isNamed(pasted)).toBe(true);
  });

  test('has several columns without headings, from the chosen component on', () => {
    expect(paste('EE-48-2\t32\t33').marks).toEqual(['EE-48-2 Mid 32', 'EE-48-2 OHT 1 33']);
    expect(paste('EE-48-2\t32\t33', { column: 2 })).toMatchObject({
      faults: ['Right of the last component'],
      isMisfit: true,
    });
  });

  test('names students who are not on the sheet, and who are there twice', () => {
    const { faults, isMisfit: isOff } = paste('CMS ID\tMid\nEE-48-3\t30\nX-1\t31\nEE-48-3\t32\nEE-48-1\t5');
    expect([faults, isOff]).toEqual([['Not on this mark sheet', 'This ID occurs twice'], false]);
  });

  test('warns of a name that is not the student’s', () => {
    const { plan } = paste('EE-48-1\tExample, One\t31\nEE-48-2\tSomebody Else\t32');
    expect(plan.map(({ otherName }) => otherName)).toEqual([undefined, 'Somebody Else']);
    expect(byUrgency(plan)[0]?.otherName).toBe('Somebody Else');
  });

  test('reaches students whom a filter hides', () => {
    const target = { ...TARGET, rows: STUDENTS.slice(3) };
    expect(paste('EE-48-1\t31\nEE-48-5\t35', { target }).marks).toEqual(['EE-48-1 Mid 31', 'EE-48-5 Mid 35']);
  });

  test('leaves out the rows that are no student’s', () => {
    const { marks, leftOut } = paste('Student\tID\tMid\n Points Possible\t\t50\n"Example, One"\tEE-48-1\t31');
    expect(marks).toEqual(['EE-48-1 Mid 31']);
    expect(leftOut).toEqual(['“Student”', 'Points Possible: full marks, not a student']);
    expect(paste('CMS ID\tMid\nMax\t50\nEE-48-1\t31').leftOut).toEqual(['Max: full marks, not a student']);
  });

  test('keeps students whose remark is such a text', () => {
    expect(paste('CMS ID\tMid\tRemarks\nEE-48-1\t50\tFull marks\nEE-48-2\t31\tMaximum').marks).toEqual([
      'EE-48-1 Mid 50',
      'EE-48-2 Mid 31',
    ]);
  });
});

describe('a pasted table without IDs', () => {
  test('leaves out names and serial numbers', () => {
    const {
      marks,
      leftOut,
      isMisfit: isOff,
    } = paste('1\tOne Example\t31\n2\tTwo Example\t32\n3\tThree Example\t33');
    expect([marks, isOff]).toEqual([MID, false]);
    expect(leftOut).toEqual(['column 1 (serial numbers)', 'column 2 (names)']);
  });

  test('is not offered where a name is that of somebody else', () => {
    expect(paste('Two Example\t32\nThree Example\t33').isMisfit).toBe(true);
  });

  test('says what lies outside of the grid', () => {
    const target = { ...TARGET, row: 4, column: 2 };
    const { faults, isMisfit: isOff } = paste('30\t1.5\n101\t8.5', { target });
    expect(faults).toEqual([
      'Right of the last component',
      'Below the last student',
      'Below the last student',
    ]);
    expect(isOff).toBe(true);
  });

  test('is asked about where it replaces marks', () => {
    const [first, ...others] = STUDENTS;
    const rows = first === undefined ? [] : [{ ...first, texts: new Map([[1, '5']]) }, ...others];
    const target = { ...TARGET, rows, students: rows };
    expect(paste('31\n32', { target }).isPlain).toBe(false);
    expect(paste('5\n32', { target }).isPlain).toBe(true);
  });
});
