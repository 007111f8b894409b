import { describe, expect, it } from 'vitest';
import { byId, FIRST_ORDER, inOrder, nextOrder } from './student-order.ts';
import type { StudentRow } from './student-row.ts';

const row = (values: Partial<StudentRow>): StudentRow => ({
  id: '1',
  name: 'Sana',
  dob: '2005-01-01',
  age: 20,
  degree: 'CE-45-A',
  fscMarks: 900,
  matricMarks: 900,
  searchText: '',
  ...values,
});
const ids = (rows: readonly StudentRow[]) => rows.map(({ id }) => id);

describe('order of students', () => {
  it('reads IDs as numbers, the newest first', () => {
    const rows = ['9', '10', 'B-2', '100'].map((id) => row({ id }));
    expect(ids(inOrder(byId(rows), FIRST_ORDER))).toEqual(['B-2', '100', '10', '9']);
  });

  it('puts the youngest first by age', () => {
    const rows = [row({ id: '1', dob: '2004-05-01' }), row({ id: '2', dob: '2004-06-01' })];
    expect(ids(inOrder(byId(rows), { column: 'age', direction: 'ascending' }))).toEqual(['2', '1']);
  });

  it('keeps to the ID where the column says nothing', () => {
    const rows = ['3', '1', '2'].map((id) => row({ id }));
    expect(ids(inOrder(byId(rows), { column: 'fscMarks', direction: 'descending' }))).toEqual([
      '1',
      '2',
      '3',
    ]);
  });

  it('turns round on the same column', () => {
    expect(nextOrder(FIRST_ORDER, 'id').direction).toBe('ascending');
    expect(nextOrder(FIRST_ORDER, 'name')).toEqual({ column: 'name', direction: 'ascending' });
    expect(nextOrder(FIRST_ORDER, 'fscMarks').direction).toBe('descending');
  });
});
