import { describe, expect, test } from 'vitest';
import type { Import, ImportColumn } from '../../../contract/imports.ts';
import {
  asksForOrder,
  assignField,
  chooseLayout,
  columnLetter,
  dateExample,
  fieldOptions,
  fieldsWithoutColumn,
  fromDraft,
  initialChoices,
  missingFields,
  needsNameSplit,
  toDraft,
  toPreviewInput,
} from './column-choices.ts';

const column = (index: number, field: string | null, rest: Partial<ImportColumn> = {}): ImportColumn => ({
  ...{ index, heading: field ?? `Column ${index}`, samples: [], field, date_order: null, ambiguous: false },
  ...{ may_have_marks: false, absent: [] },
  ...rest,
});
const field = (name: string, rest: Partial<Import['fields'][number]> = {}) => ({
  ...{ field: name, label: name, required: true, is_date: false, gives: [] },
  ...rest,
});

const FIELDS = [
  field('id'),
  field('first_name'),
  field('last_name'),
  field('full_name', { required: false, gives: ['first_name', 'last_name'] }),
  field('dob', { is_date: true }),
  field('joining_date', { is_date: true }),
];
const FILE = {
  columns: [
    column(0, 'id'),
    column(1, 'full_name'),
    column(2, 'joining_date', { ambiguous: true, samples: ['02/02/2027', '01/02/2027'] }),
    column(3, 'dob', { date_order: 'month-first' }),
  ],
  fields: FIELDS,
  course_columns: [],
  choices: null,
};

describe('the choices of columns', () => {
  test('begin as recognised, dates in the order that the others prove', () => {
    const choices = initialChoices(FILE);
    expect(choices.fields).toEqual(['id', 'full_name', 'joining_date', 'dob']);
    expect(choices.dateOrders).toEqual({ 2: 'month-first' });
    expect(missingFields(FILE, choices)).toEqual([]);
  });

  test('begin as in the latest preview', () => {
    const before = {
      mapping: { id: 3 },
      mode: 'update',
      layout: 'row-per-subject',
      absent: 'refuse',
    } as const;
    const choices = initialChoices({ ...FILE, choices: { ...before, fixes: [], accept: [] } });
    expect(choices.fields).toEqual([undefined, undefined, undefined, 'id']);
    expect(choices.mode).toBe('update');
  });

  test('are the same after a reload as before it', () => {
    const choices = {
      ...assignField(initialChoices(FILE), 1, undefined),
      dateOrders: { 2: 'day-first' },
      values: { first_name: 'Ayesha', last_name: '' },
      mode: 'update',
      nameSplit: 'first-word',
      decimal: 'comma',
      absent: 'leave_out',
    } as const;
    expect(fromDraft(FILE, JSON.parse(JSON.stringify(toDraft(choices))))).toEqual(choices);
  });

  test('are as recognised where a draft has what can not be', () => {
    const draft = {
      'field 0': 'nothing',
      'field 1': 'id',
      'order 2': 'year-first',
      mode: 'all',
      layout: 'x',
    };
    const first = initialChoices(FILE);
    expect(fromDraft(FILE, draft)).toEqual({ ...first, fields: [undefined, 'id', 'joining_date', 'dob'] });
    expect(fromDraft(FILE, {})).toEqual(first);
  });

  test('give a field to one column only', () => {
    const choices = assignField(initialChoices(FILE), 1, 'id');
    expect(choices.fields).toEqual([undefined, 'id', 'joining_date', 'dob']);
    expect(missingFields(FILE, choices).map((one) => one.field)).toEqual(['first_name', 'last_name']);
  });

  test('take one value for all rows for a field without a column', () => {
    const without = assignField(initialChoices(FILE), 3, undefined);
    expect(missingFields(FILE, without).map((one) => one.field)).toEqual(['dob']);
    const choices = { ...without, values: { dob: '2005-03-14' } };
    expect(missingFields(FILE, choices)).toEqual([]);
    expect(fieldsWithoutColumn(FILE, choices).map((one) => one.field)).toEqual(['dob']);
    expect(toPreviewInput(FILE, choices).values).toEqual({ dob: '2005-03-14' });
  });

  test('are sent with the corrections of the latest preview, and without what was accepted there', () => {
    const fixes = [{ line: 2, field: 'id', value: '7' }];
    const before = { mode: 'both', layout: 'row-per-subject', absent: 'refuse', fixes, accept: [3] } as const;
    const file = { ...FILE, choices: { ...before, fixes, accept: [3] } };
    expect(toPreviewInput(file, initialChoices(file))).toMatchObject({ fixes, accept: [] });
  });

  test('need no required fields for changes alone', () => {
    expect(missingFields(FILE, { ...initialChoices(FILE), fields: ['id'], mode: 'update' })).toEqual([]);
  });

  test('are sent with the order of dates of columns that are read as dates only', () => {
    const recognised = initialChoices(FILE);
    expect(needsNameSplit(recognised)).toBe(true);
    const choices = { ...recognised, nameSplit: 'last-word' } as const;
    expect(needsNameSplit(choices)).toBe(false);
    expect(toPreviewInput(FILE, choices)).toMatchObject({
      mapping: { id: 0, full_name: 1, joining_date: 2, dob: 3 },
      date_orders: { 2: 'month-first' },
      name_split: 'last-word',
    });
    const other = assignField(choices, 2, undefined);
    const [, , joined] = FILE.columns;
    expect(toPreviewInput(FILE, other).date_orders).toEqual({});
    expect(joined && asksForOrder(FILE, other, joined)).toBe(false);
    expect(joined && asksForOrder(FILE, choices, joined)).toBe(true);
  });
});

