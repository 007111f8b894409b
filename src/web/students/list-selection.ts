import { useState } from 'react';
import type { StudentFilter } from '../../contract/student-list.ts';

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

/** What is chosen stays chosen while other students are searched for; 'all' goes with the filter that it was said of. */
export function useListSelection(filter: StudentFilter): SelectionInHand {
  const filterKey = JSON.stringify(filter);
  const [{ selection, saidOf }, setState] = useState({ selection: NOBODY, saidOf: filterKey });
  const isOver = selection.kind === 'all' && saidOf !== filterKey;
  return {
    selection: isOver ? NOBODY : selection,
    select: (chosen) => setState({ selection: chosen, saidOf: filterKey }),
  };
}
