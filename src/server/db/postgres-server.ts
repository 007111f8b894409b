import pg from 'pg';
import { StartError } from '../start-error.ts';

/** Milliseconds to get an answer at the start. */
const PATIENCE = 5_000;
/** 15, as the server counts its versions. */
const LEAST_VERSION = 150_000;

interface ServerSettings {
  version: string;
  encoding: string;
  fsync: string;
  /** What an acknowledged transaction has reached, by default. */
  commit: string;
}

/**
 * Asks a server what it is, over a connection that changes nothing of its defaults, and refuses one that the product can't
 * work with.
 *
 * @returns what commits are to wait for: the disk at least, or all that the server waits for by itself
 */
export async function checkServer(
  url: string,
  log: (what: string) => void,
): Promise<{ commit: 'on' | 'remote_apply' }> {
  const server = await ask(url);
  if (isTooOld(server.version)) throw new StartError('The database server is older than PostgreSQL 15.');
  if (server.encoding !== 'UTF8') throw new StartError('The database must be encoded in UTF-8.');
  if (server.fsync !== 'on') {
    log('the database server does not promise durable writes: fsync is off');
  }
  if (!['on', 'remote_apply'].includes(server.commit)) {
    log(
      `the database server does not promise durable writes by itself: synchronous_commit is ${server.commit}; SIMS turns it on for its own`,
    );
  }
  return { commit: server.commit === 'remote_apply' ? 'remote_apply' : 'on' };
}

/** By the server's number of its version: 150004 is 15.4. */
export const isTooOld = (version: string) => !(Number(version) >= LEAST_VERSION);

async function ask(url: string): Promise<ServerSettings> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: PATIENCE,
    query_timeout: PATIENCE,
    application_name: 'sims',
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<ServerSettings>(
      `select current_setting('server_version_num') as version,
        current_setting('server_encoding') as encoding,
        current_setting('fsync') as fsync,
        current_setting('synchronous_commit') as commit`,
    );
    const [server] = rows;
    if (server === undefined) throw new StartError('The database server does not say what it is.');
    return server;
  } catch (error) {
    if (!(error instanceof Error && /timeout/i.test(error.message))) throw error;
    throw new StartError(
      `The database can't be used: no answer from ${client.host}:${client.port} in ${PATIENCE / 1_000} seconds`,
    );
  } finally {
    client.end().catch(() => {});
  }
}
