import type { StudentPage } from '../../../../contract/students/student-list.ts';

/** Rows of a page, and of a page on the way to rows that are far beyond the known ones. */
const PAGE = 50;
const LONG_PAGE = 500;

/** Where a page starts: after `cursor`; `first` is the number of its first row in the view, counted from 0. */
export interface PageStart {
  cursor: string | undefined;
  first: number;
  limit: number;
}

/**
 * Where the pages of a view start and how many rows it has. Outlives the rows, which leave the cache, so that each page
 * can be fetched again.
 */
export interface PageIndex {
  /** The last page has not been loaded yet, unless `isEnded`. */
  starts: readonly PageStart[];
  /** Rows up to the last known start. */
  known: number;
  /** The last page has been loaded. */
  isEnded: boolean;
  total: number;
  totalIs: StudentPage['total_is'];
}

export const FIRST_PAGE: PageStart = { cursor: undefined, first: 0, limit: PAGE };

export const EMPTY_PAGE_INDEX: PageIndex = {
  starts: [FIRST_PAGE],
  known: 0,
  isEnded: false,
  total: 0,
  totalIs: 'minimum',
};

/** Rows to reserve height for: at least one more than known, until the end is reached. */
export const rowCount = ({ known, isEnded, total }: PageIndex) =>
  isEnded ? known : Math.max(total, known + 1);

/** An empty index that keeps the length of another: the same view in reverse, or before a change. */
export const emptyIndexOfLength = (pages: PageIndex): PageIndex => ({
  ...EMPTY_PAGE_INDEX,
  total: rowCount(pages),
  totalIs: isTotalExact(pages) ? 'exact' : pages.totalIs,
});

/** Whether the exact number of rows is known. */
export const isTotalExact = ({ isEnded, totalIs }: PageIndex) => isEnded || totalIs === 'exact';

/** Adds a loaded page. If it ends elsewhere than before, records have changed, and the starts after it are dropped. */
export function addPage(pages: PageIndex, start: PageStart, page: StudentPage): PageIndex {
  const at = pages.starts.findIndex(({ cursor }) => cursor === start.cursor);
  const here = pages.starts[at];
  if (here === undefined) return pages;
  const totals = { total: page.total, totalIs: page.total_is };
  const until = [...pages.starts.slice(0, at), { ...here, limit: start.limit }];
  const end = here.first + page.students.length;
  if (page.next_cursor === null) return { ...totals, starts: until, known: end, isEnded: true };
  const next = pages.starts[at + 1];
  if (next?.cursor === page.next_cursor && next.first === end) return { ...pages, ...totals };
  const starts = [...until, { cursor: page.next_cursor, first: end, limit: PAGE }];
  return { ...totals, starts, known: end, isEnded: false };
}

/** The known pages with rows of `from` (inclusive) to `to` (exclusive), or the last known page on the way there. */
export function pagesInRange({ starts, known }: PageIndex, from: number, to: number): PageStart[] {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle]?.first ?? 0) <= from) low = middle;
    else high = middle - 1;
  }
  const inRange: PageStart[] = [];
  for (let i = low; i < starts.length; i += 1) {
    const start = starts[i];
    if (start === undefined || start.first >= to) break;
    const isFar = start.first === known && to - known > 3 * PAGE;
    inRange.push(isFar ? { ...start, limit: LONG_PAGE } : start);
  }
  return inRange;
}
