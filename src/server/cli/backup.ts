import { constants, setPriority } from 'node:os';
import { parseArgs } from 'node:util';
import { told } from '../backup/contents.ts';
import { backupInto, makeBackup } from '../backup/make-backup.ts';
import { placeOf } from '../db/copy/place.ts';
import { readSettings } from '../settings.ts';
import { StartError } from '../start-error.ts';
import type { Command } from './commands.ts';

const HELP = `Writes everything into one file: records, history, accounts, pictures. The server may run meanwhile, or not.

  npm run sims -- backup
  npm run sims -- backup --to /backup/before-the-holidays.backup

  --to <file>      Where it goes; a file that is there is not written over. Without it the file is named by
                   the time, in SIMS_BACKUP_DIR (else the folder "backups" beside the data).

It holds one moment, is opened again and looked at as a whole before it gets its name, and is on the disk then. It can be
restored to either engine ("restore"). Nobody is signed in in it: after a restore everybody signs in again.

Ends with 0 when the backup is there, with 1 when none was made.`;

/** One file with everything. */
export const backup: Command = {
  summary: 'Writes everything into one file, while the server runs or not',
  help: HELP,
  run: async (args, env) => {
    const { values } = parseArgs({ args, options: { to: { type: 'string' } } });
    giveWay();
    const settings = readSettings(env);
    const from = placeOf(settings);
    const { dir } = settings.backup;
    if (values.to === undefined && dir === undefined) {
      throw new StartError('Say where the backup goes: --to <file>, or set SIMS_BACKUP_DIR.');
    }
    const made =
      values.to === undefined && dir !== undefined
        ? await backupInto(dir, from, 'asked')
        : await makeBackup(from, values.to ?? '');
    console.log(`${made.file}: ${told(made.contents)}; ${(made.bytes / 2 ** 20).toFixed(1)} MiB.`);
    return 0;
  },
};

/** Whoever is being answered comes first. Where the system allows no change of priority there is none. */
function giveWay(): void {
  try {
    setPriority(constants.priority.PRIORITY_LOW);
  } catch {}
}
