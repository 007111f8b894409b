import { parseArgs } from 'node:util';
import { HISTORY_PAGE_SIZE, type HistoryEntry, historyQuery } from '../../contract/history.ts';
import { findUserByEmail } from '../accounts/queries.ts';
import type { Db } from '../db/schema.ts';
import { type HistoryFilter, listHistory, toHistoryFilter } from '../history/list-history.ts';
import { COURSE_ENTITIES, STUDENT_ENTITIES } from '../history/record-change.ts';
import { parseInput } from '../http/validation.ts';
import { readCheckedSettings } from '../settings/checked-settings.ts';
import { SIMS_COMMAND, StartError } from '../start-error.ts';
import { formerHistory } from '../students/former-ids.ts';
import { openForCommand } from '../transfer/open-for-command.ts';
import type { Command } from './command.ts';
import { print } from './print.ts';

const HELP = `Lists who changed what, latest first. The server may be running.

  ${SIMS_COMMAND} history --student CE-2023-017
  ${SIMS_COMMAND} history --user asad@example.edu --from 2026-03-01 --to 2026-03-31 --json

  --student <ID>   All entries of one student: base record, family and results; also of a deleted one.
  --course <ID>    All entries of one course.
  --user <email>   Changes by this person.
  --action <word>  create, update or delete.
  --from, --to     Days in UTC, or times such as 2026-03-14T08:00:00+05:00.
  --limit <number> Most entries (no limit by default).
  --json           One entry per line as JSON, with each field before and after.

Exit code 0, or 1 when refused or failed.`;

/** `sims history` */
export const history: Command = {
  summary: 'Lists who changed what',
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
    const maxEntries = limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
    if (!(maxEntries >= 1)) throw new StartError('--limit must be a number from 1.');
    const db = await openForCommand(readCheckedSettings(env, console.warn));
    try {
      const author = user === undefined ? undefined : await requireUserId(db.read, user);
      const filter = {
        ...toHistoryFilter(
          parseInput(historyQuery, { ...asked, ...(author !== undefined && { user: author }) }),
        ),
        ...(student !== undefined && {
          entities: STUDENT_ENTITIES,
          entityId: student,
          others: await formerHistory(db.read, [student]),
        }),
        ...(course !== undefined && { entities: COURSE_ENTITIES, entityId: course }),
      };
      for await (const entry of readEntries(db.read, filter, maxEntries)) {
        print(json ? JSON.stringify(entry) : formatEntry(entry));
      }
      return 0;
    } finally {
      await db.close();
    }
  },
};

async function* readEntries(db: Db, filter: HistoryFilter, limit: number): AsyncGenerator<HistoryEntry> {
  let left = limit;
  for (let cursor: string | undefined; left > 0; ) {
    const page = await listHistory(db, filter, { limit: Math.min(left, HISTORY_PAGE_SIZE.most), cursor });
    yield* page.entries;
    left -= page.entries.length;
    if (page.next_cursor === null) return;
    cursor = page.next_cursor;
  }
}

async function requireUserId(db: Db, email: string): Promise<number> {
  const found = await findUserByEmail(db, email);
  if (found === undefined) throw new StartError(`There is no account for ${email}.`);
  return found.id;
}

function formatEntry({ at, user, action, entity, entity_id, name, semester, changes }: HistoryEntry): string {
  const what = [
    entity,
    entity_id,
    name === null ? '' : `(${name})`,
    semester === null ? '' : `semester ${semester}`,
  ];
  const words = changes.map(
    ({ label, before, after }) => `${label}: ${formatValue(before)} → ${formatValue(after)}`,
  );
  const head = `${at}  ${user.name ?? '-'}  ${action} ${what.filter(Boolean).join(' ')}`;
  return action === 'update' && words.length > 0 ? `${head}: ${words.join('; ')}` : head;
}

/** On one line, even if the text has line breaks. */
const formatValue = (value: string | number | null) => (value === null ? '-' : JSON.stringify(value));
