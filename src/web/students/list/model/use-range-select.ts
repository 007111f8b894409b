import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { StudentView } from '../../../../contract/students/student-list.ts';
import { studentPageQuery } from './list-query.ts';
import { type PageIndex, pagesInRange } from './page-index.ts';
import { isSelected, type SelectionState, updateSelection } from './selection.ts';

/** Selects single rows, and ranges from the row that was selected last. */
export function useRangeSelect(view: StudentView, pages: PageIndex, { selection, select }: SelectionState) {
  const queries = useQueryClient();
  // Ranges are selected asynchronously, so the selection of the last render may be old.
  const latest = useRef(selection);
  latest.current = selection;
  /** The row where a range starts. */
  const anchor = useRef<number>(undefined);

  const update = (ids: Iterable<string>, isAdded: boolean) => {
    latest.current = updateSelection(latest.current, ids, isAdded);
    select(latest.current);
  };

  /** Rows that are no longer in the cache are fetched again. */
  const idsBetween = async (a: number, b: number) => {
    const from = Math.min(a, b);
    const to = Math.max(a, b) + 1;
    const parts = await Promise.all(
      pagesInRange(pages, from, to).map(async (start) => {
        const { students } = await queries.ensureQueryData(studentPageQuery(view, start));
        return students.slice(Math.max(0, from - start.first), Math.max(0, to - start.first));
      }),
    );
    return parts.flat().map(({ id }) => id);
  };

  const toggle = (row: number, id: string) => {
    update([id], !isSelected(latest.current, id));
    anchor.current = row;
  };
  /** Selects the rows from the anchor to this one. */
  const selectTo = async (row: number) => {
    anchor.current ??= row;
    const ids = await idsBetween(anchor.current, row).catch(() => []);
    update(ids, true);
  };
  /** Shift and an arrow key: a step away from the anchor extends the range, a step towards it shortens the range. */
  const extend = async (fromRow: number, fromId: string | undefined, toRow: number) => {
    anchor.current ??= fromRow;
    const isTowardsAnchor = Math.abs(toRow - anchor.current) < Math.abs(fromRow - anchor.current);
    if (!isTowardsAnchor) await selectTo(toRow);
    else if (fromId !== undefined) update([fromId], false);
  };
  return { toggle, selectTo, extend };
}
