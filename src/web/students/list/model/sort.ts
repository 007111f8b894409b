import type {
  Direction,
  StudentOrder,
  StudentSort,
  StudentView,
} from '../../../../contract/students/student-list.ts';

/** The sort columns of the list: the API's names, except that people sort by age instead of date of birth. */
export const SORT_LABELS = {
  id: 'CMS ID',
  name: 'Name',
  age: 'Age',
  degree: 'Degree',
  fsc_marks: 'FSC marks',
  matric_marks: 'Matric marks',
  cgpa: 'CGPA',
} as const satisfies Record<Exclude<StudentSort, 'dob'> | 'age', string>;
export type SortColumn = keyof typeof SORT_LABELS;

export const isSortColumn = (value: unknown): value is SortColumn =>
  typeof value === 'string' && Object.hasOwn(SORT_LABELS, value);

/** The order as the address says it. */
export interface SortOrder {
  sort: SortColumn;
  direction: Direction;
}

/** Newest registrations first: they are looked up most often. */
export const DEFAULT_SORT = { sort: 'id', direction: 'descending' } as const satisfies SortOrder;

const OPPOSITE: Record<Direction, Direction> = { ascending: 'descending', descending: 'ascending' };

/** The order as the API takes it. The youngest have the latest date of birth, so the direction turns round. */
export const toStudentOrder = ({ sort, direction }: SortOrder): StudentOrder =>
  sort === 'age' ? { sort: 'dob', direction: OPPOSITE[direction] } : { sort, direction };

/** The inverse of {@link toStudentOrder}; undefined for a view that leaves the order to the server. */
export function fromStudentOrder({ sort, direction = 'ascending' }: StudentView): SortOrder | undefined {
  if (sort === undefined) return undefined;
  return sort === 'dob' ? { sort: 'age', direction: OPPOSITE[direction] } : { sort, direction };
}

/** A view as its pages are read: from its start, or from its last row on. */
export interface ListView extends StudentView {
  from?: 'end';
}

/** The same view from its last row on; undefined for a search by relevance, which can't be reversed. */
export function reversedView(view: StudentView): ListView | undefined {
  if (view.sort === undefined && view.q !== undefined) return undefined;
  return { ...view, from: 'end' };
}

/** The order after a press on a column head: marks start with the highest, a second press reverses the order. */
export function toggleSort(order: SortOrder | undefined, sort: SortColumn): SortOrder {
  if (order?.sort === sort) return { sort, direction: OPPOSITE[order.direction] };
  const startsHigh = sort === 'fsc_marks' || sort === 'matric_marks' || sort === 'cgpa';
  return { sort, direction: startsHigh ? 'descending' : 'ascending' };
}
