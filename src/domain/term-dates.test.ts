import { describe, expect, it } from 'vitest';
import { lastDaysFaults } from './term-dates.ts';

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
