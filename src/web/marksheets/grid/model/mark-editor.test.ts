import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CellsInput } from '../../../../contract/marksheets/sheets.ts';
import type { Cell } from '../../../../domain/marksheets/totals.ts';
import { readCell } from './cell-text.ts';
import { type EditedSheet, MarkEditor, type StoredCells } from './mark-editor.ts';
import { type Unsent, type UnsentCells, viewCell, withCells } from './unsent-cells.ts';

const COMPONENT = { component_id: 1, name: 'Mid', max: 40 };

/** A sheet with one component and a student for each cell. */
const toSheet = (cells: readonly Cell[], version = 1): EditedSheet => ({
  ...{ state: 'draft', version },
  categories: [{ components: [COMPONENT] }],
  rows: cells.map((cell, i) => ({ student_id: `S-${i}`, cells: { 1: cell } })),
});

interface Call {
  cells: CellsInput['cells'];
  answer: (reply: Partial<StoredCells>) => Promise<void>;
  fail: (error: unknown) => Promise<void>;
}

/** @param kept what this browser keeps, by this window and others */
function openEditor(sheet: EditedSheet, kept: UnsentCells = new Map()) {
  const calls: Call[] = [];
  const editor = new MarkEditor<Cell>(sheet, {
    empty: null,
    read: readCell,
    readKept: () => kept,
    send: (cells) =>
      new Promise((resolve, reject) => {
        const settled = async () => void (await vi.advanceTimersByTimeAsync(0));
        calls.push({
          cells,
          answer: (reply) => {
            // The rows as they are after the call.
            const rows = cells.map(({ student_id, value }) => ({ student_id, cells: { 1: value } }));
            resolve({ conflicts: [], rows, ...reply });
            return settled();
          },
          fail: (error) => {
            reject(error);
            return settled();
          },
        });
      }),
    getRefusal: (error) => (error === 'refused' ? 'It is submitted.' : undefined),
    keep: (changes) => {
      kept = withCells(kept, changes);
      return true;
    },
  });
  /** Another window keeps a cell, or has stored it. */
  const keepElsewhere = (row: number, unsent: Unsent | undefined) => {
    kept = withCells(kept, [[{ studentId: `S-${row}`, componentId: 1 }, unsent]]);
    editor.follow();
  };
  const keepOnly = (cells: UnsentCells) => {
    kept = cells;
    editor.follow();
  };
  const type = (row: number, text: string) => editor.type([{ studentId: `S-${row}`, componentId: 1, text }]);
  const unsentTexts = () =>
    [...editor.getState().unsent].map(([id, row]) => [id, ...[...row.values()].map(({ text }) => text)]);
  return { editor, calls, type, unsentTexts, keepElsewhere, keepOnly, countKept: () => kept.size };
}

const later = () => vi.advanceTimersByTimeAsync(60_000);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

