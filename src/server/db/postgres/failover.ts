import pg from 'pg';
import type { Connection } from './client.ts';

/** A server answers, but could not identify itself. */
export const UNIDENTIFIED_SERVER = Symbol('unidentified server');

/** Identifies a server by its start time, and says whether it is a replica. */
const IDENTIFY = 'select pg_postmaster_start_time()::text as server, pg_is_in_recovery() as "isReplica"';

/** Milliseconds for a probe to connect, and to answer. */
const PROBE_TIMEOUTS = { connection: 2_500, answer: 750 } as const;

/** The server that a connection leads to: after a failover it is another one, or a replica. */
export async function identifyServer(client: pg.ClientBase): Promise<{ server: string; isReplica: boolean }> {
  const { rows } = await client.query<{ server: string; isReplica: boolean }>(IDENTIFY);
  const [identity] = rows;
  if (identity === undefined) throw new Error('the server did not identify itself');
  return identity;
}

/** The server that answers a new connection; undefined where none does in time. */
export async function probeServer(
  config: pg.ClientConfig,
): Promise<string | typeof UNIDENTIFIED_SERVER | undefined> {
  const client = new pg.Client({
    ...config,
    connectionTimeoutMillis: PROBE_TIMEOUTS.connection,
    query_timeout: PROBE_TIMEOUTS.answer,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await identifyServer(client)).server;
  } catch (error) {
    // For example, out of connections.
    return error instanceof pg.DatabaseError ? UNIDENTIFIED_SERVER : undefined;
  } finally {
    client.end().catch(() => {});
  }
}

/** Has the SQLSTATE of a read-only transaction. */
export class ReadOnlyServerError extends Error {
  readonly code = '25006';

  constructor() {
    super('the server is a replica, which can only be read');
  }
}

/** Server routine that warns when the wait for a standby was cancelled; the text of the warning depends on the locale. */
const STANDBY_WAIT_ROUTINE = 'SyncRepWaitForLSN';

/** Committed on the primary only: a failover could lose the change. */
export class NotReplicatedError extends Error {
  /** SQLSTATE 08007: transaction resolution unknown. */
  readonly code = '08007';

  constructor() {
    super('The wait for the standby was cancelled.');
  }
}

/** Watches for commits that the standby has not confirmed. */
export function watchReplication(connection: Connection): void {
  connection.client.on('notice', ({ routine }: { routine?: string | undefined }) => {
    if (routine === STANDBY_WAIT_ROUTINE) connection.isNotReplicated = true;
  });
}
