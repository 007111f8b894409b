import type pg from 'pg';
import { StartError } from '../../start-error.ts';

/** Settings of a session by their names, with values as PostgreSQL takes them. */
export type SessionSettings = Readonly<Record<string, string>>;

const POOLER =
  'A pooler in between must leave each connection its own session (PgBouncer: pool_mode = session), or DATABASE_URL must lead to the server itself.';

/** The limits of {@link SessionSettings} are in milliseconds; the server reports them in units that it chooses. */
const LIMITS: readonly string[] = [
  'statement_timeout',
  'idle_in_transaction_session_timeout',
  'idle_session_timeout',
];

/** What has to hold, whatever else does: the durability of commits, and the limits of time. */
const ESSENTIAL: readonly string[] = ['synchronous_commit', ...LIMITS];

/**
 * Sets what a connection needs and reads it back in a statement of its own. Not as parameters of the start of a connection, which
 * override defaults just as well: poolers refuse or ignore those.
 *
 * @throws StartError where it does not hold
 */
export async function configureSession(client: pg.ClientBase, settings: SessionSettings): Promise<void> {
  const names = Object.keys(settings);
  const essential = names.filter((name) => ESSENTIAL.includes(name));
  const set = client.query(
    `select ${names.map((_, i) => `set_config($${2 * i + 1}, $${2 * i + 2}, false)`).join()}`,
    Object.entries(settings).flat(),
  );
  const read = client.query<Record<string, string>>(
    `select ${essential.map((name) => `${currentValue(name)}::text as ${name}`).join()}`,
  );
  const [, { rows }] = await Promise.all([set, read]);
  const wrong = essential.find((name) => rows[0]?.[name] !== settings[name]);
  if (wrong === undefined) return;
  const found = rows[0]?.[wrong];
  throw new SessionError(`it was told ${wrong} = ${settings[wrong]}, and has ${found}.`);
}

const currentValue = (name: string) =>
  LIMITS.includes(name)
    ? `(extract(epoch from current_setting('${name}')::interval) * 1000)::bigint`
    : `current_setting('${name}')`;

/**
 * Rejects a pooler that gives a server connection to another client after each transaction: settings, locks and prepared
 * statements of a session would be those of anybody. It gives such a connection to the next transaction that begins, so two that
 * begin while `client` is idle reveal it.
 *
 * @param client connected and idle
 * @param others connected and idle
 * @throws StartError
 */
export async function requireOwnSession(client: pg.Client, others: readonly pg.Client[]): Promise<void> {
  const own = await readProcess(client);
  let isShared = false;
  for (const other of others) {
    if (isShared) break;
    // Refused by a pooler that shares connections between statements.
    isShared = await other.query('begin').then(
      async () => (await readProcess(other)) === own,
      () => true,
    );
  }
  if (isShared || (await readProcess(client)) !== own) {
    throw new SessionError('its connections are shared between transactions.');
  }
  for (const other of others) await other.query('rollback');
}

/** Has the SQLSTATE of a connection that the server does not accept: later than at the start, calls are answered 503. */
class SessionError extends StartError {
  readonly code = '08004';

  constructor(reason: string) {
    super(`The database can't be used: ${reason} ${POOLER}`);
  }
}

/** The process of the server that runs the statements of a connection. */
async function readProcess(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ process: string }>('select pg_backend_pid()::text as process');
  return rows[0]?.process ?? '';
}
