import { useEffect, useRef } from 'react';
import type { User } from '../../contract/accounts.ts';
import { type CurrentUser, updateCurrentUser } from '../session.ts';

/** Brings the session up to date when an admin has changed one's account meanwhile. */
export function useOwnRow(users: readonly User[] | undefined, user: CurrentUser | null): void {
  // Only a list that arrives says something new; a session that changes is newer than the list.
  const known = useRef(user);
  useEffect(() => {
    known.current = user;
  }, [user]);
  useEffect(() => {
    const before = known.current;
    const own = users?.find(({ id }) => id === before?.id);
    if (before === null || own === undefined) return;
    if (own.name !== before.name || own.email !== before.email || own.role !== before.role) {
      updateCurrentUser(own);
    }
  }, [users]);
}
