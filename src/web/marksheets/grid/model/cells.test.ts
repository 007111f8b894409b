import { describe, expect, test } from 'vitest';
import { readCell } from './cell-text.ts';
import { hasIds, planById, planByPlace, readTable } from './paste.ts';
import { moveByKey, selectCell } from './selection.ts';

describe('the text of a cell', () => {
  test.each([
    ['', null],
    [' 0 ', 0],
    ['27,5', 27.5],
    ['.5', 0.5],
    ['a', 'A'],
    ['e', 'E'],
  ])('%j is a cell', (text, cell) => {
    expect(readCell(text, { max: 40 })).toEqual({ cell });
  });

  test.each([
    ['41', '41 is over the full marks of 40.'],
    ['-1', '-1 is below 0.'],
    ['1.234', '1.234 has more than two decimals.'],
    ['abs', '“abs” is no mark. Type a number, A for absent or E for excused.'],
  ])('%j is no mark', (text, fault) => {
    expect(readCell(text, { max: 40 })).toEqual({ fault });
  });

  test('may be above the full marks with a bonus', () => {
    expect(readCell('41', { max: 40, bonus: true })).toEqual({ cell: 41 });
  });
});

const TARGET = {
  rows: ['S-1', 'S-2', 'S-3'].map((studentId) => ({
    studentId,
    name: studentId,
    texts: new Map([[1, '5']]),
  })),
  components: [
    { component_id: 1, name: 'Mid', max: 40 },
    { component_id: 2, name: 'Final', max: 100 },
  ],
  row: 1,
  column: 0,
};

describe('a paste', () => {
  test('reads the cells of a spreadsheet', () => {
    expect(readTable('S-1\t30\r\n"S ""2"""\t\r\n')).toEqual([
      ['S-1', '30'],
      ['S "2"', ''],
    ]);
    expect(readTable('S-1;30\nS-2;31')).toEqual([
      ['S-1', '30'],
      ['S-2', '31'],
    ]);
  });

  test('goes by ID where the first column has IDs of the sheet', () => {
    const table = readTable('CMS ID\tMid\ns-3\t30\nX\t31\nS-3\t32\nS-1\t5\n');
    expect(hasIds(table, TARGET.rows)).toBe(true);
    expect(
      planById(table, TARGET).map(({ id, before, after, fault, isChange }) => [
        id,
        before,
        after,
        fault,
        isChange,
      ]),
    ).toEqual([
      ['s-3', '5', '30', undefined, true],
      ['X', '', '31', 'Not on this mark sheet', false],
      ['S-3', '5', '32', 'This ID occurs twice', false],
      ['S-1', '5', '5', undefined, false],
    ]);
    expect(hasIds(readTable('30\t31\n32\t33'), TARGET.rows)).toBe(false);
    expect(hasIds(readTable('S-1\nS-2'), TARGET.rows)).toBe(false);
  });

  test('by place says what lies outside of the grid', () => {
    const plan = planByPlace(readTable('30\t101\t1\n7\n8'), TARGET);
    expect(plan.map(({ row, fault }) => [row?.studentId, fault])).toEqual([
      ['S-2', undefined],
      ['S-2', '101 is over the full marks of 100.'],
      ['S-2', 'Right of the last component'],
      ['S-3', undefined],
      [undefined, 'Below the last student'],
    ]);
  });
});

describe('moving in the grid', () => {
  const press = (key: string, from = { row: 1, column: 1 }, keys = {}) =>
    moveByKey(
      selectCell(from),
      { key, shiftKey: false, ctrlKey: false, metaKey: false, ...keys },
      { rows: 4, columns: 3 },
      2,
    );

  test.each([
    ['ArrowDown', {}, { row: 2, column: 1 }],
    ['ArrowDown', { ctrlKey: true }, { row: 3, column: 1 }],
    ['Home', {}, { row: 1, column: 0 }],
    ['End', { ctrlKey: true }, { row: 3, column: 2 }],
    ['PageDown', {}, { row: 3, column: 1 }],
    ['PageUp', {}, { row: 0, column: 1 }],
    ['Enter', { shiftKey: true }, { row: 0, column: 1 }],
    ['Tab', {}, { row: 1, column: 2 }],
  ])('%s with %j', (key, keys, current) => {
    expect(press(key, undefined, keys)?.current).toEqual(current);
  });

  test('with Shift changes the other end', () => {
    expect(press('ArrowRight', undefined, { shiftKey: true })).toEqual({
      current: { row: 1, column: 1 },
      end: { row: 1, column: 2 },
    });
  });

  test('by Enter returns to the column in which Tab began', () => {
    const tabbed = press('Tab', { row: 0, column: 0 });
    const key = { key: 'Enter', shiftKey: false, ctrlKey: false, metaKey: false };
    expect(tabbed && moveByKey(tabbed, key, { rows: 4, columns: 3 }, 2)?.current).toEqual({
      row: 1,
      column: 0,
    });
  });

  test('by Tab goes to the next row, and leaves after the last cell', () => {
    expect(press('Tab', { row: 1, column: 2 })?.current).toEqual({ row: 2, column: 0 });
    expect(press('Tab', { row: 3, column: 2 })).toBeUndefined();
  });
});
