import { parseArgs } from 'node:util';
import { summarizeContents } from '../../backup/contents.ts';
import { restoreBackup } from '../../backup/restore-backup.ts';
import { Secrets } from '../../secrets/secrets.ts';
import { describeNeededKeys } from '../../secrets/stored-secrets.ts';
import { readCheckedSettings } from '../../settings/checked-settings.ts';
import { SIMS_COMMAND, StartError } from '../../start-error.ts';
import { type Command, explainInterruption } from '../command.ts';
import { print } from '../print.ts';

const HELP = `Restores a backup of either engine to the database of the settings (SIMS_DATA_DIR or DATABASE_URL).

  ${SIMS_COMMAND} restore data/backups/sims-2026-01-31T02-00-00.000Z-scheduled.backup

  --force          Replaces existing records and keeps them: the files of a data folder in a subfolder, the records of
                   a database on a server as a backup in SIMS_BACKUP_DIR (or in the folder of the file).

  --without-keys   Restores although keys in the backup are encrypted with a line that SIMS_SECRET_KEY_FILE does not have,
                   since the file is lost. Before a server starts, the signing key and second factors have to be replaced.

Stop every server and command first: the restore is refused while one runs. The whole backup is verified before anything
is changed. If it is interrupted, run the same command again; until then no server starts on the database. Everybody
signs in again.

Accounts are restored too: passwords, recovery codes, roles and locks are those of the time of the backup.

Exit code 0 when done, 1 when refused or failed.`;

const AGAIN = 'Run the same command again; until it is done no server starts on the database.';

/** `sims restore` */
export const restore: Command = {
  summary: 'Restores a backup; existing records are kept',
  help: HELP,
  run: async (args, env) => {
    const { values, positionals } = parseArgs({
      args,
      options: {
        force: { type: 'boolean', default: false },
        'without-keys': { type: 'boolean', default: false },
      },
      allowPositionals: true,
    });
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0)
      throw new StartError('Name one backup: restore <file> [--force] [--without-keys]');
    const settings = readCheckedSettings(env, console.warn);
    const { contents } = await restoreBackup(file, settings, {
      force: values.force,
      secrets: values['without-keys'] ? undefined : new Secrets(settings.secretKeys),
      onProgress: print,
    }).catch((error: unknown) => {
      throw explainInterruption(error, 'The restore', AGAIN);
    });
    print(`Restored: ${summarizeContents(contents)}. Everybody signs in again.`);
    print(
      'Accounts are restored too: passwords, roles, locks, second factors and recovery codes are those of the time of the backup. Repeat now what was changed, used, revoked or locked since then.',
    );
    const needed = describeNeededKeys('the database', contents.sealedBy);
    if (needed !== undefined) print(needed);
    return 0;
  },
};
