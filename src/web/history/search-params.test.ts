import { describe, expect, test } from 'vitest';
import { parseHistorySearchParams, toHistoryQuery } from './search-params.ts';

describe('the search parameters of the history', () => {
  test('keep valid values only', () => {
    const address = {
      kind: 'deleted-students',
      student: 'Talha Butt',
      user: '7',
      from: '2026-03-14',
      to: '2026-03-15',
    };
    expect(parseHistorySearchParams(address)).toEqual(address);
    expect(
      parseHistorySearchParams({
        kind: 'toString',
        student: '  ',
        user: '0',
        from: '2026-13-01',
        to: 'today',
        colour: 'red',
      }),
    ).toEqual({});
  });

  test('become timestamps of whole days in the browser’s time zone', () => {
    const { from, to, ...rest } = toHistoryQuery({
      ...{ kind: 'deleted-students', student: 'S1', user: '7', from: '2026-03-14', to: '2026-03-14' },
    });
    expect(rest).toEqual({ entity: 'student', action: 'delete', student: 'S1', user: '7' });
    expect(Date.parse(to ?? '') - Date.parse(from ?? '')).toBe(24 * 60 * 60_000 - 1);
    expect(new Date(from ?? '').getHours()).toBe(0);
  });
});
