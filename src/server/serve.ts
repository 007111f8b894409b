import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import type { FastifyBaseLogger } from 'fastify';
import { tryHashing } from './accounts/credentials/hash.ts';
import { deleteExpiredSessions } from './accounts/sessions/sessions.ts';
import { createProvider } from './accounts/sso/oidc-client.ts';
import { buildApp } from './app.ts';
import { openDatabase } from './backup/open-database.ts';
import { scheduleBackups } from './backup/schedule.ts';
import { formatLocation, getLocation } from './db/location.ts';
import { monitorEventLoop } from './http/hooks/load-limits.ts';
import { openLogFile } from './http/hooks/log-file.ts';
import { createLogger } from './http/hooks/logger.ts';
import { createMailer } from './mail.ts';
import { WEB_FOLDER } from './program-files.ts';
import { Secrets } from './secrets/secrets.ts';
import { sealStored } from './secrets/stored-secrets.ts';
import { readCheckedSettings } from './settings/checked-settings.ts';
import { SettingsError } from './settings/settings.ts';
import { EXIT_CODES, StartError } from './start-error.ts';

/** SIGHUP is the end of the terminal, and the close button of a console of Windows; SIGBREAK is Ctrl+Break there. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGBREAK'] as const;
/** Time from the first signal to the end of the process in any case. */
const STOP_TIMEOUT_MS = 10_000;
/** For running requests; the rest is for closing connections and the database. */
const FINISH_TIMEOUT_MS = 7_000;

/**
 * Stops the process gracefully on SIGTERM or SIGINT, and when its terminal is closed: health checks fail, new requests are rejected, running ones finish, the
 * database is closed, and the exit code is 0. A second signal or a timeout of 10 seconds ends it immediately with 1.
 */
function stopOnSignal(logger: Pick<FastifyBaseLogger, 'info' | 'error'>) {
  let stopping = false;
  let close: () => Promise<void> = async () => {};
  const stop = async (signal: string) => {
    if (stopping) process.exit(1);
    stopping = true;
    logger.info({ signal }, 'stopping');
    setTimeout(() => {
      logger.error('work was still running after the time to finish it');
      process.exit(1);
    }, STOP_TIMEOUT_MS).unref();
    try {
      await close();
      process.exit(0);
    } catch (error) {
      logger.error({ err: error }, 'stopping failed');
      process.exit(1);
    }
  };
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  return {
    isStopping: () => stopping,
    finishTimeoutMs: FINISH_TIMEOUT_MS,
    closeWith: (closer: () => Promise<void>) => {
      close = closer;
    },
  };
}

/**
 * Full collections when a heap, also that of a worker, has grown by half since the last one. On large machines the engine waits
 * until it is four times as large, which an import of a large file reaches with what it does not need any more.
 */
const HEAP_GROWTH = '--heap-growing-percent=50';

/**
 * Serves SIMS until a signal: settings → database → application → listen.
 *
 * @returns the address on which it listens
 * @throws SettingsError, StartError, or an error of the system, whose exit code and text {@link explainFailure} knows
 */
export async function serve(): Promise<string> {
  // New files are private to the user, regardless of the umask of the shell or service manager.
  process.umask(0o077);
  setFlagsFromString(HEAP_GROWTH);
  const settings = readCheckedSettings(process.env, console.warn);
  const { logFile } = settings;
  const logger = createLogger(settings.logLevel, logFile === undefined ? undefined : openLogFile(logFile));
  logger.info({ database: formatLocation(getLocation(settings)) }, 'starting');
  // Before the database is opened, which may make a backup and take long.
  const stop = stopOnSignal(logger);
  await tryHashing();
  const db = await openDatabase(settings, { ...settings.database, log: (what) => logger.warn(what) });
  const secrets = new Secrets(settings.secretKeys);
  const sealed = await sealStored(db.write, secrets);
  if (sealed > 0) logger.info({ keys: sealed }, 'keys encrypted with the first line of SIMS_SECRET_KEY_FILE');
  await deleteExpiredSessions(db.write).catch((error: unknown) => {
    logger.warn({ err: error }, 'expired sessions were not deleted');
  });
  const publicUrl =
    settings.publicUrl ??
    new URL(`http://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${settings.port}`);
  const app = await buildApp({
    db,
    settings,
    secrets,
    mailer: settings.smtpUrl && createMailer(settings.smtpUrl, publicUrl),
    provider: settings.provider && createProvider(settings.provider, publicUrl),
    logger,
    webDir: fileURLToPath(WEB_FOLDER),
    trustedProxies: settings.trustedProxies,
    https: settings.publicUrl?.protocol === 'https:',
    metricsToken: settings.metricsToken,
    isStopping: stop.isStopping,
    isOverloaded: monitorEventLoop(),
  });
  let endBackups = async () => {};
  stop.closeWith(async () => {
    // A keep-alive connection would stay open after its last response.
    const sweep = setInterval(() => app.server.closeIdleConnections(), 100);
    // A request that never arrives completely would block the stop. Nothing was confirmed to its client.
    const cutOff = setTimeout(() => {
      logger.warn('connections whose requests were not finished in time are ended');
      app.server.closeAllConnections();
    }, stop.finishTimeoutMs);
    await Promise.all([app.close(), endBackups()]);
    clearInterval(sweep);
    clearTimeout(cutOff);
    await db.close();
  });
  const address = await app.listen({ host: settings.host, port: settings.port });
  const { dir, every, keep } = settings.backup;
  if (dir !== undefined && every !== undefined)
    endBackups = scheduleBackups(db, { dir, every, keep }, logger);
  return address;
}

/** What to print about a failed start, and the exit code of the process. */
export function explainFailure(error: unknown): { text: unknown; exitCode: number } {
  const exitCode = error instanceof StartError ? error.exitCode : EXIT_CODES.failed;
  if (error instanceof SettingsError || error instanceof StartError) return { text: error.message, exitCode };
  // The address or port is not available.
  if (error instanceof Error && 'syscall' in error)
    return {
      text: `${error.message}. Set HOST or PORT to another one (PORT=0 takes any free one).`,
      exitCode,
    };
  return { text: error, exitCode };
}
