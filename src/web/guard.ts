/** Pages that redirect signed-in users. */
const GUEST_PATHS: readonly string[] = ['/login', '/register', '/forgot-password'];
const OPEN_PATHS: readonly string[] = [
  ...GUEST_PATHS,
  '/password-recovery',
  '/set-password',
  '/invitation',
  '/verify-email',
  '/verify',
];
/** The check of a document, by whoever holds it. */
const DOCUMENT_PATH = /^\/verify\/[^/]+$/;

/** What teachers may open: Home, users, and the marks, class, grades and submission of their sheets. */
const TEACHER_PATH = /^\/(?:list-users|two-factor|marksheets(?:\/\d+(?:\/(?:class|grades|results))?)?)?\/*$/;

export const isTeacherPath = (pathname: string) => TEACHER_PATH.test(pathname);

interface Visitor {
  isSignedIn: boolean;
  /** The last visited path, or null. */
  visitedPath: string | null;
}

/** The path that a visitor of `pathname` is redirected to, or null if they may open it. */
export function redirectFor(pathname: string, { isSignedIn, visitedPath }: Visitor): string | null {
  const path = pathname.replace(/(?<=.)\/+$/, '');
  if (!isSignedIn) return OPEN_PATHS.includes(path) || DOCUMENT_PATH.test(path) ? null : '/login';
  if (!GUEST_PATHS.includes(path)) return null;
  return visitedPath === null || GUEST_PATHS.includes(visitedPath) ? '/' : visitedPath;
}
