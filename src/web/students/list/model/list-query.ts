import { queryOptions, skipToken } from '@tanstack/react-query';
import type { StudentFilter, StudentView } from '../../../../contract/students/student-list.ts';
import { call } from '../../../lib/call.ts';
import { addPage, EMPTY_PAGE_INDEX, type PageIndex, type PageStart } from './page-index.ts';
import {
  currentSort,
  parseStudentsSearchParams,
  type StudentsSearchParams,
  toStandings,
  toStatuses,
  withSort,
} from './search-params.ts';
import { fromStudentOrder, type ListView, toStudentOrder } from './sort.ts';

/** The longest search that the API accepts. */
const MAX_SEARCH_LENGTH = 200;

/** The filter in the search parameters. The search is reduced to what the API accepts. */
export function toStudentFilter({
  q = '',
  sort: _,
  direction: __,
  ...filter
}: StudentsSearchParams): StudentFilter {
  const { current_sem, status, standing, cgpa_from, cgpa_below, fell_by, failed, ...texts } = filter;
  const search = q.slice(0, MAX_SEARCH_LENGTH).toWellFormed().replaceAll('\0', '').trim();
  return {
    ...texts,
    ...(search !== '' && { q: search }),
    ...(status !== undefined && { status: toStatuses(status) }),
    ...(standing !== undefined && { standing: toStandings(standing) }),
    ...(current_sem !== undefined && { current_sem: Number(current_sem) }),
    ...(cgpa_from !== undefined && { cgpa_from: Number(cgpa_from) }),
    ...(cgpa_below !== undefined && { cgpa_below: Number(cgpa_below) }),
    ...(fell_by !== undefined && { fell_by: Number(fell_by) }),
    ...(failed !== undefined && { failed: Number(failed) }),
  };
}

/** The view in the search parameters; the default order is left to the server. */
export function toStudentView(address: StudentsSearchParams): StudentView {
  const order = address.sort === undefined ? undefined : currentSort(address);
  return { ...toStudentFilter(address), ...(order && toStudentOrder(order)) };
}

/** The address of a view: the inverse of {@link toStudentView}. */
export function toStudentsSearchParams(view: StudentView): StudentsSearchParams {
  const texts = Object.entries(view).map(([name, value]) => [name, String(value ?? '')]);
  return withSort(parseStudentsSearchParams(Object.fromEntries(texts)), fromStudentOrder(view));
}

/** A view as a key, for comparing. */
export const serializeView = (view: StudentView) => JSON.stringify(view);

/** Rows that are scrolled out of sight stay in the cache this long; the starts of pages take less memory and stay longer. */
const ROWS_CACHE_MS = 120_000;
const PAGE_INDEX_CACHE_MS = 3_600_000;
/** Scrolling back and forth does not fetch the same rows again within this time. */
const ROWS_STALE_MS = 20_000;

/** The page index of a view. It has no request of its own: {@link studentPageQuery} fills it. */
export const pageIndexQuery = (view: ListView) =>
  queryOptions<PageIndex>({
    queryKey: ['students', 'known-pages', view],
    queryFn: skipToken,
    gcTime: PAGE_INDEX_CACHE_MS,
    structuralSharing: false,
  });

/** The rows of one page. */
export const studentPageQuery = (view: ListView, start: PageStart) =>
  queryOptions({
    queryKey: ['students', 'list', view, start.cursor ?? null, start.limit],
    queryFn: async ({ signal, client }) => {
      const page = await call('GET /api/students', {
        query: { ...view, cursor: start.cursor, limit: start.limit },
        signal,
      });
      client.setQueryData<PageIndex>(pageIndexQuery(view).queryKey, (index = EMPTY_PAGE_INDEX) =>
        addPage(index, start, page),
      );
      return page;
    },
    gcTime: ROWS_CACHE_MS,
    staleTime: ROWS_STALE_MS,
  });
