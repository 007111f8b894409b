import type { Direction, StudentFilter } from '../../../../contract/students/student-list.ts';
import {
  DEPARTMENT_CODES,
  GENDERS,
  SEMESTER_COUNT,
  STANDINGS,
  STATUS_CODES,
  SYNDICATES,
} from '../../../../domain/student.ts';
import { searchParamsParser, shortText, wholeNumber } from '../../../lib/navigation/parse-search-params.ts';
import { oneOf } from '../../../lib/one-of.ts';
import { DEFAULT_SORT, isSortColumn, type SortColumn, type SortOrder } from './sort.ts';

/** The filter of the API as an address writes it: the same names, with numbers as text. */
export type ListFilters = { [Name in keyof StudentFilter]?: AsText<NonNullable<StudentFilter[Name]>> };
type AsText<Value> = Value extends number | readonly unknown[] ? string : Value;

/** The query part of the list's address; defaults are left out. */
export interface StudentsSearchParams extends ListFilters {
  sort?: SortColumn;
  direction?: Direction;
}

/** Whether a text is grade points as the API accepts them: 0 to 4 with at most two decimals. */
export const isGradePoints = (value: unknown): value is string =>
  typeof value === 'string' && /^([0-3](\.\d{1,2})?|4(\.00?)?)$/.test(value);

const gradePoints = (value: unknown) => (isGradePoints(value) ? value : undefined);

/** The codes that a text with commas names. */
const someOf =
  <Code extends string>(codes: readonly Code[]) =>
  (text: string): Code[] => {
    const named = text.split(',');
    return codes.filter((code) => named.includes(code));
  };

/** The statuses in a text with commas. */
export const toStatuses = someOf(STATUS_CODES);
/** The standings in a text with commas. */
export const toStandings = someOf(STANDINGS);

const inText = (read: (text: string) => readonly string[]) => (value: unknown) =>
  (typeof value === 'string' && read(value).join(',')) || undefined;

/** Sort columns in addresses that were bookmarked under an earlier name. */
const EARLIER_SORT_NAMES = new Map<unknown, SortColumn>([
  ['fscMarks', 'fsc_marks'],
  ['matricMarks', 'matric_marks'],
]);

const sortColumn = (value: unknown) => (isSortColumn(value) ? value : EARLIER_SORT_NAMES.get(value));

export const parseStudentsSearchParams = searchParamsParser<StudentsSearchParams>({
  q: (value) => (typeof value === 'string' && value !== '' ? value : undefined),
  department: (value) => oneOf(DEPARTMENT_CODES, value),
  degree: shortText(20),
  syn: (value) => oneOf(SYNDICATES, value),
  current_sem: wholeNumber(SEMESTER_COUNT),
  gender: (value) => oneOf(GENDERS, value),
  status: inText(toStatuses),
  standing: inText(toStandings),
  cgpa_from: gradePoints,
  cgpa_below: gradePoints,
  incomplete: (value) => oneOf(['true'], value),
  fell_by: gradePoints,
  failed: wholeNumber(Number.MAX_SAFE_INTEGER),
  sort: sortColumn,
  direction: (value) => oneOf(['ascending', 'descending'], value),
});

/** The lists that can be printed. */
export const PRINT_KINDS = ['list', 'class', 'attendance'] as const;
export type PrintKind = (typeof PRINT_KINDS)[number];

/** The address of the print view: the list's own, and what to print. */
export interface PrintSearchParams extends StudentsSearchParams {
  as?: PrintKind;
}

export function parsePrintSearchParams(search: Record<string, unknown>): PrintSearchParams {
  const as = oneOf(PRINT_KINDS, search.as);
  return { ...parseStudentsSearchParams(search), ...(as && { as }) };
}

/** The order of the list at this address; undefined for a search by relevance. */
export function currentSort({ q, sort, direction }: StudentsSearchParams): SortOrder | undefined {
  if (sort !== undefined) return { sort, direction: direction ?? 'ascending' };
  return q === undefined ? DEFAULT_SORT : undefined;
}

/** The address with this order, which is left out where it is the default. */
export function withSort(
  { sort: _, direction: __, ...filter }: StudentsSearchParams,
  order: SortOrder | undefined,
): StudentsSearchParams {
  const isDefault =
    order === undefined ||
    (filter.q === undefined &&
      order.sort === DEFAULT_SORT.sort &&
      order.direction === DEFAULT_SORT.direction);
  return isDefault ? filter : { ...filter, ...order };
}

/** The address with one filter set, or removed where the text is empty or invalid. */
export function withFilter(
  address: StudentsSearchParams,
  name: keyof ListFilters,
  value: string,
): StudentsSearchParams {
  return parseStudentsSearchParams({ ...address, [name]: value });
}

/** The address without its filters; the search and the order stay. */
export function withoutFilters({ q, sort, direction }: StudentsSearchParams): StudentsSearchParams {
  return parseStudentsSearchParams({ q, sort, direction });
}
