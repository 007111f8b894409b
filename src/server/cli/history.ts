import { parseArgs } from 'node:util';
import { HISTORY_PAGE, type HistoryEntry, historyQuery } from '../../contract/history.ts';
import { findUserByEmail } from '../accounts/queries.ts';
import { openBeside } from '../db/open-beside.ts';
import type { Db } from '../db/schema.ts';
import { filterOf } from '../history/filter-of.ts';
import { OF_COURSE, OF_STUDENT } from '../history/first-version.ts';
import { type HistoryFilter, listHistory } from '../history/list-history.ts';
import { checked } from '../http/validation.ts';
import { readSettings } from '../settings.ts';
import { StartError } from '../start-error.ts';
import type { Command } from './commands.ts';

const HELP = `Tells who changed what, the latest first, while the server runs or not.

  npm run sims -- history --student CE-2023-017
  npm run sims -- history --user asad@example.edu --from 2026-03-01 --to 2026-03-31 --json

  --student <ID>   Everything of one student: base, family and results. Also of one who has been deleted.
  --course <ID>    Everything of one course.
  --user <email>   What this person changed.
  --action <word>  create, update or delete.
  --from, --to     Days of UTC, or moments such as 2026-03-14T08:00:00+05:00.
  --limit <number> At most so many entries (all).
  --json           An entry a line as JSON, with each field before and after.

Ends with 0, and with 1 when it was refused or failed.`;

/** Who changed what. */
export const history: Command = {
  summary: 'Tells who changed what',
  help: HELP,
  run: async (args, env) => {
    const { values } = parseArgs({
      args,
      options: {
        student: { type: 'string' },
        course: { type: 'string' },
        user: { type: 'string' },
        action: { type: 'string' },
        from: { type: 'string' },
        to: { type: 'string' },
        limit: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    });
    const { student, course, user, json, limit, ...asked } = values;
    if (student !== undefined && course !== undefined)
      throw new StartError('Give --student or --course, not both.');
    const most = limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
    if (!(most >= 1)) throw new StartError('--limit must be a number from 1.');
    const db = await openBeside(readSettings(env));
    try {
      const author = user === undefined ? undefined : await idOf(db.read, user);
      const filter = {
        ...filterOf(checked(historyQuery, { ...asked, ...(author !== undefined && { user: author }) })),
        ...(student !== undefined && { entities: OF_STUDENT, entityId: student }),
        ...(course !== undefined && { entities: OF_COURSE, entityId: course }),
      };
      for await (const entry of entriesOf(db.read, filter, most)) {
        console.log(json ? JSON.stringify(entry) : lineOf(entry));
      }
      return 0;
    } finally {
      await db.close();
    }
  },
};

async function* entriesOf(db: Db, filter: HistoryFilter, most: number): AsyncGenerator<HistoryEntry> {
  let left = most;
  for (let cursor: string | undefined; left > 0; ) {
    const page = await listHistory(db, filter, { limit: Math.min(left, HISTORY_PAGE.most), cursor });
    yield* page.entries;
    left -= page.entries.length;
    if (page.next_cursor === null) return;
    cursor = page.next_cursor;
  }
}

async function idOf(db: Db, email: string): Promise<number> {
  const found = await findUserByEmail(db, email);
  if (found === undefined) throw new StartError(`There is no account of ${email}.`);
  return found.id;
}

function lineOf({ at, user, action, entity, entity_id, name, semester, changes }: HistoryEntry): string {
  const what = [
    entity,
    entity_id,
    name === null ? '' : `(${name})`,
    semester === null ? '' : `semester ${semester}`,
  ];
  const words = changes.map(({ label, before, after }) => `${label}: ${worded(before)} → ${worded(after)}`);
  const head = `${at}  ${user.name ?? '-'}  ${action} ${what.filter(Boolean).join(' ')}`;
  return action === 'update' && words.length > 0 ? `${head}: ${words.join('; ')}` : head;
}

/** In one line, whatever was typed. */
const worded = (value: string | number | null) => (value === null ? '-' : JSON.stringify(value));
