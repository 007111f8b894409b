import { constants, setPriority } from 'node:os';
import { parseArgs } from 'node:util';
import { summarizeContents } from '../../backup/contents.ts';
import { backupInto, makeBackup } from '../../backup/make-backup.ts';
import { getLocation } from '../../db/location.ts';
import { describeNeededKeys } from '../../secrets/stored-secrets.ts';
import { readCheckedSettings } from '../../settings/checked-settings.ts';
import { SIMS_COMMAND, StartError } from '../../start-error.ts';
import type { Command } from '../command.ts';
import { print } from '../print.ts';

const HELP = `Writes everything to one file: records, history, accounts, pictures. The server may be running.

  ${SIMS_COMMAND} backup
  ${SIMS_COMMAND} backup --to /backup/before-the-holidays.backup

  --to <file>      Name of the backup; an existing file is never overwritten. By default the name is the time,
                   in SIMS_BACKUP_DIR (or the folder "backups" in the data folder).

The backup is a snapshot of one moment. It is verified and on disk before it gets its final name, and can be restored to
either engine ("restore"). It contains no sessions: after a restore everybody signs in again. Keys that are
encrypted with SIMS_SECRET_KEY_FILE stay so in it; the file is not in it, and has to be kept too.

Exit code 0 when the backup was made, 1 when not.`;

/** `sims backup` */
export const backup: Command = {
  summary: 'Writes everything to one file; the server may be running',
  help: HELP,
  run: async (args, env) => {
    const { values } = parseArgs({ args, options: { to: { type: 'string' } } });
    lowerPriority();
    const settings = readCheckedSettings(env, console.warn);
    const from = getLocation(settings);
    const { dir } = settings.backup;
    if (values.to === undefined && dir === undefined) {
      throw new StartError('Name the backup with --to <file>, or set SIMS_BACKUP_DIR.');
    }
    const made =
      values.to === undefined && dir !== undefined
        ? await backupInto(dir, from, 'asked')
        : await makeBackup(from, values.to ?? '');
    print(`${made.file}: ${summarizeContents(made.contents)}; ${(made.bytes / 2 ** 20).toFixed(1)} MiB.`);
    const needed = describeNeededKeys('it', made.contents.sealedBy);
    if (needed !== undefined) print(needed);
    return 0;
  },
};

/** Requests to the server come first. Ignored where the system does not allow it. */
function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_LOW);
  } catch {}
}
