import { describe, expect, test } from 'vitest';
import { readCell } from './cell-text.ts';
import { moveByKey, selectCell } from './selection.ts';

describe('the text of a cell', () => {
  test.each([
    ['', null],
    [' 0 ', 0],
    ['27,5', 27.5],
    ['.5', 0.5],
    ['a', 'A'],
    ['e', 'E'],
    ['Absent', 'A'],
    ['abs.', 'A'],
  ])('%j is a cell', (text, cell) => {
    expect(readCell(text, { max: 40 })).toEqual({ cell });
  });

  test.each([
    ['41', '41 is over the full marks of 40.'],
    ['-1', '-1 is below 0.'],
    ['1.234', '1.234 has more than two decimals.'],
    ['no', '“no” is no mark. Type a number, A for absent or E for excused.'],
  ])('%j is no mark', (text, fault) => {
    expect(readCell(text, { max: 40 })).toEqual({ fault });
  });

  test('may be above the full marks with a bonus', () => {
    expect(readCell('41', { max: 40, bonus: true })).toEqual({ cell: 41 });
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
