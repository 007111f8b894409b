import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

/** Settings of a bundle are in its data folder, so that an update keeps them. */
export const settingsFile = (dataDir: string) => join(dataDir, 'settings.txt');

const TEXT = `# Settings of SIMS. Take away the # at the beginning of a line to use it, save, and start SIMS again.
# All settings are described in docs/operations/install.md in the folder of SIMS.

# Part of the address in the browser: http://127.0.0.1:3000
#PORT=3000

# Let other computers of the office open SIMS, at http://<name of this computer>:3000, and say who may make an account there (closed:
# only whom an administrator invites). What they send and see is not encrypted on the way: do this only in a network that you trust, or
# put a proxy with TLS in front. The firewall of this computer has to let them in.
#HOST=0.0.0.0
#SIMS_REGISTRATION=closed

# A backup is made once a day, and the last 14 are kept. A folder on another disk survives a broken one.
#SIMS_BACKUP_EVERY=24
#SIMS_BACKUP_KEEP=14
#SIMS_BACKUP_DIR=

# The time zone of the faculty, if this computer has another one.
#TZ=Asia/Karachi
`;

/** Writes the file with every setting commented out, where there is none. Windows needs its own line ends. */
export function writeSettingsFile(dataDir: string): void {
  const file = settingsFile(dataDir);
  const text = process.platform === 'win32' ? TEXT.replaceAll('\n', '\r\n') : TEXT;
  if (!existsSync(file)) writeFileSync(file, text, { mode: 0o600 });
}

/** Adds the settings of the file to the environment, which wins, and what a bundle does without being told. */
export function loadSettings(dataDir: string): void {
  const file = settingsFile(dataDir);
  if (existsSync(file)) process.loadEnvFile(file);
  process.env.SIMS_DATA_DIR ??= dataDir;
  // Data on a server of databases has no folder for backups until one is named.
  if (process.env.DATABASE_URL === undefined || process.env.SIMS_BACKUP_DIR)
    process.env.SIMS_BACKUP_EVERY ??= '24';
  process.env.SIMS_LOG_FILE ??= join(dataDir, 'logs', 'sims.log');
}
