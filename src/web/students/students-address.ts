import type { SortDirection } from '../ui/data-table.tsx';
import { FIRST_ORDER, isStudentColumn, type StudentColumn, type StudentOrder } from './student-order.ts';

/** What the address of the list says beside its path; what is as usual is left out. */
export interface StudentsAddress {
  q?: string;
  sort?: StudentColumn;
  direction?: SortDirection;
}

/** Reads an address that anybody may have typed: what means nothing here is as if it were not there. */
export function readStudentsAddress({ q, sort, direction }: Record<string, unknown>): StudentsAddress {
  return {
    ...(typeof q === 'string' && q !== '' && { q }),
    ...(isStudentColumn(sort) && { sort }),
    ...((direction === 'ascending' || direction === 'descending') && { direction }),
  };
}

export function orderOf({ sort, direction }: StudentsAddress): StudentOrder {
  if (sort === undefined) return FIRST_ORDER;
  return { column: sort, direction: direction ?? 'ascending' };
}

export function addressOf(query: string, order: StudentOrder): StudentsAddress {
  const isUsual = order.column === FIRST_ORDER.column && order.direction === FIRST_ORDER.direction;
  return {
    ...(query !== '' && { q: query }),
    ...(!isUsual && { sort: order.column, direction: order.direction }),
  };
}
