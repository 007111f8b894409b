import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCsv } from '../../../../tests/support/csv.ts';
import { CellScanner } from '../../../domain/columns/csv-cells.ts';
import { csvLine } from './csv.ts';

const troublesome = fc.stringMatching(/^[=+\-@\t\r\n'",; aé＝😀]{0,8}$/u);
const text = fc.oneof(fc.string({ unit: 'grapheme' }), troublesome);
const cell = fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }), fc.constant(null));

const expectedCell = (value: string | number | null) => {
  if (typeof value !== 'string') return String(value ?? '');
  return /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value;
};

test('csvLine returns a line that parses into the same cells, for any content', () => {
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { maxLength: 5 }), (rows) => {
      const csv = rows.map((row) => csvLine(row)).join('');
      expect(parseCsv(csv)).toEqual(rows.map((row) => row.map(expectedCell)));
    }),
  );
});

test('csvLine returns a line that the reader of uploaded files parses into the same cells', () => {
  fc.assert(
    fc.property(fc.array(cell, { minLength: 2, maxLength: 5 }), (row) => {
      const scanner = new CellScanner(csvLine(row));
      for (const value of row) {
        scanner.next();
        expect(scanner.value).toBe(expectedCell(value));
      }
    }),
  );
});

test('csvLine separates cells by semicolons if requested', () => {
  fc.assert(
    fc.property(fc.array(cell, { minLength: 2, maxLength: 5 }), (row) => {
      const line = csvLine(row, 'semicolon');
      const scanner = new CellScanner(line);
      for (const value of row) {
        scanner.next();
        expect(scanner.value).toBe(expectedCell(value));
      }
    }),
  );
  expect(csvLine(['Zoë', 3.5, 'a,b', null], 'semicolon')).toBe('Zoë;3.5;"a,b";\r\n');
});

// Covers A67
test('csvLine prefixes cells that a spreadsheet would evaluate as a formula', () => {
  const line = csvLine(['=1+1', '+923005550101', '-1', '@SUM(A1)', '\t=1', "O'Neil", '0300-5550123', 4]);
  expect(parseCsv(line)).toEqual([
    ["'=1+1", "'+923005550101", "'-1", "'@SUM(A1)", "'\t=1", "O'Neil", '0300-5550123', '4'],
  ]);
});
