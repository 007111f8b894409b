import { parseArgs } from 'node:util';
import { aloneIn } from '../db/alone-in.ts';
import { isThere } from '../db/copy/open-unchanged.ts';
import { labelOf, placeOf } from '../db/copy/place.ts';
import { takeTime } from '../db/dialect.ts';
import { openDatabase } from '../db/open.ts';
import { transact } from '../db/transact.ts';
import { readSettings } from '../settings.ts';
import { StartError } from '../start-error.ts';
import { relistAll } from '../students/listing.ts';
import type { Command } from './commands.ts';

const HELP = `Works out anew, from the records, all that the list of students is sorted, filtered, searched and counted by.

  npm run sims -- relist

For when "verify" finds that it differs. Every server must be stopped. It happens in one transaction: broken off, all
is as it was.

Ends with 0 when it is done, with 1 when it was refused or failed.`;

/** Mends what the list is answered from. */
export const relist: Command = {
  summary: 'Works out anew what the list of students is answered from',
  help: HELP,
  run: async (args, env) => {
    parseArgs({ args, options: {} });
    const settings = readSettings(env);
    const named = placeOf(settings);
    // A start would make the tables in it, and so would this.
    if (!(await isThere(named))) throw new StartError(`${labelOf(named)} holds no SIMS records.`);
    await aloneIn(named, async (place) => {
      const db = await openDatabase(settings, { isHeld: place.kind === 'postgres' });
      try {
        await transact(db.write, async (tx) => {
          await takeTime(tx);
          await relistAll(tx);
        });
      } finally {
        await db.close();
      }
    });
    console.log('Done. "npm run sims -- verify" looks at it again.');
    return 0;
  },
};
