import { useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { StudentOrder } from './student-order.ts';
import { addressOf, orderOf } from './students-address.ts';

/** Browsers allow only so many changes of the address in a while. */
const TYPING_PAUSE = 250;

/**
 * The search and the order of the list, which stand in its address, so that a reload and the way back from a record
 * keep them. The address follows the typing after a pause, or at once by `flush`, and never makes an entry of its own
 * in the history.
 */
export function useStudentsAddress() {
  const address = useSearch({ from: '/staff/students' });
  const changedAt = useLocation({ select: ({ state }) => state.listChangedAt ?? 0 });
  /** Since when the search on the screen has been ahead of the address, not behind it. */
  const ownSince = useRef(Date.now());
  const navigate = useNavigate();
  const [query, showQuery] = useState(address.q ?? '');
  const order = orderOf(address);
  const unsaved = useRef<{ query: string; timer: ReturnType<typeof setTimeout> }>(undefined);

  const forget = useCallback(() => {
    clearTimeout(unsaved.current?.timer);
    unsaved.current = undefined;
  }, []);
  useEffect(() => forget, [forget]);

  // A link or the way back led to another address of the list while it was open: what was typed gives way.
  useEffect(() => {
    if (changedAt >= ownSince.current) return;
    ownSince.current = Date.now();
    forget();
    showQuery(address.q ?? '');
  }, [address, changedAt, forget]);

  const store = (text: string, newOrder: StudentOrder) => {
    forget();
    void navigate({
      to: '/students',
      search: addressOf(text, newOrder),
      state: { listChangedAt: Date.now() },
      replace: true,
      resetScroll: false,
    });
  };
  const flush = () => {
    if (unsaved.current !== undefined) store(unsaved.current.query, order);
  };
  const setQuery = (text: string) => {
    showQuery(text);
    forget();
    unsaved.current = { query: text, timer: setTimeout(() => store(text, order), TYPING_PAUSE) };
  };
  const setOrder = (newOrder: StudentOrder) => store(query, newOrder);

  return { query, setQuery, order, setOrder, flush };
}
