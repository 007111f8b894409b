import { describe, expect, test } from 'vitest';
import type { Sheet, SheetRowReply } from '../../../../contract/marksheets/sheets.ts';
import { DEFAULT_RULES } from '../../../../domain/grading/policy.ts';
import { gridStatistics } from './column-statistics.ts';
import { rowLetters } from './row-letters.ts';
import { showRows, toColumns } from './shown-rows.ts';
import { listUnsent, type UnsentCells } from './unsent-cells.ts';

type Mark = number | 'A' | 'E' | null;

const aRow = (id: string, mark: Mark, changes: Partial<SheetRowReply> = {}): SheetRowReply => ({
  ...{ student_id: id, first_name: 'Ali', last_name: id, syn: 'A', semester: 1, status: 'graded' },
  ...{ reason: null, cells: { 1: mark }, total: null, so_far: null, attendance: null },
  ...{ letter: null, points: null, attempt: 1, blocked: null, recorded: null },
  ...changes,
});

const aSheet = (rows: SheetRowReply[], changes: Partial<Sheet> = {}) => ({
  ...({ state: 'draft', method: 'absolute', params: {}, step: 0.5 } as const),
  ...{ boundaries: [90, 80, 70, 60, 50, 45, 40], boundaries_stored: true },
  categories: [
    {
      ...{ category_id: 9, name: 'Final', weight: 100, best_of: null },
      components: [{ component_id: 1, name: 'Final', max: 100 }],
    },
  ],
  rows,
  ...changes,
});

const typed = (id: string, text: string): UnsentCells => new Map([[id, new Map([[1, { text, was: null }]])]]);

function figures(sheet: ReturnType<typeof aSheet>, unsent: UnsentCells = new Map()) {
  const rows = showRows(sheet, unsent);
  return {
    statistics: gridStatistics(rows, toColumns(sheet)),
    letters: Object.fromEntries(rowLetters(sheet, rows, DEFAULT_RULES)),
  };
}

describe('the statistics of the grid', () => {
  test('leave out students who were absent or excused', () => {
    const marks = [10, 20, 'A', 'E', null] as const;
    const { statistics } = figures(aSheet(marks.map((mark, i) => aRow(`S-${i}`, mark))));
    expect(statistics.ofColumns).toEqual([{ mean: 15, std_dev: 5, missing: 1 }]);
    const none = figures(aSheet([aRow('S-1', null)])).statistics;
    expect(none.ofColumns).toEqual([{ mean: null, std_dev: null, missing: 1 }]);
  });

  test('are of the same rows for a component and for the total', () => {
    const rows = [aRow('S-1', 60), aRow('S-2', 80), aRow('S-3', 1, { status: 'withdrawn' })];
    const { ofColumns, ofTotal } = figures(aSheet(rows)).statistics;
    expect(ofTotal).toEqual({ mean: 70, std_dev: 10, missing: 0 });
    expect(ofColumns).toEqual([ofTotal]);
  });
});

describe('the letters of the grid', () => {
  test('follow from the totals as they are shown, with what is not sent yet', () => {
    const rows = [aRow('S-1', null), aRow('S-2', 79.99), aRow('S-3', 95, { status: 'withdrawn' })];
    expect(figures(aSheet(rows), typed('S-1', '80')).letters).toEqual({ 'S-1': 'B+', 'S-2': 'B' });
    expect(figures(aSheet(rows), typed('S-1', '800')).letters).toEqual({ 'S-2': 'B' });
  });

  test('follow from the method while no boundaries are stored', () => {
    const params = { boundaries: [50, 40, 30, 20, 15, 10, 5] };
    const sheet = aSheet([aRow('S-1', 50)], { params, boundaries: null, boundaries_stored: false });
    expect(figures(sheet).letters).toEqual({ 'S-1': 'A' });
  });

  test('are those that were submitted once the sheet is no draft', () => {
    const rows = [aRow('S-1', 50, { letter: 'B' }), aRow('S-2', 50, { letter: null })];
    expect(figures(aSheet(rows, { state: 'confirmed' })).letters).toEqual({ 'S-1': 'B' });
  });
});

describe('the unsent marks of a sheet', () => {
  const unsent: UnsentCells = new Map(
    [
      ['S-9', '7'],
      ['S-3', '8'],
      ['S-2', '70'],
      ['S-1', '101'],
      ['S-4', '60'],
    ].map(([id = '', text = '']) => [id, new Map([[1, { text, was: null }]])]),
  );

  test('are listed in the order of the rows, those without a place last', () => {
    const rows = [aRow('S-1', null), aRow('S-2', 60), aRow('S-3', null), aRow('S-4', 60)];
    expect(listUnsent(aSheet(rows), unsent).map(({ studentId, kind }) => [studentId, kind])).toEqual([
      ['S-1', 'wrong'],
      ['S-2', 'conflict'],
      ['S-3', 'waiting'],
      ['S-9', 'lost'],
    ]);
  });

  test('with the reason why a mark is wrong', () => {
    const [wrong] = listUnsent(aSheet([aRow('S-1', null)]), typed('S-1', '101'));
    expect(wrong).toMatchObject({ text: '101', fault: '101 is over the full marks of 100.' });
  });
});
