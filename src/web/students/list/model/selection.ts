import { hashKey, type QueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { StudentFilter, StudentPage, StudentView } from '../../../../contract/students/student-list.ts';
import { useIsReturning } from './scroll-restoration.ts';
import { reversedView } from './sort.ts';

/** The selected students: named ones, or all that match the filter, with exceptions. */
export type ListSelection =
  | { kind: 'some'; ids: ReadonlySet<string> }
  | { kind: 'all'; except: ReadonlySet<string> };

export const EMPTY_SELECTION: ListSelection = { kind: 'some', ids: new Set() };
export const SELECT_ALL: ListSelection = { kind: 'all', except: new Set() };

export const isSelected = (selection: ListSelection, id: string) =>
  selection.kind === 'all' ? !selection.except.has(id) : selection.ids.has(id);

/** @param total number of students that match the filter */
export const selectedCount = (selection: ListSelection, total: number) =>
  selection.kind === 'all' ? Math.max(0, total - selection.except.size) : selection.ids.size;

/** The selection with these students added or removed. */
export function updateSelection(
  selection: ListSelection,
  ids: Iterable<string>,
  isAdded: boolean,
): ListSelection {
  const isListed = selection.kind === 'some' ? isAdded : !isAdded;
  const listed = new Set(selection.kind === 'some' ? selection.ids : selection.except);
  for (const id of ids) {
    if (isListed) listed.add(id);
    else listed.delete(id);
  }
  return selection.kind === 'some' ? { kind: 'some', ids: listed } : { kind: 'all', except: listed };
}

export interface SelectionState {
  selection: ListSelection;
  select: (selection: ListSelection) => void;
}

interface StoredSelection {
  selection: ListSelection;
  /** The filter at the time of the selection. */
  filterKey: string;
}

/** The selection when the list was last left. */
let lastSelection: StoredSelection | undefined;

/**
 * A selection of named students outlives other searches and visits to a record. One of all students ends when the
 * filter changes that it was made with.
 */
export function useListSelection(filter: StudentFilter): SelectionState {
  const filterKey = JSON.stringify(filter);
  const isReturning = useIsReturning();
  const [stored, setStored] = useState<StoredSelection>(
    () => (isReturning && lastSelection) || { selection: EMPTY_SELECTION, filterKey },
  );
  useEffect(() => {
    lastSelection = stored;
  }, [stored]);
  const isOutdated = stored.selection.kind === 'all' && stored.filterKey !== filterKey;
  return {
    selection: isOutdated ? EMPTY_SELECTION : stored.selection,
    select: (selection) => setStored({ selection, filterKey }),
  };
}

/** The students of a view whose rows are in the cache, read from either end. */
export function loadedStudentIds(queries: QueryClient, view: StudentView): Set<string> {
  const ids = new Set<string>();
  for (const readView of [view, reversedView(view)]) {
    if (readView === undefined) continue;
    const viewKey = hashKey([readView]);
    for (const [, page] of queries.getQueriesData<StudentPage>({
      queryKey: ['students', 'list'],
      // As part of the key, the view would match every narrower view as well.
      predicate: ({ queryKey }) => hashKey([queryKey[2]]) === viewKey,
    })) {
      for (const { id } of page?.students ?? []) ids.add(id);
    }
  }
  return ids;
}
