import pg from 'pg';
import { StartError } from '../../start-error.ts';

/** Settings of a session by their names, with values as PostgreSQL takes them. */
export type SessionSettings = Readonly<Record<string, string>>;

/** The setting that says where connections lead. */
export type AddressSetting = 'DATABASE_URL' | 'DATABASE_READ_URL';

/** The limits of {@link SessionSettings} are in milliseconds; the server reports them in units that it chooses. */
const LIMITS: readonly string[] = [
  'statement_timeout',
  'idle_in_transaction_session_timeout',
  'idle_session_timeout',
];

/** Settings that have to hold, whatever others do: the durability of commits, and the limits of time. */
const ESSENTIAL: readonly string[] = ['synchronous_commit', ...LIMITS];

/**
 * Sets what a connection needs and reads it back in a statement of its own. Parameters of the start of a connection would
 * override defaults just as well, but poolers refuse or ignore them.
 *
 * @throws SessionError where it does not hold
 */
export async function configureSession(
  client: pg.ClientBase,
  settings: SessionSettings,
  address: AddressSetting,
): Promise<void> {
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
  throw new SessionError(`it was told ${wrong} = ${settings[wrong]}, and has ${found}.`, address);
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
 * @throws SessionError
 */
export async function requireOwnSession(
  client: pg.Client,
  others: readonly pg.Client[],
  address: AddressSetting,
): Promise<void> {
  const own = await readProcess(client);
  let isShared = false;
  for (const other of others) {
    if (isShared) break;
    isShared = await other.query('begin').then(
      async () => (await readProcess(other)) === own,
      (error: unknown) => {
        if (isTransactionRefused(error)) return true;
        throw error;
      },
    );
  }
  if (isShared || (await readProcess(client)) !== own) {
    throw new SessionError('its connections are shared between transactions.', address);
  }
  for (const other of others) await other.query('rollback');
}

/** Whether a pooler that shares connections between statements refuses: it answers a protocol violation. */
const isTransactionRefused = (error: unknown) => error instanceof pg.DatabaseError && error.code === '08P01';

/** Has the SQLSTATE of a connection that the server does not accept: later than at the start, calls are answered 503. */
export class SessionError extends StartError {
  readonly code = '08004';

  constructor(reason: string, address: AddressSetting) {
    super(
      `The database can't be used: ${reason} A pooler in between must leave each connection its own session (PgBouncer: pool_mode = session), or ${address} must lead to the server itself.`,
    );
  }
}

/** The process of the server that runs the statements of a connection. */
async function readProcess(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ process: string }>('select pg_backend_pid()::text as process');
  return rows[0]?.process ?? '';
}
