import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { findDataFolder } from './bundle/data-folder.ts';
import { openBrowser } from './bundle/open-browser.ts';
import { loadSettings, settingsFile, writeSettingsFile } from './bundle/settings-file.ts';
import { PACKAGE_FILE } from './program-files.ts';
import { explainFailure, serve } from './serve.ts';
import { StartError } from './start-error.ts';

const VERSION = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(PACKAGE_FILE, 'utf8'))).version;

/** The address for a browser on this computer. */
function ownAddress(): string {
  const { HOST = '', PORT = '3000' } = process.env;
  return `http://${['', '0.0.0.0', '::'].includes(HOST) ? '127.0.0.1' : HOST}:${PORT}`;
}

/** The version that was started last on a data folder. */
const versionFile = (dataDir: string) => join(dataDir, 'sims.version');

async function isAnswering(address: string): Promise<boolean> {
  try {
    const reply = await fetch(`${address}/api/health`, { signal: AbortSignal.timeout(5_000) });
    return z.object({ status: z.literal('ok') }).safeParse(await reply.json()).success;
  } catch {
    return false;
  }
}

/**
 * Whether this SIMS runs already.
 *
 * @throws StartError when another one answers there: of another version, or of another data folder
 */
async function findOwnRunning(dataDir: string, address: string): Promise<boolean> {
  if (!(await isAnswering(address))) return false;
  if (!existsSync(join(dataDir, 'sims.pid'))) {
    throw new StartError(
      `Another SIMS, with records in another folder, is running at ${address}. Stop it, or set PORT in ${settingsFile(dataDir)} to another number.`,
    );
  }
  const running = existsSync(versionFile(dataDir))
    ? readFileSync(versionFile(dataDir), 'utf8').trim()
    : VERSION;
  if (running !== VERSION) {
    throw new StartError(
      `SIMS ${running} is running at ${address}. Stop it, by Ctrl+C in its window, then start this one, SIMS ${VERSION}, again.`,
    );
  }
  return true;
}

/** Starts SIMS with the data folder and the settings of this computer, and opens it in the browser. */
async function start({ dir, opensBrowser }: { dir: string | undefined; opensBrowser: boolean }) {
  // New files are private to the user, also those that are made before the server is started.
  process.umask(0o077);
  const dataDir = findDataFolder(dir);
  try {
    writeSettingsFile(dataDir);
  } catch {
    // The server is about to say why it can't write there.
  }
  loadSettings(dataDir);
  const address = ownAddress();
  if (await findOwnRunning(dataDir, address)) {
    console.log(`SIMS ${VERSION} is running already: ${address}`);
    if (opensBrowser) openBrowser(address);
    process.exit(0);
  }
  await serve();
  try {
    writeFileSync(versionFile(dataDir), `${VERSION}\n`);
  } catch {
    // It is only for the message of a second start, and no reason to end this one.
  }
  console.log(
    [
      `SIMS ${VERSION} is running: ${address}`,
      `Records, backups and settings are in ${dataDir}`,
      'To stop it, press Ctrl+C or close this window.',
    ].join('\n'),
  );
  if (opensBrowser) openBrowser(address);
}

const { values } = parseArgs({
  options: { 'no-browser': { type: 'boolean', default: false }, 'data-dir': { type: 'string' } },
});
const opensBrowser = !values['no-browser'];
try {
  await start({ dir: values['data-dir'], opensBrowser });
} catch (error) {
  const { text, exitCode } = explainFailure(error);
  console.error(text);
  // A window that was opened for the start closes at its end, with the reason in it.
  if (opensBrowser && process.stdin.isTTY)
    await createInterface(process.stdin, process.stdout).question('Press Enter to close this window. ');
  process.exit(exitCode);
}
