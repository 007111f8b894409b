import { useLocation, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { StudentOrder } from './student-order.ts';
import { inOrderOf, readStudentsAddress, type StudentsAddress } from './students-address.ts';

/** The rows follow the typing at once to the eye; each letter by itself would be asked for and thrown away. */
const TYPING_PAUSE = 140;

/** `replace` makes no entry of its own in the history: what is typed, and the order. */
type Way = 'push' | 'replace';

/**
 * The search, the filters and the order of the list, which stand in its address, so that a reload, a shared link and
 * the way back from a record keep them. The address follows the typing after a pause, or at once by `flush`.
 */
export function useStudentsAddress() {
  // The router leaves what means nothing in the search that it hands out.
  const search = useSearch({ from: '/staff/students' });
  const address = useMemo(() => readStudentsAddress({ ...search }), [search]);
  const changedAt = useLocation({ select: ({ state }) => state.listChangedAt ?? 0 });
  /** Since when the search on the screen has been ahead of the address, not behind it. */
  const ownSince = useRef(Date.now());
  const navigate = useNavigate();
  const { history } = useRouter();
  const { q = '' } = address;
  const [query, showQuery] = useState(q);
  const unsaved = useRef<ReturnType<typeof setTimeout>>(undefined);

  const forget = useCallback(() => {
    clearTimeout(unsaved.current);
    unsaved.current = undefined;
  }, []);
  useEffect(() => forget, [forget]);

  useEffect(
    () =>
      history.subscribe(({ action }) => {
        if (action.type !== 'PUSH' && action.type !== 'REPLACE') ownSince.current = Date.now() + 1;
      }),
    [history],
  );
  // A link or the way back led to another address of the list while it was open: what was typed gives way.
  useEffect(() => {
    if (changedAt >= ownSince.current) return;
    ownSince.current = Date.now();
    forget();
    showQuery(q);
  }, [q, changedAt, forget]);

  const store = (changed: StudentsAddress, way: Way) => {
    forget();
    void navigate({
      to: '/students',
      search: changed,
      state: { listChangedAt: Date.now() },
      replace: way === 'replace',
      resetScroll: false,
    });
  };
  /** The address with what has been typed so far. */
  const typed = (text: string) => {
    const changed = readStudentsAddress({ ...address, q: text });
    return text === '' ? inOrderOf(changed, orderThatStays(changed)) : changed;
  };
  const storeLatest = useRef(() => {});
  storeLatest.current = () => store(typed(query), 'replace');

  return {
    address,
    query,
    setQuery: (text: string) => {
      showQuery(text);
      forget();
      unsaved.current = setTimeout(() => storeLatest.current(), TYPING_PAUSE);
    },
    flush: () => {
      if (unsaved.current !== undefined) storeLatest.current();
    },
    setOrder: (order: StudentOrder | undefined) => store(inOrderOf(typed(query), order), 'replace'),
    /** Changes filters; the search that is being typed goes with them. */
    change: (edit: (address: StudentsAddress) => StudentsAddress, way: Way = 'push') => {
      const changed = edit(typed(query));
      showQuery(changed.q ?? '');
      store(changed, way);
    },
  };
}

const orderThatStays = ({ sort, direction }: StudentsAddress): StudentOrder | undefined =>
  sort && { column: sort, direction: direction ?? 'ascending' };
