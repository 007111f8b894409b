import { describe, expect, it } from 'vitest';
import { toStudentFilter, toStudentsSearchParams, toStudentView } from './list-query.ts';
import {
  currentSort,
  parseStudentsSearchParams,
  withFilter,
  withoutFilters,
  withSort,
} from './search-params.ts';
import { DEFAULT_SORT } from './sort.ts';

const FULL = {
  q: 'ma & ra',
  department: 'CE',
  degree: '44',
  syn: 'B',
  current_sem: '3',
  gender: 'F',
  status: 'active,on-leave',
  standing: 'probation,review',
  cgpa_from: '2.5',
  cgpa_below: '4',
  incomplete: 'true',
  fell_by: '0.5',
  failed: '140737488355328',
  sort: 'fsc_marks',
  direction: 'descending',
} as const;

describe('the address of the students list', () => {
  it('leaves out the defaults', () => {
    expect(withSort({}, DEFAULT_SORT)).toEqual({});
    expect(currentSort({})).toEqual(DEFAULT_SORT);
  });

  it('keeps search, filters and order', () => {
    expect(parseStudentsSearchParams(FULL)).toEqual(FULL);
    for (const order of [
      { sort: 'name', direction: 'descending' },
      { sort: 'id', direction: 'ascending' },
      { sort: 'cgpa', direction: 'descending' },
    ] as const) {
      expect(currentSort(withSort(FULL, order))).toEqual(order);
    }
  });

  it('has the names and values of the API, with numbers as text and dates of birth as age', () => {
    expect(toStudentView(FULL)).toEqual({
      ...FULL,
      status: ['active', 'on-leave'],
      standing: ['probation', 'review'],
      current_sem: 3,
      cgpa_from: 2.5,
      cgpa_below: 4,
      fell_by: 0.5,
      failed: 140737488355328,
    });
    const oldestFirst = { sort: 'age', direction: 'descending' } as const;
    expect(toStudentView(oldestFirst)).toEqual({ sort: 'dob', direction: 'ascending' });
    for (const address of [FULL, oldestFirst, {}]) {
      expect(toStudentsSearchParams(toStudentView(address))).toEqual(address);
    }
  });

  it('reduces a search to what the API accepts', () => {
    expect(toStudentFilter({ q: ` a\0b\uD800 ${'x'.repeat(300)}` }).q).toHaveLength(198);
    expect(toStudentFilter({ q: '  ' })).toEqual({});
  });

  it('opens under earlier names of its columns', () => {
    expect(parseStudentsSearchParams({ sort: 'fscMarks' })).toEqual({ sort: 'fsc_marks' });
    expect(parseStudentsSearchParams({ sort: 'matricMarks' })).toEqual({ sort: 'matric_marks' });
  });

  it('orders a search by relevance, unless another order is asked for', () => {
    expect(currentSort({ q: 'ali' })).toBeUndefined();
    expect(currentSort(withSort({ q: 'ali' }, DEFAULT_SORT))).toEqual(DEFAULT_SORT);
  });

  it('drops what is not valid', () => {
    expect(parseStudentsSearchParams({ q: '', sort: 'toString', direction: 'up', page: '2' })).toEqual({});
    expect(parseStudentsSearchParams({ q: ['a'], sort: 'age' })).toEqual({ sort: 'age' });
    expect(
      parseStudentsSearchParams({
        department: 'XX',
        degree: ' ',
        syn: 'Z',
        current_sem: '9',
        gender: 'x',
        cgpa_from: '4.1',
        cgpa_below: '2.555',
        incomplete: 'yes',
        fell_by: '-1',
        failed: '1e3',
      }),
    ).toEqual({});
  });

  it('sets and removes a filter', () => {
    const address = withFilter({ q: 'ali', sort: 'name' }, 'syn', 'A');
    expect(address).toEqual({ q: 'ali', sort: 'name', syn: 'A' });
    expect(withFilter(address, 'syn', '')).toEqual({ q: 'ali', sort: 'name' });
    expect(withoutFilters(address)).toEqual({ q: 'ali', sort: 'name' });
  });
});
