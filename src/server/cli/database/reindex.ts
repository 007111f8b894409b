import { parseArgs } from 'node:util';
import { openDatabase } from '../../backup/open-database.ts';
import { tuneForBulkLoad } from '../../db/dialect/locks.ts';
import { formatLocation, getLocation } from '../../db/location.ts';
import { transact } from '../../history/transaction.ts';
import { readCheckedSettings } from '../../settings/checked-settings.ts';
import { SIMS_COMMAND, StartError } from '../../start-error.ts';
import { reindexAll } from '../../students/derived/reindex.ts';
import { withExclusiveLock } from '../../transfer/exclusive.ts';
import { isInstalled } from '../../transfer/open-read-only.ts';
import type { Command } from '../command.ts';
import { print } from '../print.ts';

const HELP = `Rebuilds, from the records, the index by which the list of students is sorted, filtered, searched and counted.

  ${SIMS_COMMAND} reindex

Use it when "verify" finds differences. Every server must be stopped. It is one transaction: an interrupted run changes
nothing.

Exit code 0 when done, 1 when refused or failed.`;

/** `sims reindex` */
export const reindex: Command = {
  summary: 'Rebuilds the index of the list of students',
  help: HELP,
  run: async (args, env) => {
    parseArgs({ args, options: {} });
    const settings = readCheckedSettings(env, console.warn);
    const location = getLocation(settings);
    // Opening an empty database would create the tables.
    if (!(await isInstalled(location)))
      throw new StartError(`${formatLocation(location)} holds no SIMS records.`);
    await withExclusiveLock(location, async (locked) => {
      const db = await openDatabase(settings, { isHeld: locked.kind === 'postgres' });
      try {
        await transact(db.write, async (tx) => {
          await tuneForBulkLoad(tx);
          await reindexAll(tx);
        });
      } finally {
        await db.close();
      }
    });
    print(`Done. Check again with "${SIMS_COMMAND} verify".`);
    return 0;
  },
};
