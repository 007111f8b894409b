import { describe, expect, it } from 'vitest';
import { DEFAULT_SORT, fromStudentOrder, reversedView, toggleSort, toStudentOrder } from './sort.ts';

describe('the order of the students list', () => {
  it('reverses on the same column and starts with the highest marks', () => {
    expect(toggleSort(DEFAULT_SORT, 'id').direction).toBe('ascending');
    expect(toggleSort(DEFAULT_SORT, 'name')).toEqual({ sort: 'name', direction: 'ascending' });
    expect(toggleSort(undefined, 'fsc_marks').direction).toBe('descending');
  });

  it('sorts by the latest date of birth for the youngest first', () => {
    const youngestFirst = { sort: 'age', direction: 'ascending' } as const;
    expect(toStudentOrder(youngestFirst)).toEqual({ sort: 'dob', direction: 'descending' });
    expect(fromStudentOrder(toStudentOrder(youngestFirst))).toEqual(youngestFirst);
  });

  it('can be read in reverse, except for a search by relevance', () => {
    expect(reversedView({ syn: 'A' })).toEqual({ syn: 'A', from: 'end' });
    expect(reversedView({ q: 'ali', sort: 'name', direction: 'ascending' })).toEqual({
      q: 'ali',
      sort: 'name',
      direction: 'ascending',
      from: 'end',
    });
    expect(reversedView({ q: 'ali' })).toBeUndefined();
  });
});
