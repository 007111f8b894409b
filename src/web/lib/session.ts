import { useSyncExternalStore } from 'react';
import type { SignedIn, User } from '../../contract/accounts/accounts.ts';
import { discardOldDrafts, discardUserDrafts } from './drafts.ts';
import { clearRecentPages } from './navigation/recent-pages.ts';
import { createNotifier } from './notifier.ts';

type SessionKey =
  | 'AUTH-TOKEN'
  | 'CURRENT-USER-ID'
  | 'CURRENT-USER-EMAIL'
  | 'CURRENT-USER-NAME'
  | 'CURRENT-USER-ROLE'
  | 'SHOW-NAV-TEXT'
  | 'VISITED-PATH'
  | 'STUDENTS-SEARCH'
  | 'LAST-ENTRY'
  | 'STUDENTS-SHOWN'
  | 'LAST-SUBJECTS'
  | 'CURRENT-SEM'
  | 'STARTING-SEM'
  | 'STARTING-SEM-OF';

const USER_KEYS = [
  'AUTH-TOKEN',
  'CURRENT-USER-ID',
  'CURRENT-USER-EMAIL',
  'CURRENT-USER-NAME',
  'CURRENT-USER-ROLE',
  'CURRENT-SEM',
  'STARTING-SEM',
  'STARTING-SEM-OF',
  'STUDENTS-SEARCH',
  'LAST-ENTRY',
  'STUDENTS-SHOWN',
  'LAST-SUBJECTS',
] as const satisfies readonly SessionKey[];

const notifier = createNotifier();

function notifyChange(): void {
  cachedUser = undefined;
  notifier.notify();
}

function readSession(key: SessionKey): string | null {
  return sessionStorage.getItem(key);
}

function writeSession(key: SessionKey, value: string): void {
  sessionStorage.setItem(key, value);
  notifyChange();
}

function storeUser(user: User): void {
  sessionStorage.setItem('CURRENT-USER-ID', String(user.id));
  sessionStorage.setItem('CURRENT-USER-EMAIL', user.email);
  sessionStorage.setItem('CURRENT-USER-NAME', user.name);
  sessionStorage.setItem('CURRENT-USER-ROLE', user.role);
  notifyChange();
}

export function signIn(reply: SignedIn): void {
  discardOldDrafts();
  sessionStorage.setItem('AUTH-TOKEN', reply.token);
  storeUser(reply.user);
}

/** After a change of the user's own name, email or role. */
export function updateCurrentUser(user: User): void {
  storeUser(user);
}

/** The session has expired: removes its keys, but keeps the drafts for the user's next sign-in. */
export function endSession(): void {
  for (const key of USER_KEYS) sessionStorage.removeItem(key);
  localStorage.removeItem('CURRENT-SEM');
  notifyChange();
}

/**
 * Starts a logout: discards the drafts and removes the token, so that a 401 from now on does not count as an
 * expired session. The page stays as it is until {@link endSession}.
 */
export function beginLogout(): void {
  discardUserDrafts(currentUserId());
  clearRecentPages(currentUserId());
  sessionStorage.removeItem('AUTH-TOKEN');
}

export function authToken(): string | null {
  return readSession('AUTH-TOKEN');
}

export function isSignedIn(): boolean {
  return authToken() !== null;
}

export function currentUserId(): string {
  return readSession('CURRENT-USER-ID') ?? '';
}

export interface CurrentUser {
  id: number;
  email: string;
  name: string;
  role: string;
}

let cachedUser: CurrentUser | null | undefined;

/** The signed-in user, or null. The same object until something changes, as `useSyncExternalStore` requires. */
function currentUser(): CurrentUser | null {
  if (cachedUser !== undefined) return cachedUser;
  cachedUser = isSignedIn()
    ? {
        id: Number(readSession('CURRENT-USER-ID')),
        email: readSession('CURRENT-USER-EMAIL') ?? '',
        name: readSession('CURRENT-USER-NAME') ?? '',
        role: readSession('CURRENT-USER-ROLE') ?? '',
      }
    : null;
  return cachedUser;
}

export function useCurrentUser(): CurrentUser | null {
  return useSyncExternalStore(notifier.subscribe, currentUser);
}

/** Whether the user's role may change records. The server checks again. */
export function useCanWrite(): boolean {
  const role = useCurrentUser()?.role;
  return role === 'admin' || role === 'staff';
}

/** Teachers see their mark sheets and no records. */
export function useIsTeacher(): boolean {
  return useCurrentUser()?.role === 'teacher';
}

/** Whether the user may fill the mark sheets that they can open. */
export function useCanFill(): boolean {
  const isTeacher = useIsTeacher();
  return useCanWrite() || isTeacher;
}

/** The last visited path, where a signed-in user who opens the login page is redirected to. */
export function lastVisitedPath(): string | null {
  return readSession('VISITED-PATH');
}

export function storeVisitedPath(path: string): void {
  sessionStorage.setItem('VISITED-PATH', path);
}

/** The last search parameters of the list of students, for links back to it. */
export function storedStudentsSearch(): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(readSession('STUDENTS-SEARCH') ?? ''));
}

export function storeStudentsSearch(search: Readonly<Record<string, string>>): void {
  sessionStorage.setItem('STUDENTS-SEARCH', new URLSearchParams(search).toString());
}

/** Stores how many semesters of the current record are to be entered. */
export function storeCurrentSemester(semester: number): void {
  localStorage.setItem('CURRENT-SEM', String(semester));
  writeSession('CURRENT-SEM', String(semester));
}

/** The semester at which the entry of a student's results continues; null if unknown or stored for another student. */
export function startingSemester(studentId: string): number | null {
  const ownerId = readSession('STARTING-SEM-OF');
  if (ownerId !== null && ownerId !== studentId) return null;
  const semester = Number(readSession('STARTING-SEM'));
  return Number.isInteger(semester) && semester >= 1 ? semester : null;
}

export function storeStartingSemester(studentId: string, semester: number): void {
  sessionStorage.setItem('STARTING-SEM-OF', studentId);
  writeSession('STARTING-SEM', String(semester));
}

/** Whether the sidebar shows its labels. */
function isNavExpanded(): boolean {
  return readSession('SHOW-NAV-TEXT') !== 'false';
}

export function storeNavExpanded(shows: boolean): void {
  writeSession('SHOW-NAV-TEXT', String(shows));
}

export function useNavExpanded(): boolean {
  return useSyncExternalStore(notifier.subscribe, isNavExpanded);
}
