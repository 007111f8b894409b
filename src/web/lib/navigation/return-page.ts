import { startingSemester } from '../session.ts';

/**
 * The page to offer after the next sign-in, in session storage: the one on which the session ended, for its user only,
 * or the one whose link was opened signed out.
 */
const KEY = 'RETURN-PAGE';

export interface ReturnPage {
  /** Path and query, within the application. */
  path: string;
  /** The user whose session ended; null for a link. */
  userId: number | null;
  /** The semester whose results were being entered; null on other pages. */
  semester: number | null;
  /** Something typed is kept as a draft. */
  hasDraft: boolean;
}

function store(page: ReturnPage): void {
  sessionStorage.setItem(KEY, JSON.stringify(page));
}

/** Called while the session's keys are still stored. */
export function storeEndedPage(page: Omit<ReturnPage, 'semester'>): void {
  const [, studentId] = /^\/students\/([^/]+)\/academics\//.exec(page.path) ?? [];
  const semester = studentId === undefined ? null : startingSemester(decodeURIComponent(studentId));
  store({ ...page, semester });
}

/** Does not replace the page on which a session ended: its reload while signed out is no new link. */
export function storeOpenedLink(path: string): void {
  if (read()?.userId == null) store({ path, userId: null, semester: null, hasDraft: false });
}

/** Removes the stored page, and answers it unless it is another user's. */
export function takeReturnPage(userId: number): ReturnPage | null {
  const page = read();
  sessionStorage.removeItem(KEY);
  return page === null || (page.userId !== null && page.userId !== userId) ? null : page;
}

function read(): ReturnPage | null {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
    return isReturnPage(stored) ? stored : null;
  } catch {
    return null;
  }
}

function isReturnPage(value: unknown): value is ReturnPage {
  if (typeof value !== 'object' || value === null) return false;
  const isNumberOrNull = (key: string) => {
    const member: unknown = Reflect.get(value, key);
    return member === null || typeof member === 'number';
  };
  const path: unknown = Reflect.get(value, 'path');
  return (
    typeof path === 'string' &&
    isOwnPath(path) &&
    isNumberOrNull('userId') &&
    isNumberOrNull('semester') &&
    typeof Reflect.get(value, 'hasDraft') === 'boolean'
  );
}

/** Whether a text is a path of this application: `//host` and `/\host` lead to another one. */
const isOwnPath = (path: string): boolean => /^\/(?![/\\])/.test(path);
