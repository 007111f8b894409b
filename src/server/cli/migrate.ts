import { parseArgs } from 'node:util';
import { versionsOf } from '../db/copy/check-places.ts';
import { isThere, openSnapshot } from '../db/copy/open-unchanged.ts';
import { labelOf, type Place, placeOf } from '../db/copy/place.ts';
import { refuseUnfinished } from '../db/copy/state.ts';
import { MIGRATIONS } from '../db/migrations/index.ts';
import { openDatabase } from '../db/open.ts';
import { readSettings } from '../settings.ts';
import { StartError } from '../start-error.ts';
import type { Command } from './commands.ts';

const HELP = `Brings the database to the schema version of this program, as a start does, and says what that takes.

  npm run sims -- migrate --dry-run
  npm run sims -- migrate

  --dry-run        Says which migrations are missing, and alters nothing.

A backup is made before, as at a start. On a data folder the server must be stopped, except for --dry-run.

Ends with 0 when it is done or nothing is missing, with --dry-run also when something is; with 1 when it was refused or
failed.`;

/** A start's migrations without the start. */
export const migrate: Command = {
  summary: 'Brings the database up to date, or says what is missing',
  help: HELP,
  run: async (args, env) => {
    const { values } = parseArgs({ args, options: { 'dry-run': { type: 'boolean', default: false } } });
    const settings = readSettings(env);
    const place = placeOf(settings);
    const version = await versionOf(place);
    const missing = MIGRATIONS.slice(version).map(({ name }) => name);
    console.log(
      missing.length === 0
        ? `${labelOf(place)} is up to date: schema version ${version}.`
        : `${labelOf(place)} has schema version ${version}, this program ${MIGRATIONS.length}. Missing: ${missing.join(', ')}.`,
    );
    if (values['dry-run'] || missing.length === 0) return 0;
    await (await openDatabase(settings)).close();
    console.log(`Done: schema version ${MIGRATIONS.length}.`);
    return 0;
  },
};

/** 0 where there is no database yet. */
async function versionOf(place: Place): Promise<number> {
  const opened = (await isThere(place)) ? await openSnapshot(place) : undefined;
  if (opened === undefined) return 0;
  try {
    await refuseUnfinished(opened.db);
    const version = (await versionsOf(opened.db)).length;
    if (version <= MIGRATIONS.length) return version;
    throw new StartError(
      `${labelOf(place)} has schema version ${version}, but this program knows only ${MIGRATIONS.length}: use a newer SIMS.`,
    );
  } finally {
    await opened.close();
  }
}
