import { useEffect, useState } from 'react';
import type { StudentFilter } from '../../contract/student-list.ts';
import { useIsComeBackTo } from './list-place.ts';

/** Which students of the list are chosen: single ones, or all that the filter finds but for some. */
export type ListSelection =
  | { kind: 'some'; ids: ReadonlySet<string> }
  | { kind: 'all'; except: ReadonlySet<string> };

export const NOBODY: ListSelection = { kind: 'some', ids: new Set() };
export const EVERYBODY: ListSelection = { kind: 'all', except: new Set() };

export const isChosen = (selection: ListSelection, id: string) =>
  selection.kind === 'all' ? !selection.except.has(id) : selection.ids.has(id);

/** @param total how many students the filter finds */
export const chosenCount = (selection: ListSelection, total: number) =>
  selection.kind === 'all' ? Math.max(0, total - selection.except.size) : selection.ids.size;

/** The selection with these students in it, or without them. */
export function withStudents(
  selection: ListSelection,
  ids: Iterable<string>,
  isToBeChosen: boolean,
): ListSelection {
  const isListed = selection.kind === 'some' ? isToBeChosen : !isToBeChosen;
  const listed = new Set(selection.kind === 'some' ? selection.ids : selection.except);
  for (const id of ids) {
    if (isListed) listed.add(id);
    else listed.delete(id);
  }
  return selection.kind === 'some' ? { kind: 'some', ids: listed } : { kind: 'all', except: listed };
}

export interface SelectionInHand {
  selection: ListSelection;
  select: (selection: ListSelection) => void;
}

interface Chosen {
  selection: ListSelection;
  /** The filter that it was chosen under. */
  filterKey: string;
}

/** What was chosen when the list was left. */
let left: Chosen | undefined;

/**
 * What is chosen stays chosen while other students are searched for, or a record is looked at; 'all' goes with the
 * filter that it was said of.
 */
export function useListSelection(filter: StudentFilter): SelectionInHand {
  const filterKey = JSON.stringify(filter);
  const isComeBackTo = useIsComeBackTo();
  const [chosen, setChosen] = useState(() => (isComeBackTo && left) || { selection: NOBODY, filterKey });
  useEffect(() => {
    left = chosen;
  }, [chosen]);
  const isOver = chosen.selection.kind === 'all' && chosen.filterKey !== filterKey;
  return {
    selection: isOver ? NOBODY : chosen.selection,
    select: (selection) => setChosen({ selection, filterKey }),
  };
}
