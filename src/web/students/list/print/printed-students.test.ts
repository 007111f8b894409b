import { describe, expect, test } from 'vitest';
import { readCsv } from './printed-students.ts';

describe('reading an export to print it', () => {
  test('gives each line as its cells, with quotes and separators inside', () => {
    expect(readCsv('ID,Name\r\n1,"Khan, ""Ali"""\r\n2,\r\n')).toEqual([
      ['ID', 'Name'],
      ['1', 'Khan, "Ali"'],
      ['2', ''],
    ]);
  });

  test('removes the apostrophe before what a spreadsheet takes for a formula, and no other', () => {
    expect(readCsv("'+92 300 1,'Adil,O'Neill\r\n")).toEqual([['+92 300 1', "'Adil", "O'Neill"]]);
  });
});
