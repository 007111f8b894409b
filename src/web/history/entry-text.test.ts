import { describe, expect, it } from 'vitest';
import type { HistoryEntry } from '../../contract/history.ts';
import { describeEntry, valueText } from './entry-text.ts';

const anEntry = (entry: Partial<HistoryEntry>): HistoryEntry => ({
  id: 7,
  at: '2026-03-14T08:00:00.000Z',
  user: { id: 1, name: 'Sana' },
  action: 'create',
  entity: 'student',
  entity_id: 'S1',
  name: null,
  semester: null,
  bulk: null,
  import_id: null,
  import_file: null,
  restored_from: null,
  changes: [],
  ...entry,
});
const complete = (after: 'yes' | 'no') => [{ field: 'is_whole', label: 'Complete', before: null, after }];

describe('describeEntry', () => {
  it.each([
    ['began an export of students', { entity: 'export' }],
    [
      'exported a report',
      {
        entity: 'export',
        changes: [{ field: 'report', label: 'Report', before: null, after: 'ranking' }],
      },
    ],
    ['finished an export of students', { entity: 'export', action: 'update', changes: complete('yes') }],
    ['did not finish an export of students', { entity: 'export', action: 'update', changes: complete('no') }],
    ['entered the student', {}],
    ['registered', { entity: 'user' }],
    [
      'invited the user',
      {
        entity: 'user',
        changes: [{ field: 'waiting_for', label: 'Waiting for', before: null, after: 'invitation' }],
      },
    ],
    ['made grading policy 2', { entity: 'policy', entity_id: '2' }],
    [
      'made final the results of CE-46 in semester 3',
      {
        entity: 'result-notification',
        changes: [
          { field: 'class', label: 'Class', before: null, after: 'CE-46' },
          { field: 'semester', label: 'Semester', before: null, after: 3 },
        ],
      },
    ],
    ['made the mark sheet', { entity: 'sheet', semester: 3 }],
    [
      'opened a rectification, mark sheet',
      { entity: 'sheet', changes: [{ field: 'rectifies', label: 'Rectifies', before: null, after: 4 }] },
    ],
    ...(
      [
        ['took back the mark sheet', 'state', 'draft'],
        ['submitted the mark sheet', 'state', 'submitted'],
        ['confirmed the mark sheet', 'state', 'confirmed'],
        ['stored boundaries of the mark sheet', 'boundaries', 'A 85, B+ 80'],
        ['changed marks in the mark sheet', 'S1 · Quiz 1', 8],
        ['changed the mark sheet', 'title', 'Signals'],
      ] as const
    ).map(([text, field, after]): [string, Partial<HistoryEntry>] => [
      text,
      { entity: 'sheet', action: 'update', changes: [{ field, label: field, before: null, after }] },
    ]),
    ['restored the student', { restored_from: 6 }],
    [
      'changed the registration number',
      { action: 'update', changes: [{ field: 'id', label: 'Registration number', before: 'A', after: 'B' }] },
    ],
    ['deleted semester 2', { entity: 'semester', action: 'delete', semester: 2 }],
    ['restored semester 2', { entity: 'semester', semester: 2, restored_from: 6 }],
    ['changed the results of semester 2', { entity: 'semester', action: 'update', semester: 2 }],
  ] satisfies [string, Partial<HistoryEntry>][])('returns “%s”', (text, entry) => {
    expect(describeEntry(anEntry(entry))).toBe(text);
  });
});

describe('valueText', () => {
  it.each([
    [
      'A 85.00, B+ 78.50, B 70.00, C+ 63.00, C 55.00, D+ 47.00, D 40.00',
      'boundaries',
      '85 78.5 70 63 55 47 40',
    ],
    ['A 9.00, B+ 8.00, B 7.00, C+ 6.00, C 5.00, D+ 4.00, D 3.00', 'proposed_boundaries', '9 8 7 6 5 4 3'],
    ['none', 'boundaries', 'none'],
    ['Mean and standard deviation', 'method', 'mean-sd'],
    ['by hand', 'method', 'by hand'],
    ['14 March 2005', 'dob', '2005-03-14'],
  ])('returns “%s” for %s %s', (text, field, value) => {
    expect(valueText({ field }, value)).toBe(text);
  });

  it('returns null without a value', () => {
    expect(valueText({ field: 'boundaries' }, null)).toBeNull();
  });
});
