import type { Direction } from '../../contract/student-list.ts';
import {
  DEPARTMENT_CODES,
  type Department,
  GENDERS,
  SEMESTER_COUNT,
  SYNDICATES,
} from '../../domain/student.ts';
import { FIRST_ORDER, isStudentColumn, type StudentColumn, type StudentOrder } from './student-order.ts';

/** What narrows the list down, as the address writes it: texts, since that is what addresses are made of. */
export interface ListFilters {
  q?: string;
  department?: Department;
  degree?: string;
  syn?: (typeof SYNDICATES)[number];
  current_sem?: string;
  gender?: (typeof GENDERS)[number];
  cgpa_from?: string;
  cgpa_below?: string;
  incomplete?: 'true';
  fell_by?: string;
  failed?: string;
}

/** What the address of the list says beside its path; what is as usual is left out. */
export interface StudentsAddress extends ListFilters {
  sort?: StudentColumn;
  direction?: Direction;
}

const oneOf = <const Value extends string>(values: readonly Value[], value: unknown) =>
  values.find((known) => known === value);

const textOf = (value: unknown, most: number) =>
  typeof value === 'string' && value.trim() !== '' && value.length <= most ? value : undefined;

/** Whether a text is grade points as the server takes them. */
export const isGradePoints = (value: unknown): value is string =>
  typeof value === 'string' && /^([0-3](\.\d{1,2})?|4(\.00?)?)$/.test(value);

const gradePoints = (value: unknown) => (isGradePoints(value) ? value : undefined);

const wholeNumber = (value: unknown, most: number) =>
  typeof value === 'string' && /^[1-9]\d{0,15}$/.test(value) && Number(value) <= most ? value : undefined;

/** What the name of a parameter may stand for; undefined what means nothing. */
const READ = {
  q: (value) => (typeof value === 'string' && value !== '' ? value : undefined),
  department: (value) => oneOf(DEPARTMENT_CODES, value),
  degree: (value) => textOf(value, 20),
  syn: (value) => oneOf(SYNDICATES, value),
  current_sem: (value) => wholeNumber(value, SEMESTER_COUNT),
  gender: (value) => oneOf(GENDERS, value),
  cgpa_from: gradePoints,
  cgpa_below: gradePoints,
  incomplete: (value) => oneOf(['true'], value),
  fell_by: gradePoints,
  failed: (value) => wholeNumber(value, Number.MAX_SAFE_INTEGER),
  sort: (value) => (isStudentColumn(value) ? value : undefined),
  direction: (value) => oneOf(['ascending', 'descending'], value),
} satisfies {
  [Name in keyof Required<StudentsAddress>]: (value: unknown) => StudentsAddress[Name] | undefined;
};

/** Reads an address that anybody may have typed: what means nothing here is as if it were not there. */
export function readStudentsAddress(search: Record<string, unknown>): StudentsAddress {
  const read = Object.entries(READ).map(([name, readOne]) => [name, readOne(search[name])] as const);
  return Object.fromEntries(read.filter(([, value]) => value !== undefined));
}

/** The order that the address asks for; undefined is that of a search, by how well it matches. */
export function orderOf({ q, sort, direction }: StudentsAddress): StudentOrder | undefined {
  if (sort !== undefined) return { column: sort, direction: direction ?? 'ascending' };
  return q === undefined ? FIRST_ORDER : undefined;
}

/** The address with this order; the usual one is not written. */
export function inOrderOf(
  { sort: _, direction: __, ...filters }: StudentsAddress,
  order: StudentOrder | undefined,
): StudentsAddress {
  const isUsual =
    order === undefined ||
    (filters.q === undefined &&
      order.column === FIRST_ORDER.column &&
      order.direction === FIRST_ORDER.direction);
  return isUsual ? filters : { ...filters, sort: order.column, direction: order.direction };
}

/** The address with one filter set, or taken off where the text is empty or means nothing. */
export function withFilter(
  address: StudentsAddress,
  name: keyof ListFilters,
  value: string,
): StudentsAddress {
  return readStudentsAddress({ ...address, [name]: value });
}

/** The address without its filters; the search and the order stay. */
export function withoutFilters({ q, sort, direction }: StudentsAddress): StudentsAddress {
  return readStudentsAddress({ q, sort, direction });
}
