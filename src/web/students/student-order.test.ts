import { describe, expect, it } from 'vitest';
import { FIRST_ORDER, nextOrder, reversedView, sortOf } from './student-order.ts';

describe('order of students', () => {
  it('turns round on the same column, and begins with the highest figures', () => {
    expect(nextOrder(FIRST_ORDER, 'id').direction).toBe('ascending');
    expect(nextOrder(FIRST_ORDER, 'name')).toEqual({ column: 'name', direction: 'ascending' });
    expect(nextOrder(undefined, 'fscMarks').direction).toBe('descending');
  });

  it('asks for the latest day of birth where the youngest come first', () => {
    expect(sortOf({ column: 'age', direction: 'ascending' })).toEqual({
      sort: 'dob',
      direction: 'descending',
    });
  });

  it('has another end, but for a search by relevance', () => {
    expect(reversedView({ syn: 'A' })).toEqual({ syn: 'A', sort: 'id', direction: 'ascending' });
    expect(reversedView({ q: 'ali', sort: 'name', direction: 'ascending' })).toEqual({
      q: 'ali',
      sort: 'name',
      direction: 'descending',
    });
    expect(reversedView({ q: 'ali' })).toBeUndefined();
  });
});
