import { useLocation, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useDebounced } from '../../../lib/use-debounced.ts';
import {
  currentSort,
  parseStudentsSearchParams,
  type StudentsSearchParams,
  withSort,
} from './search-params.ts';
import type { SortOrder } from './sort.ts';

/** Short enough for the rows to seem to follow the typing, long enough not to search for every letter. */
const TYPING_PAUSE_MS = 140;

/** How an address enters the browser's history. Typing and sorting replace the entry instead of adding one. */
type HistoryUpdate = 'push' | 'replace';

/**
 * The search, filters and order of the list. They are stored in the address, so that a reload, a shared link and the
 * way back from a record keep them. The search is stored after a pause in the typing, or immediately by `flush`.
 */
export function useStudentsSearchParams() {
  // Parsed again: the router also hands out parameters that are not of the list.
  const search = useSearch({ from: '/staff/students' });
  const address = useMemo(() => parseStudentsSearchParams({ ...search }), [search]);
  const changedAt = useLocation({ select: ({ state }) => state.listChangedAt ?? 0 });
  /** An address that the list stored itself since this time follows what is typed, and must not replace it. */
  const typedSince = useRef(Date.now());
  const navigate = useNavigate();
  const { history } = useRouter();
  const { q = '' } = address;
  const [query, showQuery] = useState(q);
  const { run: storeLater, cancel } = useDebounced(() => storeQuery(), TYPING_PAUSE_MS);

  useEffect(
    () =>
      history.subscribe(({ action }) => {
        if (action.type !== 'PUSH' && action.type !== 'REPLACE') typedSince.current = Date.now() + 1;
      }),
    [history],
  );
  // A link, or the browser's Back, changed the address while the list was open: it replaces what was typed.
  useEffect(() => {
    if (changedAt >= typedSince.current) return;
    typedSince.current = Date.now();
    cancel();
    showQuery(q);
  }, [q, changedAt, cancel]);

  const store = (changed: StudentsSearchParams, update: HistoryUpdate) => {
    cancel();
    // The list is still shown while another page loads, which must not be left for it again.
    if (history.location.pathname !== '/students') return;
    void navigate({
      to: '/students',
      search: changed,
      state: { listChangedAt: Date.now() },
      replace: update === 'replace',
      resetScroll: false,
    });
  };
  /** The address with this search. Without a search, the default order need not be stated any more. */
  const withQuery = (text: string) => {
    const changed = parseStudentsSearchParams({ ...address, q: text });
    return text === '' ? withSort(changed, currentSort(changed)) : changed;
  };
  const storeQuery = () => store(withQuery(query), 'replace');

  return {
    address,
    query,
    setQuery: (text: string) => {
      showQuery(text);
      storeLater();
    },
    flush: () => {
      if (query !== q) storeQuery();
    },
    setOrder: (order: SortOrder | undefined) => store(withSort(withQuery(query), order), 'replace'),
    /** Changes the filters, and stores with them the search as typed so far. */
    change: (
      edit: (address: StudentsSearchParams) => StudentsSearchParams,
      update: HistoryUpdate = 'push',
    ) => {
      const changed = edit(withQuery(query));
      showQuery(changed.q ?? '');
      store(changed, update);
    },
  };
}
