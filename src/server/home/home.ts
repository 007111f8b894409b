import { RIGHTS } from '../../contract/calls.ts';
import { HOME_ITEMS, type Home } from '../../contract/home.ts';
import { calendarDate } from '../../domain/age.ts';
import { lastSuccess } from '../backup/schedule.ts';
import type { Db } from '../db/schema.ts';
import type { Actor } from '../http/actor.ts';
import { countClasses } from '../insights/queries.ts';
import type { Settings } from '../settings/settings.ts';
import { listEndingHolds } from '../students/holds/list-holds.ts';
import { listReadyClasses, listSheetsInWork, listToConfirm, listWithoutTeacher } from './open-sheets.ts';
import { readSetup } from './setup.ts';
import { firstOf } from './waiting-list.ts';

/** Reads all that is waiting for a person, as far as their role can do something about it, and the students `opened`. */
export async function readHome(
  db: Db,
  { id, role }: Pick<Actor, 'id' | 'role'>,
  { opened, backup }: { opened: readonly string[]; backup: Settings['backup'] },
): Promise<Home> {
  const rights = RIGHTS[role];
  const isAdmin = rights.includes('administer');
  const mayRead = rights.includes('read');
  const mayFill = rights.includes('write') || rights.includes('sheets');
  const work = mayFill
    ? await listSheetsInWork(db, { id, taughtOnly: !rights.includes('write') })
    : undefined;
  return {
    to_confirm: isAdmin ? await listToConfirm(db, id) : null,
    own_drafts: work?.own_drafts ?? null,
    sent_back: work?.sent_back ?? null,
    without_teacher: rights.includes('write') ? await listWithoutTeacher(db) : null,
    open_registrations: null,
    ready_to_notify: isAdmin ? await listReadyClasses(db) : null,
    incomplete_entries: mayRead ? await listIncompleteEntries(db) : null,
    requests: null,
    holds_ending: mayRead ? await listEndingHolds(db) : null,
    to_approve: isAdmin ? await listToApprove(db) : null,
    opened: mayRead ? await findStudents(db, opened) : [],
    term: await findCurrentTerm(db),
    setup: isAdmin ? await readSetup(db) : null,
    backups: isAdmin ? await readBackups(db, backup) : null,
  };
}

const MS_PER_HOUR = 3_600_000;

async function readBackups(db: Db, { dir, every }: Settings['backup']): Promise<Home['backups']> {
  if (dir === undefined || every === undefined) return null;
  const latest = await lastSuccess(db);
  const latest_at = latest === undefined ? null : new Date(latest).toISOString();
  return { folder: dir, every_hours: every / MS_PER_HOUR, latest_at };
}

async function listIncompleteEntries(db: Db): Promise<Home['incomplete_entries']> {
  const classes = (await countClasses(db)).filter(({ incomplete }) => incomplete > 0);
  return {
    count: classes.reduce((sum, { incomplete }) => sum + incomplete, 0),
    items: classes.toSorted((a, b) => b.incomplete - a.incomplete).slice(0, HOME_ITEMS),
  };
}

async function listToApprove(db: Db): Promise<Home['to_approve']> {
  const accounts = await db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'created_at'])
    .where('waiting_for', '=', 'approval')
    .where('locked_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return firstOf(accounts);
}

async function findStudents(db: Db, ids: readonly string[]): Promise<Home['opened']> {
  if (ids.length === 0) return [];
  const students = await db
    .selectFrom('students')
    .select(['id', 'first_name', 'last_name', 'department', 'degree', 'syn', 'is_complete'])
    .where('id', 'in', ids)
    .execute();
  return ids.flatMap((id) => {
    const found = students.find((student) => student.id === id);
    return found === undefined ? [] : { ...found, is_complete: found.is_complete === 1 };
  });
}

/** The current term; of several, the one that began last. */
async function findCurrentTerm(db: Db): Promise<Home['term']> {
  const today = calendarDate(new Date());
  const term = await db
    .selectFrom('terms')
    .select(['name', 'starts_on', 'ends_on'])
    .where('starts_on', '<=', today)
    .where('ends_on', '>=', today)
    .orderBy('starts_on', 'desc')
    .orderBy('term_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return term ?? null;
}
