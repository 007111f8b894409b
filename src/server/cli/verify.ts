import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { told } from '../backup/contents.ts';
import { checkBackup } from '../backup/restore-backup.ts';
import { describeSource } from '../db/copy/check-places.ts';
import { openFile, openSnapshot, type Unchanged } from '../db/copy/open-unchanged.ts';
import { labelOf, placeOf } from '../db/copy/place.ts';
import { MIGRATIONS } from '../db/migrations/index.ts';
import { readSettings } from '../settings.ts';
import { StartError } from '../start-error.ts';
import { verify as runChecks } from '../verify/checks.ts';
import type { Command, Env } from './commands.ts';

const HELP = `Looks at all that a database or a backup holds, and says what is not as it must be. Nothing is changed.

  npm run sims -- verify
  npm run sims -- verify data/backups/sims-2026-01-31T02-00-00.000Z.backup

One state is looked at while the server goes on: the engine's own check of its files, references between tables, averages
and statistics against what they come from, pictures, and what the list of students is answered from. What is
wrong with that last one "relist" mends.

Ends with 0 when all is in order, with 1 when something is not.`;

/** Is everything as it must be? */
export const verify: Command = {
  summary: 'Looks at all of a database or a backup, and says what is wrong',
  help: HELP,
  run: async (args, env) => {
    const { positionals } = parseArgs({ args, options: {}, allowPositionals: true });
    const [name, ...more] = positionals;
    if (more.length > 0) throw new StartError('Name one backup, or none for the database: verify [<file>]');
    const opened = name === undefined ? await openLive(env) : await openBackup(resolve(name));
    if (opened === undefined) return 0;
    try {
      const failed = await runChecks(opened.db, console.log);
      if (failed.length === 0) return 0;
      const isListing = failed.every(({ isRepairable }) => isRepairable);
      console.log(
        isListing
          ? 'The records are in order. "npm run sims -- relist" works out anew what is not.'
          : 'Not in order. Keep what is there, and see docs/operations.md on restoring a backup.',
      );
      return 1;
    } finally {
      await opened.close();
    }
  },
};

async function openLive(env: Env): Promise<Unchanged> {
  const place = placeOf(readSettings(env));
  const label = labelOf(place);
  const opened = await openSnapshot(place);
  if (opened === undefined) throw new StartError(`There is no SIMS database at ${label}.`);
  try {
    await describeSource(opened.db, label);
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function openBackup(file: string): Promise<Unchanged | undefined> {
  const contents = await checkBackup(file);
  console.log(`Byte by byte what was written: ${told(contents)}.`);
  if (contents.version === MIGRATIONS.length) return openFile(file);
  console.log(`Its schema version is ${contents.version}, of an older SIMS: more is looked at by that one.`);
  return undefined;
}
