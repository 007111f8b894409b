import { describe, expect, test } from 'vitest';
import { currentTerm } from './current-term.ts';

const term = (term_id: number, starts_on: string, ends_on: string) => ({
  ...{ term_id, starts_on, ends_on },
  ...{ name: `Term ${term_id}`, version: 1 },
  ...{ summer: false, add_until: null, drop_until: null, withdraw_until: null },
});
const TERMS = [
  term(3, '2027-02-01', '2027-06-30'),
  term(2, '2026-09-01', '2027-01-15'),
  term(1, '2026-02-01', '2026-06-30'),
];

describe('the current term', () => {
  test.each([
    ['during a term', '2026-10-10', 2],
    ['on its last day', '2027-01-15', 2],
    ['between two terms, the one before', '2026-07-20', 1],
    ['before all terms, the first', '2025-01-01', 1],
  ])('is found %s', (_case, today, id) => {
    expect(currentTerm(TERMS, today)?.term_id).toBe(id);
  });

  test('is missing without terms', () => {
    expect(currentTerm([], '2026-10-10')).toBeUndefined();
  });
});
