import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCsv } from '../../../../tests/support/csv.ts';
import { CellScanner } from '../../../domain/csv-cells.ts';
import { csvLine } from './csv.ts';

const troublesome = fc.stringMatching(/^[=+\-@\t\r\n'",; aé＝😀]{0,8}$/u);
const text = fc.oneof(fc.string({ unit: 'grapheme' }), troublesome);
const cell = fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }), fc.constant(null));

const shownAs = (value: string | number | null) => {
  if (typeof value !== 'string') return String(value ?? '');
  return /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value;
};

test('is read back as the same cells, whatever they hold', () => {
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { maxLength: 5 }), (rows) => {
      const csv = rows.map(csvLine).join('');
      expect(parseCsv(csv)).toEqual(rows.map((row) => row.map(shownAs)));
    }),
  );
});

test('is read back by the reader of uploads too, which also takes semicolons and tabs for separators', () => {
  fc.assert(
    fc.property(fc.array(cell, { minLength: 2, maxLength: 5 }), (row) => {
      const scanner = new CellScanner(csvLine(row));
      for (const value of row) {
        scanner.next();
        expect(scanner.value).toBe(shownAs(value));
      }
    }),
  );
});

test('has no cell that a spreadsheet would work out', () => {
  const line = csvLine(['=1+1', '+923005550101', '-1', '@SUM(A1)', '\t=1', "O'Neil", '0300-5550123', 4]);
  expect(parseCsv(line)).toEqual([
    ["'=1+1", "'+923005550101", "'-1", "'@SUM(A1)", "'\t=1", "O'Neil", '0300-5550123', '4'],
  ]);
});
