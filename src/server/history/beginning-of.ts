import type { Db } from '../db/schema.ts';
import { readState } from './fields.ts';

/**
 * The entry that the record begins with which is under this ID now, however many others were under it before and have
 * been deleted. A record that was restored begins where it first did. 0: before there was a history.
 */
export async function beginningOf(db: Db, entity: 'student' | 'course', id: string): Promise<number> {
  const entries = await db
    .selectFrom('history')
    .select(['id', 'action', 'after'])
    .where('entity', '=', entity)
    .where('entity_id', '=', id)
    .where('action', 'in', ['create', 'delete'])
    .orderBy('id', 'desc')
    .execute();
  for (let at = 0; ; at += 2) {
    const [latest, earlier] = entries.slice(at, at + 2);
    if (latest === undefined) return 0;
    // Nobody entered it after that, so it is not there.
    if (latest.action === 'delete') return latest.id + 1;
    if (earlier === undefined || readState(latest.after).restored_from !== earlier.id) return latest.id;
  }
}
