import { isLoopback } from './loopback.ts';

/** Modes that the driver supports; it would silently treat anything else as `verify-full`. */
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/**
 * Reads the URL of a PostgreSQL database. Without an `sslmode` the connection to another machine is encrypted, and its certificate is
 * checked. The fault never repeats the text, which may contain a password.
 */
export function parseDatabaseUrl(text: string): { href: string } | { fault: string } {
  if (!/^postgres(ql)?:\/\//i.test(text)) {
    return { fault: 'must be an address that starts with postgres:// or postgresql://.' };
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || hasUnencodedPassword(url)) {
    return {
      fault:
        'must be postgres://<user>:<password>@<host>:<port>/<database>, with characters such as # / ? % @ in the password percent-encoded: %23 for #, %2F for /, %3F for ?, %25 for %, %40 for @.',
    };
  }
  // Without a name the driver would use a database named like the user.
  if (url.pathname.length < 2) {
    return { fault: 'must name a database: postgres://<user>:<password>@<host>/<database>.' };
  }
  if (url.searchParams.getAll('sslmode').some((mode) => !SSL_MODES.includes(mode))) {
    return { fault: `must have one of ${SSL_MODES.join(', ')} as its sslmode.` };
  }
  if (!url.searchParams.has('sslmode') && !isOnThisMachine(url))
    url.searchParams.set('sslmode', 'verify-full');
  return { href: url.href };
}

/** Whether the server is reached through a socket or the loopback address. */
function isOnThisMachine({ hostname, searchParams }: URL): boolean {
  const host = searchParams.get('host') ?? decodeURIComponent(hostname);
  return host === '' || host.startsWith('/') || isLoopback(host);
}

/** Whether a character of the password ended the host: the `@` and the path after it are then in a later part. */
function hasUnencodedPassword({ pathname, search, hash }: URL): boolean {
  return hash !== '' || /@.*\//.test(pathname.length > 1 ? pathname : search);
}
