import { parseArgs } from 'node:util';
import { openDatabase } from '../../backup/open-database.ts';
import { rejectUnfinishedCopy } from '../../db/copy-marker.ts';
import { type DatabaseLocation, formatLocation, getLocation } from '../../db/location.ts';
import { MIGRATIONS } from '../../db/migrations/index.ts';
import { readCheckedSettings } from '../../settings/checked-settings.ts';
import { SIMS_COMMAND, StartError } from '../../start-error.ts';
import { isInstalled, openSnapshot } from '../../transfer/open-read-only.ts';
import { appliedMigrations } from '../../transfer/preflight.ts';
import type { Command } from '../command.ts';
import { print } from '../print.ts';

const HELP = `Migrates the database to the schema version of this program, as a start does, and lists the migrations.

  ${SIMS_COMMAND} migrate --dry-run
  ${SIMS_COMMAND} migrate
  ${SIMS_COMMAND} migrate --new

  --dry-run        Lists the missing migrations and changes nothing.
  --new            Creates an empty database in a data folder whose database is missing, which a start refuses.

A backup is made first, as at a start. The server of a data folder must be stopped, except for --dry-run.

Exit code 0 when done, when nothing is missing, and with --dry-run; 1 when refused or failed.`;

/** `sims migrate` */
export const migrate: Command = {
  summary: 'Migrates the database, or lists what is missing',
  help: HELP,
  run: async (args, env) => {
    const { values } = parseArgs({
      args,
      options: { 'dry-run': { type: 'boolean', default: false }, new: { type: 'boolean', default: false } },
    });
    const settings = readCheckedSettings(env, console.warn);
    const location = getLocation(settings);
    const version = await readVersion(location);
    if (values.new && version > 0) {
      throw new StartError(
        `${formatLocation(location)} holds a database: --new is for a data folder whose database is missing.`,
      );
    }
    const missing = MIGRATIONS.slice(version).map(({ name }) => name);
    print(
      missing.length === 0
        ? `${formatLocation(location)} is up to date: schema version ${version}.`
        : `${formatLocation(location)} has schema version ${version}, this program ${MIGRATIONS.length}. Missing: ${missing.join(', ')}.`,
    );
    if (values['dry-run'] || missing.length === 0) return 0;
    await (await openDatabase(settings, {}, { allowNew: values.new })).close();
    print(`Done: schema version ${MIGRATIONS.length}.`);
    return 0;
  },
};

/** 0 where there is no database. */
async function readVersion(location: DatabaseLocation): Promise<number> {
  const opened = (await isInstalled(location)) ? await openSnapshot(location) : undefined;
  if (opened === undefined) return 0;
  try {
    await rejectUnfinishedCopy(opened.db);
    return (await appliedMigrations(opened.db, formatLocation(location))).length;
  } finally {
    await opened.close();
  }
}
