import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { StudentView } from '../../contract/student-list.ts';
import { type KnownPages, pagesOver } from './list-pages.ts';
import { isChosen, type SelectionInHand, withStudents } from './list-selection.ts';
import { studentPageQuery } from './use-students.ts';

/** Choosing rows one at a time, and stretches of them from the one that was chosen last. */
export function useChoosing(view: StudentView, pages: KnownPages, { selection, select }: SelectionInHand) {
  const queries = useQueryClient();
  const latest = useRef(selection);
  latest.current = selection;
  /** Where a stretch begins. */
  const origin = useRef<number>(undefined);

  const put = (ids: Iterable<string>, isToBeChosen: boolean) => {
    latest.current = withStudents(latest.current, ids, isToBeChosen);
    select(latest.current);
  };

  /** Rows that were scrolled past may have been let go of, and are read again. */
  const idsBetween = async (a: number, b: number) => {
    const from = Math.min(a, b);
    const to = Math.max(a, b) + 1;
    const parts = await Promise.all(
      pagesOver(pages, from, to).map(async (start) => {
        const { students } = await queries.ensureQueryData(studentPageQuery(view, start));
        return students.slice(Math.max(0, from - start.first), Math.max(0, to - start.first));
      }),
    );
    return parts.flat().map(({ id }) => id);
  };

  /** Chooses a row, or no longer. */
  const toggle = (row: number, id: string) => {
    put([id], !isChosen(latest.current, id));
    origin.current = row;
  };
  /** Brings all up to this row to what the row where the stretch began is. */
  const stretchTo = async (row: number) => {
    origin.current ??= row;
    const ids = await idsBetween(origin.current, row).catch(() => []);
    put(ids, true);
  };
  /** With the Shift key a step away from where the stretch began adds to it, a step back takes off. */
  const step = async (fromRow: number, fromId: string | undefined, toRow: number) => {
    origin.current ??= fromRow;
    const isBack = Math.abs(toRow - origin.current) < Math.abs(fromRow - origin.current);
    if (!isBack) await stretchTo(toRow);
    else if (fromId !== undefined) put([fromId], false);
  };
  return { toggle, stretchTo, step };
}
