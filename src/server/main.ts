import { fileURLToPath } from 'node:url';
import { createProvider } from './accounts/provider.ts';
import { buildApp } from './app.ts';
import { scheduleBackups } from './backup/scheduled-backups.ts';
import { openDatabase } from './db/open.ts';
import { createLogger } from './http/log.ts';
import { watchEventLoop } from './http/overload.ts';
import { createMailer } from './mail.ts';
import { readSettings, SettingsError } from './settings.ts';
import { EXIT, StartError } from './start-error.ts';
import { stopOnSignal } from './stop-on-signal.ts';

/** Settings → database → application → listen. What stands in the way is said in one line each. */
async function main(): Promise<void> {
  const settings = readSettings(process.env);
  const logger = createLogger(settings.logLevel);
  // Before the database is opened, which may make a backup and take long.
  const stop = stopOnSignal(logger);
  const db = await openDatabase(settings, { ...settings.database, log: (what) => logger.warn(what) });
  const publicUrl =
    settings.publicUrl ??
    new URL(`http://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${settings.port}`);
  const app = await buildApp({
    db,
    settings,
    mailer: settings.smtpUrl && createMailer(settings.smtpUrl, publicUrl),
    provider: settings.provider && createProvider(settings.provider, publicUrl),
    logger,
    // Run from its sources (development), the program stands one folder further from what is built.
    webDir: fileURLToPath(
      new URL(import.meta.url.endsWith('.ts') ? '../../dist/web' : '../web', import.meta.url),
    ),
    trustedProxies: settings.trustedProxies,
    https: settings.publicUrl?.protocol === 'https:',
    metricsToken: settings.metricsToken,
    backsUp: settings.backup.every !== undefined,
    isStopping: stop.isStopping,
    isOverloaded: watchEventLoop(),
  });
  let endBackups = async () => {};
  stop.closeWith(async () => {
    // A connection whose call has been finished meanwhile would be kept open for the next one, which will not come.
    const sweep = setInterval(() => app.server.closeIdleConnections(), 100);
    await Promise.all([app.close(), endBackups()]);
    clearInterval(sweep);
    await db.close();
  });
  const address = await app.listen({ host: settings.host, port: settings.port });
  const { dir, every, keep } = settings.backup;
  if (dir !== undefined && every !== undefined)
    endBackups = scheduleBackups(db, { dir, every, keep }, logger);
  console.log(`SIMS listening on ${address}`);
}

main().catch((error: unknown) => {
  if (error instanceof SettingsError || error instanceof StartError) {
    console.error(error.message);
  } else if (error instanceof Error && 'syscall' in error) {
    // The address or port can't be had.
    console.error(`${error.message}. Set HOST or PORT to another one (PORT=0 takes any free one).`);
  } else {
    console.error(error);
  }
  process.exit(error instanceof StartError ? error.exitCode : EXIT.failed);
});
