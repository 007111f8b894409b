import type { StudentFilter, StudentView } from '../../contract/student-list.ts';
import { orderOfView, sortOf } from './student-order.ts';
import { inOrderOf, orderOf, readStudentsAddress, type StudentsAddress } from './students-address.ts';

/** As much of a search as the server takes. */
const LONGEST_SEARCH = 200;

/** Which students an address of the list means. */
export function filterOf({ q = '', sort: _, direction: __, ...narrowing }: StudentsAddress): StudentFilter {
  const { current_sem, cgpa_from, cgpa_below, fell_by, failed, ...texts } = narrowing;
  const search = q.slice(0, LONGEST_SEARCH).toWellFormed().replaceAll('\0', '').trim();
  return {
    ...texts,
    ...(search !== '' && { q: search }),
    ...(current_sem !== undefined && { current_sem: Number(current_sem) }),
    ...(cgpa_from !== undefined && { cgpa_from: Number(cgpa_from) }),
    ...(cgpa_below !== undefined && { cgpa_below: Number(cgpa_below) }),
    ...(fell_by !== undefined && { fell_by: Number(fell_by) }),
    ...(failed !== undefined && { failed: Number(failed) }),
  };
}

/** The students that an address means, in its order; the usual order is left to the server. */
export function viewOf(address: StudentsAddress): StudentView {
  const order = address.sort === undefined ? undefined : orderOf(address);
  return { ...filterOf(address), ...(order && sortOf(order)) };
}

export const keyOf = (view: StudentView) => JSON.stringify(view);

/** The call for rows of a view. */
export function pagePath(view: StudentView, cursor: string | undefined, limit: number): string {
  const parameters = Object.entries({ ...view, cursor, limit }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return `/api/students?${new URLSearchParams(parameters)}`;
}

/** The address at which a view in the server's words is shown. */
export function addressOf({ sort, direction, ...filter }: StudentView): StudentsAddress {
  const texts = Object.entries(filter).map(([name, value]) => [
    name,
    value === undefined ? '' : String(value),
  ]);
  return inOrderOf(
    readStudentsAddress(Object.fromEntries(texts)),
    orderOfView({ ...(sort && { sort }), ...(direction && { direction }) }),
  );
}