describe('the editor of marks', () => {
  test('sends what was typed in one call, with what the cells held', async () => {
    const { calls, type, unsentTexts } = openEditor(toSheet([null, 12]));
    type(0, '30');
    type(1, 'a');
    await later();
    expect(calls.map(({ cells }) => cells)).toEqual([
      [
        { student_id: 'S-0', component_id: 1, value: 30, was: null },
        { student_id: 'S-1', component_id: 1, value: 'A', was: 12 },
      ],
    ]);
    await calls[0]?.answer({});
    expect(unsentTexts()).toEqual([]);
  });

  test('sends a mark that is typed during a call on top of what that call stores', async () => {
    const { calls, type, unsentTexts } = openEditor(toSheet([null]));
    type(0, '30');
    await later();
    type(0, '31');
    await calls[0]?.answer({});
    await later();
    expect(calls[1]?.cells).toMatchObject([{ value: 31, was: 30 }]);
    await calls[1]?.answer({});
    expect(unsentTexts()).toEqual([]);
  });

  test('repeats a call whose reply was lost before it sends a newer mark', async () => {
    const { editor, calls, type } = openEditor(toSheet([null]));
    type(0, '30');
    await later();
    await calls[0]?.fail('offline');
    expect(editor.getState().save).toBe('retrying');
    type(0, '31');
    await later();
    expect(calls[1]?.cells).toMatchObject([{ value: 30, was: null }]);
    await calls[1]?.answer({});
    await later();
    expect(calls[2]?.cells).toMatchObject([{ value: 31, was: 30 }]);
  });

  test('waits for a choice where somebody else has stored another value', async () => {
    const { editor, calls, type, unsentTexts } = openEditor(toSheet([null]));
    type(0, '30');
    editor.update(toSheet([25], 2));
    await later();
    expect(calls).toEqual([]);
    editor.keepMine({ studentId: 'S-0', componentId: 1 });
    await later();
    expect(calls[0]?.cells).toMatchObject([{ value: 30, was: 25 }]);
    await calls[0]?.answer({});
    expect(unsentTexts()).toEqual([]);
  });

  test('is done where somebody else has stored the same value', async () => {
    const { editor, calls, type, unsentTexts } = openEditor(toSheet([null]));
    type(0, '30');
    editor.update(toSheet([30], 2));
    await later();
    expect(unsentTexts()).toEqual([]);
    expect(calls).toEqual([]);
  });

  test('keeps a wrong mark to itself', async () => {
    const { calls, type, unsentTexts } = openEditor(toSheet([5]));
    type(0, '41');
    await later();
    expect(calls).toEqual([]);
    expect(unsentTexts()).toEqual([['S-0', '41']]);
  });

  test('stops when marks are refused, and goes on with another version of the sheet', async () => {
    const { editor, calls, type } = openEditor(toSheet([null]));
    type(0, '30');
    await later();
    await calls[0]?.fail('refused');
    await later();
    expect(editor.getState()).toMatchObject({ save: 'refused', refusal: 'It is submitted.' });
    expect(calls).toHaveLength(1);
    editor.update(toSheet([null], 2));
    await later();
    expect(calls).toHaveLength(2);
  });

  test('takes a step back, but no cell that somebody else has changed since', async () => {
    const { editor, calls, unsentTexts } = openEditor(toSheet([1, 2]));
    editor.type([
      { studentId: 'S-0', componentId: 1, text: '30' },
      { studentId: 'S-1', componentId: 1, text: '31' },
    ]);
    await later();
    await calls[0]?.answer({});
    editor.update(toSheet([30, 9], 3));
    expect(editor.undo()).toEqual({ cells: [expect.objectContaining({ studentId: 'S-0' })], left: 1 });
    expect(unsentTexts()).toEqual([['S-0', '1']]);
  });

  test('follows what another window keeps: what is wrong there is shown, and goes when it is mended', () => {
    const { calls, type, unsentTexts, keepOnly } = openEditor(toSheet([5, 6, 7]));
    type(0, '41');
    const toKept = (texts: readonly string[]): UnsentCells =>
      new Map(texts.map((text, i) => [`S-${i}`, new Map([[1, { text, was: i + 5 }]])]));
    keepOnly(toKept(['41', '42', '8']));
    expect(unsentTexts()).toEqual([
      ['S-0', '41'],
      ['S-1', '42'],
    ]);
    keepOnly(toKept(['43']));
    expect(unsentTexts()).toEqual([['S-0', '43']]);
    keepOnly(toKept([]));
    expect(unsentTexts()).toEqual([]);
    type(1, '9');
    keepOnly(toKept([]));
    expect(unsentTexts()).toEqual([['S-1', '9']]);
    expect(calls).toHaveLength(0);
  });

  test('sends what another window has left behind', async () => {
    const { editor, calls, unsentTexts, keepElsewhere } = openEditor(toSheet([null, 6]));
    keepElsewhere(0, { text: '30', was: null });
    keepElsewhere(1, { text: '31', was: 6, sent: 31 });
    expect(unsentTexts()).toEqual([]);
    expect([...editor.getState().elsewhere.keys()]).toEqual(['S-0', 'S-1']);
    await later();
    await calls[0]?.answer({});
    await later();
    await calls[1]?.answer({});
    expect(calls.map(({ cells }) => cells)).toEqual([
      [{ student_id: 'S-0', component_id: 1, value: 30, was: null }],
      [{ student_id: 'S-1', component_id: 1, value: 31, was: 6 }],
    ]);
    expect(editor.getState().elsewhere.size).toBe(0);
    expect(unsentTexts()).toEqual([]);
  });

  test('leaves a mark to the other window that goes on with it', async () => {
    const { calls, unsentTexts, keepElsewhere } = openEditor(toSheet([null, 6]));
    keepElsewhere(0, { text: '3', was: null });
    await vi.advanceTimersByTimeAsync(4000);
    keepElsewhere(0, { text: '30', was: null });
    await vi.advanceTimersByTimeAsync(4000);
    keepElsewhere(0, undefined);
    await later();
    expect(calls).toEqual([]);
    expect(unsentTexts()).toEqual([]);
  });

  test('gives back a mark that it has taken over when the other window stores or changes it', async () => {
    const { calls, unsentTexts, keepElsewhere } = openEditor(toSheet([null, null]));
    keepElsewhere(0, { text: '30', was: null });
    keepElsewhere(1, { text: '31', was: null });
    await later();
    await calls[0]?.fail('offline');
    keepElsewhere(0, undefined);
    keepElsewhere(1, { text: '32', was: null });
    expect(unsentTexts()).toEqual([['S-1', '32']]);
    await later();
    expect(calls[1]?.cells).toMatchObject([{ student_id: 'S-1', value: 32, was: null }]);
  });

  test('begins with what is kept, and leaves it to another window that goes on with it', () => {
    const row = (text: string) => new Map([[1, { text, was: null }]]);
    const { unsentTexts, keepElsewhere } = openEditor(
      toSheet([null, null]),
      new Map([
        ['S-0', row('3')],
        ['S-1', row('4')],
      ]),
    );
    keepElsewhere(0, { text: '30', was: null });
    expect(unsentTexts()).toEqual([
      ['S-0', '30'],
      ['S-1', '4'],
    ]);
  });

  test('keeps a large paste in several tasks, and all of it before the page is left or it is sent', async () => {
    const marks = Array.from({ length: 1200 }, () => null);
    const { editor, calls, countKept } = openEditor(toSheet(marks));
    const cells = marks.map((_, i) => ({ studentId: `S-${i}`, componentId: 1, text: '7' }));
    editor.type(cells);
    expect(countKept()).toBe(500);
    await vi.advanceTimersByTimeAsync(10);
    expect(countKept()).toBe(1200);
    editor.undo();
    expect(countKept()).toBe(700);
    editor.keepAll();
    expect(countKept()).toBe(0);
    editor.redo();
    editor.sendNow();
    expect(countKept()).toBe(1200);
    expect(calls[0]?.cells).toHaveLength(1000);
  });

  test('tells of many changed cells in a later task, and of few at once', async () => {
    const marks = Array.from({ length: 1200 }, () => null);
    const { editor, type } = openEditor(toSheet(marks));
    const heard = vi.fn();
    editor.subscribe(heard);
    editor.type(marks.map((_, i) => ({ studentId: `S-${i}`, componentId: 1, text: '7' })));
    expect(heard).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(10);
    expect(heard).toHaveBeenCalled();
    heard.mockClear();
    type(0, '8');
    expect(heard).toHaveBeenCalled();
  });

  test('changes nothing when other windows keep what they kept', () => {
    const { editor, type, keepElsewhere } = openEditor(toSheet([5, 6]));
    type(0, '41');
    keepElsewhere(1, { text: '42', was: 6 });
    const state = editor.getState();
    keepElsewhere(1, { text: '42', was: 6 });
    expect(editor.getState()).toBe(state);
  });
});

describe('an unsent cell', () => {
  test.each([
    ['waiting while the stored value is the old one', 5, { text: '7', was: 5 }, 'waiting'],
    ['stored once it is the typed one', 7, { text: '7', was: 5 }, 'stored'],
    ['waiting while the reply to its call is missing', 7, { text: '7', was: 5, sent: 7 }, 'waiting'],
    ['no conflict with what was sent before', 7, { text: '8', was: 5, sent: 7 }, 'waiting'],
    ['in conflict with another value', 6, { text: '7', was: 5 }, 'conflict'],
    ['wrong above the full marks', 5, { text: '41', was: 5 }, 'wrong'],
  ])('is %s', (_case, stored, unsent, kind) => {
    expect(viewCell(stored, unsent, COMPONENT).kind).toBe(kind);
  });
});
