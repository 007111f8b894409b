import { describe, expect, it } from 'vitest';
import { FIRST_ORDER } from './student-order.ts';
import { addressOf, orderOf, readStudentsAddress } from './students-address.ts';

describe('the address of the list', () => {
  it('says nothing while all is as usual', () => {
    expect(addressOf('', FIRST_ORDER)).toEqual({});
    expect(orderOf({})).toEqual(FIRST_ORDER);
  });

  it('brings back the search and the order that it was made from', () => {
    for (const order of [
      { column: 'name', direction: 'descending' },
      { column: 'id', direction: 'ascending' },
      { column: 'fscMarks', direction: 'descending' },
    ] as const) {
      const address = addressOf('ma & ra', order);
      expect(readStudentsAddress({ ...address })).toEqual(address);
      expect(address.q).toBe('ma & ra');
      expect(orderOf(address)).toEqual(order);
    }
  });

  it('leaves out what means nothing', () => {
    expect(readStudentsAddress({ q: '', sort: 'toString', direction: 'up', page: '2' })).toEqual({});
    expect(readStudentsAddress({ q: ['a'], sort: 'age' })).toEqual({ sort: 'age' });
  });
});
