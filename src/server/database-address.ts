/** What the driver knows; anything else it would take for "verify-full" without a word. */
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/** Reads the address of a database on a PostgreSQL server. What is wrong with one is told without it: it may hold a password. */
export function readDatabaseAddress(text: string): { href: string } | { fault: string } {
  if (!/^postgres(ql)?:\/\//i.test(text)) {
    return { fault: 'must be an address that starts with postgres:// or postgresql://.' };
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || endsEarly(url)) {
    return {
      fault:
        'must be postgres://<user>:<password>@<host>:<port>/<database>, with characters such as # / ? % @ in the password percent-encoded: %23 for #, %2F for /, %3F for ?, %25 for %, %40 for @.',
    };
  }
  // Left out, the driver would take one that is called like the user.
  if (url.pathname.length < 2) {
    return { fault: 'must name a database: postgres://<user>:<password>@<host>/<database>.' };
  }
  if (url.searchParams.getAll('sslmode').some((mode) => !SSL_MODES.includes(mode))) {
    return { fault: `must have one of ${SSL_MODES.join(', ')} as its sslmode.` };
  }
  return { href: url.href };
}

/** Whether a character of the password was taken for the end of the host: what follows the password comes behind that. */
function endsEarly({ pathname, search, hash }: URL): boolean {
  return hash !== '' || /@.*\//.test(pathname.length > 1 ? pathname : search);
}
