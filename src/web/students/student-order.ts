import type { Direction, StudentSort, StudentView } from '../../contract/student-list.ts';

/** What the list can be in order of, by the names that its address has for it. */
export const COLUMNS = ['id', 'name', 'age', 'degree', 'fscMarks', 'matricMarks', 'cgpa'] as const;
export type StudentColumn = (typeof COLUMNS)[number];

export const isStudentColumn = (value: unknown): value is StudentColumn =>
  COLUMNS.some((column) => column === value);

export interface StudentOrder {
  column: StudentColumn;
  direction: Direction;
}

/** Newest registrations first, as they are the ones at hand. */
export const FIRST_ORDER: StudentOrder = { column: 'id', direction: 'descending' };

const OPPOSITE: Record<Direction, Direction> = { ascending: 'descending', descending: 'ascending' };

const SORT: Record<StudentColumn, StudentSort> = {
  id: 'id',
  name: 'name',
  age: 'dob',
  degree: 'degree',
  fscMarks: 'fsc_marks',
  matricMarks: 'matric_marks',
  cgpa: 'cgpa',
};

/** The order as the server takes it: by the day of birth for the age, which the younger have later. */
export const sortOf = ({ column, direction }: StudentOrder): Pick<StudentView, 'sort' | 'direction'> => ({
  sort: SORT[column],
  direction: column === 'age' ? OPPOSITE[direction] : direction,
});

/** The same view from its other end; undefined for a search by relevance, which has only one. */
export function reversedView(view: StudentView): StudentView | undefined {
  if (view.sort === undefined && view.q !== undefined) return undefined;
  const { sort, direction } = view.sort === undefined ? sortOf(FIRST_ORDER) : view;
  return { ...view, sort, direction: OPPOSITE[direction ?? 'ascending'] };
}

/** A second press on a column turns it round; figures begin with the highest, words with the first. */
export function nextOrder(order: StudentOrder | undefined, column: StudentColumn): StudentOrder {
  if (order?.column === column) return { column, direction: OPPOSITE[order.direction] };
  const startsHigh = column === 'fscMarks' || column === 'matricMarks' || column === 'cgpa';
  return { column, direction: startsHigh ? 'descending' : 'ascending' };
}

/** The order that a view in the server's words is shown in. */
export function orderOfView({ sort, direction = 'ascending' }: StudentView): StudentOrder | undefined {
  const column = COLUMNS.find((one) => SORT[one] === sort);
  if (column === undefined) return undefined;
  return { column, direction: column === 'age' ? OPPOSITE[direction] : direction };
}
