import type { Deletions } from '../../contract/history.ts';
import type { Db } from '../db/schema.ts';
import { parseState, type RecordState, statePart } from '../history/fields.ts';
import type { Actor } from '../http/actor.ts';

/** Deletions in the list. */
const MOST_LISTED = 50;

const KINDS = ['student', 'course'] as const;
type Kind = (typeof KINDS)[number];

/** The latest deletions of single students and courses, of all users for administrators and their own for others. */
export async function listDeletions(db: Db, actor: Pick<Actor, 'id' | 'role'>): Promise<Deletions> {
  const deletions = (await Promise.all(KINDS.map((kind) => findDeletions(db, actor, kind)))).flat();
  return {
    deletions: deletions
      .toSorted((a, b) => (a.at === b.at ? b.entry - a.entry : a.at < b.at ? 1 : -1))
      .slice(0, MOST_LISTED),
  };
}

async function findDeletions(
  db: Db,
  { id, role }: Pick<Actor, 'id' | 'role'>,
  kind: Kind,
): Promise<Deletions['deletions']> {
  const entries = await db
    .selectFrom('history')
    .select(['id', 'at', 'user_id', 'user_name', 'entity_id', 'before'])
    .where('entity', '=', kind)
    .where('action', '=', 'delete')
    .where('bulk_id', 'is', null)
    .$if(role !== 'admin', (query) => query.where('user_id', '=', id))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_LISTED)
    .execute();
  if (entries.length === 0) return [];
  const ids = [...new Set(entries.map(({ entity_id }) => entity_id))];
  const present = await findPresent(db, kind, ids);
  const latest = await db
    .selectFrom('history')
    .select((eb) => ['entity_id', eb.fn.max<number>('id').as('id')])
    .where('entity', '=', kind)
    .where('action', '=', 'delete')
    .where('entity_id', 'in', ids)
    .groupBy('entity_id')
    .execute();
  const latestById = new Map(latest.map((entry) => [entry.entity_id, entry.id]));
  return entries.map(({ id: entry, at, user_id, user_name, entity_id, before }) => ({
    entry,
    at,
    entity: kind,
    entity_id,
    user: { id: user_id, name: user_name },
    name: getName(kind, parseState(before)),
    restorable: !present.has(entity_id) && Number(latestById.get(entity_id)) === entry,
  }));
}

/** IDs that a record has now. */
async function findPresent(db: Db, kind: Kind, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (kind === 'student') {
    const rows = await db.selectFrom('students').select('id').where('id', 'in', ids).execute();
    return new Set(rows.map((row) => row.id));
  }
  const rows = await db
    .selectFrom('courses')
    .select('course_id')
    .where('course_id', 'in', ids.map(Number))
    .execute();
  return new Set(rows.map(({ course_id }) => String(course_id)));
}

function getName(kind: Kind, state: RecordState): string {
  const { first_name, last_name } = statePart(state, 'student');
  return kind === 'student' ? `${first_name} ${last_name}` : `${state.course_code} ${state.course_name}`;
}
