import type { StudentRow } from './student-row.ts';

const COLUMNS = ['id', 'name', 'age', 'degree', 'fscMarks', 'matricMarks'] as const;
export type StudentColumn = (typeof COLUMNS)[number];

export const isStudentColumn = (value: unknown): value is StudentColumn =>
  COLUMNS.some((column) => column === value);

export interface StudentOrder {
  column: StudentColumn;
  direction: 'ascending' | 'descending';
}

/** Newest registrations first, as they are the ones at hand. */
export const FIRST_ORDER: StudentOrder = { column: 'id', direction: 'descending' };

const ids = new Intl.Collator('en', { numeric: true });
/** Without `numeric`, which makes comparing several times slower; names hold no numbers. */
const names = new Intl.Collator('en', { sensitivity: 'base' });

const compare: Record<StudentColumn, (a: StudentRow, b: StudentRow) => number> = {
  id: (a, b) => ids.compare(a.id, b.id),
  name: (a, b) => names.compare(a.name, b.name),
  // By the day of birth, so that two of one age are in order too: the younger has the later day.
  age: (a, b) => (a.dob === b.dob ? 0 : a.dob < b.dob ? 1 : -1),
  degree: (a, b) => (a.degree === b.degree ? 0 : ids.compare(a.degree, b.degree)),
  fscMarks: (a, b) => a.fscMarks - b.fscMarks,
  matricMarks: (a, b) => a.matricMarks - b.matricMarks,
};

/** By ID, which is the order beneath every other: sorting is stable. */
export const byId = (rows: readonly StudentRow[]) => rows.toSorted(compare.id);

/** @param rows in the order of {@link byId} */
export function inOrder(
  rows: readonly StudentRow[],
  { column, direction }: StudentOrder,
): readonly StudentRow[] {
  if (column === 'id') return direction === 'ascending' ? rows : rows.toReversed();
  const sign = direction === 'ascending' ? 1 : -1;
  return rows.toSorted((a, b) => sign * compare[column](a, b));
}

/** A second press on a column turns it round; figures begin with the highest, words with the first. */
export function nextOrder(order: StudentOrder, column: StudentColumn): StudentOrder {
  if (order.column === column) {
    return { column, direction: order.direction === 'ascending' ? 'descending' : 'ascending' };
  }
  const startsHigh = column === 'fscMarks' || column === 'matricMarks';
  return { column, direction: startsHigh ? 'descending' : 'ascending' };
}
