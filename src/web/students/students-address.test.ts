import { describe, expect, it } from 'vitest';
import { FIRST_ORDER } from './student-order.ts';
import { inOrderOf, orderOf, readStudentsAddress, withFilter, withoutFilters } from './students-address.ts';

const FULL = {
  q: 'ma & ra',
  department: 'CE',
  degree: '44',
  syn: 'B',
  current_sem: '3',
  gender: 'F',
  cgpa_from: '2.5',
  cgpa_below: '4',
  incomplete: 'true',
  fell_by: '0.5',
  failed: '140737488355328',
  sort: 'fscMarks',
  direction: 'descending',
} as const;

describe('the address of the list', () => {
  it('says nothing while all is as usual', () => {
    expect(inOrderOf({}, FIRST_ORDER)).toEqual({});
    expect(orderOf({})).toEqual(FIRST_ORDER);
  });

  it('brings back search, filters and order', () => {
    expect(readStudentsAddress(FULL)).toEqual(FULL);
    for (const order of [
      { column: 'name', direction: 'descending' },
      { column: 'id', direction: 'ascending' },
      { column: 'cgpa', direction: 'descending' },
    ] as const) {
      expect(orderOf(inOrderOf(FULL, order))).toEqual(order);
    }
  });

  it('orders a search by how well it matches, unless another order is asked for', () => {
    expect(orderOf({ q: 'ali' })).toBeUndefined();
    expect(orderOf(inOrderOf({ q: 'ali' }, FIRST_ORDER))).toEqual(FIRST_ORDER);
  });

  it('leaves out what means nothing', () => {
    expect(readStudentsAddress({ q: '', sort: 'toString', direction: 'up', page: '2' })).toEqual({});
    expect(readStudentsAddress({ q: ['a'], sort: 'age' })).toEqual({ sort: 'age' });
    expect(
      readStudentsAddress({
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

  it('takes a filter on and off', () => {
    const address = withFilter({ q: 'ali', sort: 'name' }, 'syn', 'A');
    expect(address).toEqual({ q: 'ali', sort: 'name', syn: 'A' });
    expect(withFilter(address, 'syn', '')).toEqual({ q: 'ali', sort: 'name' });
    expect(withoutFilters(address)).toEqual({ q: 'ali', sort: 'name' });
  });
});
