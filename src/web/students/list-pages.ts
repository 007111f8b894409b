import type { StudentPage } from '../../contract/student-list.ts';

/** Rows that are asked for at a time, and how many when the way to the wanted ones is long. */
const PAGE = 50;
const LONG_PAGE = 500;

/** Where a page begins: after `cursor`, with the row of this number in its view, counted from 0. */
export interface PageStart {
  cursor: string | undefined;
  first: number;
  limit: number;
}

/**
 * What is known of a view without its rows, which come and go: where its pages begin, so that each can be fetched
 * again, and how many rows there are.
 */
export interface KnownPages {
  /** The last one's rows have not been seen, unless the end has been reached. */
  starts: readonly PageStart[];
  /** Rows up to where pages are known. */
  known: number;
  isEnded: boolean;
  total: number;
  totalIs: StudentPage['total_is'];
}

export const FIRST_PAGE: PageStart = { cursor: undefined, first: 0, limit: PAGE };

export const NOTHING_KNOWN: KnownPages = {
  starts: [FIRST_PAGE],
  known: 0,
  isEnded: false,
  total: 0,
  totalIs: 'minimum',
};

/** Rows that the list has room for. */
export const rowTotal = ({ known, isEnded, total }: KnownPages) =>
  isEnded ? known : Math.max(total, known + 1);

/** A view of which only the length is known, from its other end or from before a change. */
export const asLongAs = (pages: KnownPages): KnownPages => ({
  ...NOTHING_KNOWN,
  total: rowTotal(pages),
  totalIs: isTotalExact(pages) ? 'exact' : pages.totalIs,
});

/** Whether the number of rows is certain. */
export const isTotalExact = ({ isEnded, totalIs }: KnownPages) => isEnded || totalIs === 'exact';

/** Takes in an answer. Where the records changed since, the pages after it begin elsewhere and are found anew. */
export function withPage(pages: KnownPages, start: PageStart, page: StudentPage): KnownPages {
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

/** The pages that hold the rows from `from` up to `to`; where these are not known yet, the one on the way there. */
export function pagesOver({ starts, known }: KnownPages, from: number, to: number): PageStart[] {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle]?.first ?? 0) <= from) low = middle;
    else high = middle - 1;
  }
  const over: PageStart[] = [];
  for (let i = low; i < starts.length; i += 1) {
    const start = starts[i];
    if (start === undefined || start.first >= to) break;
    const isFar = start.first === known && to - known > 3 * PAGE;
    over.push(isFar ? { ...start, limit: LONG_PAGE } : start);
  }
  return over;
}
