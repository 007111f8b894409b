import { setImmediate } from 'node:timers/promises';
import type { HistoryEntry } from '../../contract/history.ts';
import type { Entry } from './chain.ts';
import { fieldChanges, partOf, readState, type State } from './fields.ts';

/** An entry with how many students its change was of, where it was one of many. */
export interface ListedEntry extends Entry {
  students: number | null;
}

/** Entries laid out in one go: each may hold a whole record twice. */
const PIECE = 20;

/** Entries as they are answered; other calls have their turn in between. */
export async function presentEntries(entries: readonly ListedEntry[]): Promise<HistoryEntry[]> {
  const presented: HistoryEntry[] = [];
  for (const [i, entry] of entries.entries()) {
    if (i > 0 && i % PIECE === 0) await setImmediate();
    presented.push(presentEntry(entry));
  }
  return presented;
}

function presentEntry(entry: ListedEntry): HistoryEntry {
  const { id, at, user_id, user_name, action, entity, entity_id, bulk_id, students } = entry;
  const before = readState(entry.before);
  const after = readState(entry.after);
  return {
    id,
    at,
    user: { id: user_id, name: user_name },
    action,
    entity,
    entity_id,
    name: nameIn(after) ?? nameIn(before),
    semester: numberIn(after, 'semester') ?? numberIn(before, 'semester'),
    bulk: bulk_id === null ? null : { id: bulk_id, students: students ?? 0 },
    restored_from: numberIn(after, 'restored_from'),
    changes: fieldChanges(entity, before, after),
  };
}

function nameIn(thing: State): string | null {
  const { first_name, last_name } = 'student' in thing ? partOf(thing, 'student') : thing;
  if (typeof first_name === 'string' && typeof last_name === 'string') return `${first_name} ${last_name}`;
  const name = thing.course_name ?? thing.name;
  return typeof name === 'string' ? name : null;
}

const numberIn = (thing: State, field: string): number | null => {
  const value = thing[field];
  return typeof value === 'number' ? value : null;
};
