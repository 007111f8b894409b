import { useSyncExternalStore } from 'react';
import type { SignedIn, User } from '../contract/accounts.ts';
import { discardDraftsOf } from './forms/drafts.ts';
import { forgetRecentPlaces } from './palette/recent-places.ts';

type SessionKey =
  | 'AUTH-TOKEN'
  | 'CURRENT-USER-ID'
  | 'CURRENT-USER-EMAIL'
  | 'CURRENT-USER-NAME'
  | 'CURRENT-USER-ROLE'
  | 'SHOW-NAV-TEXT'
  | 'VISITED-PATH'
  | 'STUDENTS-SEARCH'
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
] as const satisfies readonly SessionKey[];

const listeners = new Set<() => void>();

function changed(): void {
  known = undefined;
  for (const listener of listeners) listener();
}

function readSession(key: SessionKey): string | null {
  return sessionStorage.getItem(key);
}

function writeSession(key: SessionKey, value: string): void {
  sessionStorage.setItem(key, value);
  changed();
}

function rememberUser(user: User): void {
  sessionStorage.setItem('CURRENT-USER-ID', String(user.id));
  sessionStorage.setItem('CURRENT-USER-EMAIL', user.email);
  sessionStorage.setItem('CURRENT-USER-NAME', user.name);
  sessionStorage.setItem('CURRENT-USER-ROLE', user.role);
  changed();
}

export function signIn(reply: SignedIn): void {
  sessionStorage.setItem('AUTH-TOKEN', reply.token);
  rememberUser(reply.user);
}

/** After the person has changed their own name, email or role. */
export function updateCurrentUser(user: User): void {
  rememberUser(user);
}

/** The session is over by itself: its keys go, what was typed stays for the same person's next sign-in. */
export function endSession(): void {
  for (const key of USER_KEYS) sessionStorage.removeItem(key);
  localStorage.removeItem('CURRENT-SEM');
  changed();
}

/**
 * Signing out on purpose begins: what was typed and not saved is given up, and the token goes, so that a refusal from
 * here on is not taken for a session that ran out. The page keeps its look until {@link endSession}.
 */
export function giveUpSession(): void {
  discardDraftsOf(currentUserId());
  forgetRecentPlaces(currentUserId());
  sessionStorage.removeItem('AUTH-TOKEN');
}

export function authToken(): string | null {
  return readSession('AUTH-TOKEN');
}

export function isSignedIn(): boolean {
  return authToken() !== null;
}

function currentUserId(): string {
  return readSession('CURRENT-USER-ID') ?? '';
}

export interface CurrentUser {
  id: number;
  email: string;
  name: string;
  role: string;
}

let known: CurrentUser | null | undefined;

/** The signed-in person, or null. The same object until something changes. */
function currentUser(): CurrentUser | null {
  if (known !== undefined) return known;
  known = isSignedIn()
    ? {
        id: Number(readSession('CURRENT-USER-ID')),
        email: readSession('CURRENT-USER-EMAIL') ?? '',
        name: readSession('CURRENT-USER-NAME') ?? '',
        role: readSession('CURRENT-USER-ROLE') ?? '',
      }
    : null;
  return known;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useCurrentUser(): CurrentUser | null {
  return useSyncExternalStore(subscribe, currentUser);
}

/** Whether the role lets a person change records, not only read them; the server has the last word. */
export function useMayWrite(): boolean {
  const user = useCurrentUser();
  return user !== null && user.role !== 'viewer';
}

/** The last visited path, where a signed-in person who opens the login page is sent back to. */
export function visitedPath(): string | null {
  return readSession('VISITED-PATH');
}

export function rememberVisitedPath(path: string): void {
  sessionStorage.setItem('VISITED-PATH', path);
}

/** The search and the order that the list of students was left with, for the ways back to it. */
export function studentsSearch(): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(readSession('STUDENTS-SEARCH') ?? ''));
}

export function rememberStudentsSearch(search: Readonly<Record<string, string>>): void {
  sessionStorage.setItem('STUDENTS-SEARCH', new URLSearchParams(search).toString());
}

/** How many semesters of the record at hand are to be entered. */
export function storeCurrentSemester(semester: number): void {
  localStorage.setItem('CURRENT-SEM', String(semester));
  writeSession('CURRENT-SEM', String(semester));
}

/** The semester that the entry of a student's results goes on at; null when nothing says so, or it is another's. */
export function startingSemester(studentId: string): number | null {
  const whose = readSession('STARTING-SEM-OF');
  if (whose !== null && whose !== studentId) return null;
  const semester = Number(readSession('STARTING-SEM'));
  return Number.isInteger(semester) && semester >= 1 ? semester : null;
}

export function storeStartingSemester(studentId: string, semester: number): void {
  sessionStorage.setItem('STARTING-SEM-OF', studentId);
  writeSession('STARTING-SEM', String(semester));
}

/** Whether the sidebar shows its words. */
function showsNavText(): boolean {
  return readSession('SHOW-NAV-TEXT') !== 'false';
}

export function storeShowsNavText(shows: boolean): void {
  writeSession('SHOW-NAV-TEXT', String(shows));
}

export function useShowsNavText(): boolean {
  return useSyncExternalStore(subscribe, showsNavText);
}
