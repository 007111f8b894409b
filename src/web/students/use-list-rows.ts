import { useQueries } from '@tanstack/react-query';
import type { StudentListed, StudentView } from '../../contract/student-list.ts';
import { type KnownPages, pagesOver } from './list-pages.ts';
import { studentPageQuery } from './use-students.ts';

/** Rows that are fetched before they are reached, mostly ahead. */
const BEHIND = 50;
const AHEAD = 250;

export interface RowRange {
  from: number;
  /** The row after the last. */
  to: number;
}

/**
 * Holds the pages around the rows that are in sight, and those of `others`; what is far from them is let go of and
 * fetched again when it is wanted.
 */
export function useListRows(
  view: StudentView,
  pages: KnownPages,
  { from, to }: RowRange,
  others: readonly number[],
) {
  const around = pagesOver(pages, Math.max(0, from - BEHIND), to + AHEAD);
  const apart = others
    .filter((row) => row < pages.known)
    .flatMap((row) => pagesOver(pages, row, row + 1))
    .filter(({ first }) => !around.some((start) => start.first === first));
  const starts = [...apart, ...around];
  const reads = useQueries({ queries: starts.map((start) => studentPageQuery(view, start)) });
  const rowAt = (row: number): StudentListed | undefined => {
    for (const [i, { first }] of starts.entries()) {
      const student = reads[i]?.data?.students[row - first];
      if (student !== undefined) return student;
    }
    return undefined;
  };
  const failed = reads.find(({ isError }) => isError);
  return { rowAt, failed };
}
