import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { told } from '../backup/contents.ts';
import { checkBackup } from '../backup/restore-backup.ts';
import { describeSource } from '../db/copy/check-places.ts';
import { openFile, openSnapshot, type Unchanged } from '../db/copy/open-unchanged.ts';
import { labelOf, placeOf } from '../db/copy/place.ts';
import { MIGRATIONS } from '../db/migrations/index.ts';
import type { Head } from '../history/chain.ts';
import { headOf } from '../history/verify-chain.ts';
import { readSettings } from '../settings.ts';
import { StartError } from '../start-error.ts';
import { verify as runChecks } from '../verify/checks.ts';
import type { Command, Env } from './commands.ts';

const HELP = `Looks at all that a database or a backup holds, and says what is not as it must be. Nothing is changed.

  npm run sims -- verify
  npm run sims -- verify data/backups/sims-2026-01-31T02-00-00.000Z.backup
  npm run sims -- verify --head 57:3627c7372baa4665da19ceff8197a4ee8a5c0604e2dc1834bad041e34dd4d04a

One state is looked at while the server goes on: the engine's own check of its files, references between tables, averages
and statistics against what they come from, pictures, and what the list of students is answered from. What is
wrong with that last one "relist" mends.

  --head <number>:<hash>   The head of the history as it was told before: it must still be in the chain. Note each one elsewhere:
                           somebody with the database in hand can make the history anew, but not one that leads through it.

Ends with 0 when all is in order, with 1 when something is not.`;

/** Is everything as it must be? */
export const verify: Command = {
  summary: 'Looks at all of a database or a backup, and says what is wrong',
  help: HELP,
  run: async (args, env) => {
    const { positionals, values } = parseArgs({
      args,
      options: { head: { type: 'string' } },
      allowPositionals: true,
    });
    const [name, ...more] = positionals;
    if (more.length > 0) throw new StartError('Name one backup, or none for the database: verify [<file>]');
    const noted = values.head === undefined ? undefined : headIn(values.head);
    const opened = name === undefined ? await openLive(env) : await openBackup(resolve(name));
    if (opened === undefined) return 0;
    try {
      const failed = await runChecks(opened.db, console.log, noted);
      const isListing = failed.every(({ isRepairable }) => isRepairable);
      if (isListing) {
        const { number, hash } = await headOf(opened.db);
        console.log(`Head of the history, to be noted elsewhere: ${number}:${hash}`);
      }
      if (failed.length === 0) return 0;
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

function headIn(text: string): Head {
  const [, number, hash] = /^(\d{1,10}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (hash === undefined)
    throw new StartError('--head must be <number>:<hash>, as an earlier run has told it.');
  return { number: Number(number), hash };
}

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
