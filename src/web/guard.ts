/** Pages that a signed-in person is kept away from. */
const GUEST_PATHS: readonly string[] = ['/login', '/register', '/forgot-password'];
const OPEN_PATHS: readonly string[] = [...GUEST_PATHS, '/password-recovery'];

interface Visitor {
  isSignedIn: boolean;
  /** The path visited last, null when there is none. */
  visitedPath: string | null;
}

/** Where a visitor of `pathname` is sent instead, or null to let them in. */
export function redirectFor(pathname: string, { isSignedIn, visitedPath }: Visitor): string | null {
  const path = pathname.replace(/(?<=.)\/+$/, '');
  if (!isSignedIn) return OPEN_PATHS.includes(path) ? null : '/login';
  if (!GUEST_PATHS.includes(path)) return null;
  return visitedPath === null || GUEST_PATHS.includes(visitedPath) ? '/' : visitedPath;
}
