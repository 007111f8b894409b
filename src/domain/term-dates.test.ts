import { describe, expect, it } from 'vitest';
import { lastDaysFaults, withLastDays } from './term-dates.ts';

const TERM = { starts_on: '2026-09-07', ends_on: '2027-01-22' };
const faults = (add_until: string | null, drop_until: string | null, withdraw_until: string | null) =>
  lastDaysFaults({ ...TERM, add_until, drop_until, withdraw_until });

describe('the last days of a term', () => {
  it('may be missing, the same day, and the first and last day of the term', () => {
    expect(faults('2026-09-20', '2026-09-27', '2026-10-18')).toEqual({});
    expect(faults('2026-09-07', '2026-09-07', '2027-01-22')).toEqual({});
    expect(faults(null, '2026-09-27', null)).toEqual({});
    expect(faults(null, null, null)).toEqual({});
  });

  it('are in their order, within the term', () => {
    expect(faults('2026-09-06', null, '2027-01-23')).toEqual({
      add_until: 'The add until must not be before the start.',
      withdraw_until: 'The withdraw until must not be after the end.',
    });
    expect(faults('2026-09-27', null, '2026-09-20')).toEqual({
      withdraw_until: 'The withdraw until must not be before the add until.',
    });
    expect(faults('2026-09-20', '2026-09-19', '2026-10-18')).toEqual({
      drop_until: 'The drop until must not be before the add until.',
    });
  });
});

describe('the last days that a term lacks', () => {
  const filled = (
    days: Partial<Record<'add_until' | 'drop_until' | 'withdraw_until', string>>,
    ends_on = TERM.ends_on,
  ) =>
    Object.values(
      withLastDays({ ...TERM, ends_on, add_until: null, drop_until: null, withdraw_until: null, ...days }),
    );

  // Example 16
  it('are 2, 3 and 6 weeks after the start', () => {
    expect(filled({})).toEqual(['2026-09-20', '2026-09-27', '2026-10-18']);
  });

  it('are in order with those that are set, and no later than the end', () => {
    expect(filled({ drop_until: '2026-09-10' })).toEqual(['2026-09-10', '2026-09-10', '2026-10-18']);
    expect(filled({ add_until: '2026-10-01' })).toEqual(['2026-10-01', '2026-10-01', '2026-10-18']);
    expect(filled({}, '2026-09-25')).toEqual(['2026-09-20', '2026-09-25', '2026-09-25']);
  });
});
