import { parseArgs } from 'node:util';
import { told } from '../backup/contents.ts';
import { restoreBackup } from '../backup/restore-backup.ts';
import { readSettings } from '../settings.ts';
import { StartError } from '../start-error.ts';
import { brokenOff } from './broken-off.ts';
import type { Command } from './commands.ts';

const HELP = `Puts a backup in the place that the settings name (SIMS_DATA_DIR, or DATABASE_URL), whatever engine it was made on.

  npm run sims -- restore data/backups/sims-2026-01-31T02-00-00.000Z-scheduled.backup

  --force          What is in that place gives way, and is kept: a data folder's files in a folder of their own in it,
                   a server's records in a backup in SIMS_BACKUP_DIR (else beside the file).

Stop every server first; it is refused while one runs, or a command. The whole file is looked at before anything is touched. Broken off, the same command begins
anew; until it is done no server starts there. Everybody signs in again.

Accounts become what they were at the time of the backup as well: a password changed, a recovery code used, a role taken
away or an account locked since then are again as they were.

Ends with 0 when it is done, with 1 when it was refused or failed.`;

const AGAIN = 'The same command begins it anew; until it is done no server starts on what is half restored.';

/** The way back. */
export const restore: Command = {
  summary: 'Puts a backup in place; what is there is kept',
  help: HELP,
  run: async (args, env) => {
    const { values, positionals } = parseArgs({
      args,
      options: { force: { type: 'boolean', default: false } },
      allowPositionals: true,
    });
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0)
      throw new StartError('Name one backup: restore <file> [--force]');
    const { contents } = await restoreBackup(file, readSettings(env), {
      force: values.force,
      tell: console.log,
    }).catch((error: unknown) => {
      throw brokenOff(error, 'The restore', AGAIN);
    });
    console.log(`Restored: ${told(contents)}. Everybody signs in again.`);
    console.log(
      'Accounts are as they were at the time of the backup too: passwords, roles, locks, second factors and recovery codes. What was changed, used, taken away or locked since then is good again; see to it now.',
    );
    return 0;
  },
};