describe('the choices of results with a column per course', () => {
  const file = {
    columns: [column(0, 'student_id'), column(1, null, { heading: 'CS-101' }), column(2, null)],
    fields: [field('student_id'), field('semester'), field('grade', { required: false })],
    course_columns: [1],
    choices: null,
  };

  test('begin with the columns that have grades of courses', () => {
    const choices = initialChoices(file);
    expect(choices.layout).toBe('column-per-course');
    expect(choices.fields).toEqual(['student_id', 'grade CS-101', undefined]);
    expect(missingFields(file, choices).map((one) => one.field)).toEqual(['semester']);
  });

  test('read a column as grades of its own heading only', () => {
    const options = fieldOptions(file, 'column-per-course', { heading: 'CS-102' });
    expect(options.map((one) => one.field)).toEqual(['student_id', 'semester', 'grade CS-102']);
  });

  test('are the same after a reload with another layout', () => {
    const other = chooseLayout(file, initialChoices(file), 'row-per-subject');
    for (const choices of [other, assignField(initialChoices(file), 1, undefined)]) {
      expect(fromDraft(file, toDraft(choices))).toEqual(choices);
    }
  });

  test('begin anew with another layout', () => {
    expect(chooseLayout(file, initialChoices(file), 'row-per-subject').fields).toEqual([
      'student_id',
      undefined,
      undefined,
    ]);
  });
});

describe('the example of a date', () => {
  test.each([
    ['day-first', '1 February 2027'],
    ['month-first', '2 January 2027'],
  ] as const)('is read out %s, of a date that tells the orders apart', (order, text) => {
    expect(dateExample({ samples: ['02/02/2027', '01/02/2027'] }, order)).toEqual(['01/02/2027', text]);
  });

  test('is missing without a date', () => {
    expect(dateExample({ samples: ['soon'] }, 'day-first')).toBeNull();
  });
});

test.each([
  [0, 'A'],
  [25, 'Z'],
  [26, 'AA'],
  [701, 'ZZ'],
])('column %d has the letters of a spreadsheet: %s', (index, letter) => {
  expect(columnLetter(index)).toBe(letter);
});
