import { setImmediate } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import {
  HISTORY_ACTIONS,
  HISTORY_ENTITIES,
  HISTORY_PAGE_SIZE,
  type HistoryAction,
  type HistoryEntity,
  type HistoryEntry,
  type HistoryPage,
  type historyQuery,
} from '../../contract/history.ts';
import { indexHint } from '../db/dialect/sql.ts';
import type { Db } from '../db/schema.ts';
import { invalidField } from '../errors.ts';
import type { Entry } from './chain.ts';
import { fieldChanges, parseState, type RecordState, statePart } from './fields.ts';

/** An entry with the number of students of the bulk change, or the import, that it is part of. */
export interface ListedEntry extends Entry {
  students: number | null;
  import_id: number | null;
  file_name: string | null;
  /** For entries without a name: the state of the student before the entry, and the present names. */
  student: string | null;
  first_name: string | null;
  last_name: string | null;
}

/** Entries presented without a pause: each may have a whole record twice. */
const BATCH_SIZE = 20;

/** The entries as the API shows them. Lets other calls run in between. */
async function presentEntries(db: Db, entries: readonly ListedEntry[]): Promise<HistoryEntry[]> {
  const sheets = await findSheetNames(db, entries);
  const presented: HistoryEntry[] = [];
  for (const [i, entry] of entries.entries()) {
    if (i > 0 && i % BATCH_SIZE === 0) await setImmediate();
    presented.push(presentEntry(entry, sheets));
  }
  return presented;
}

/** Title and class of the mark sheets of entries, by ID; of a deleted sheet those that it was made with. */
async function findSheetNames(
  db: Db,
  entries: readonly ListedEntry[],
): Promise<ReadonlyMap<string, string | null>> {
  const ids = [...new Set(entries.flatMap(({ entity, entity_id }) => (entity === 'sheet' ? entity_id : [])))];
  if (ids.length === 0) return new Map();
  const made = await db
    .selectFrom('history')
    .select(['entity_id', 'after'])
    .where('entity', '=', 'sheet')
    .where('entity_id', 'in', ids)
    .where('action', '=', 'create')
    .execute();
  const present = await db
    .selectFrom('sheets')
    .select(['sheet_id', 'title', 'department', 'degree'])
    .where('sheet_id', 'in', ids.map(Number))
    .execute();
  return new Map([
    ...made.map(({ entity_id, after }) => [entity_id, sheetNameIn(parseState(after))] as const),
    ...present.map(
      ({ sheet_id, title, department, degree }) =>
        [String(sheet_id), sheetName(title, `${department}-${degree}`)] as const,
    ),
  ]);
}

const sheetName = (title: string, ofClass: string) => `${title}, ${ofClass}`;

const sheetNameIn = (state: RecordState) =>
  typeof state.title === 'string' && typeof state.class === 'string'
    ? sheetName(state.title, state.class)
    : null;

function presentEntry(entry: ListedEntry, sheets: ReadonlyMap<string, string | null>): HistoryEntry {
  const { id, at, user_id, user_name, action, entity, entity_id, bulk_id, students, import_id } = entry;
  const before = parseState(entry.before);
  const after = parseState(entry.after);
  return {
    id,
    at,
    user: { id: user_id, name: user_name },
    action,
    entity,
    entity_id,
    name:
      sheets.get(entity === 'sheet' ? entity_id : '') ??
      nameIn(after) ??
      nameIn(before) ??
      nameIn(parseState(entry.student)) ??
      nameIn({ first_name: entry.first_name, last_name: entry.last_name }),
    semester: entity === 'semester' ? (numberIn(after, 'semester') ?? numberIn(before, 'semester')) : null,
    bulk: bulk_id === null || import_id !== null ? null : { id: bulk_id, students: students ?? 0 },
    import_id,
    import_file: entry.file_name,
    restored_from: numberIn(after, 'restored_from'),
    changes: fieldChanges(entity, before, after),
  };
}

function nameIn(state: RecordState): string | null {
  const { first_name, last_name } = 'student' in state ? statePart(state, 'student') : state;
  if (typeof first_name === 'string' && typeof last_name === 'string') return `${first_name} ${last_name}`;
  const name = state.course_name ?? state.name ?? state.class;
  return typeof name === 'string' ? name : null;
}

const numberIn = (state: RecordState, field: string): number | null => {
  const value = state[field];
  return typeof value === 'number' ? value : null;
};

export interface HistoryFilter {
  /** All entities if undefined. */
  entities?: readonly HistoryEntity[];
  entityId?: string;
  /** Number of the first entry to include. */
  since?: number | undefined;
  /** Number of the first entry to leave out. */
  before?: number | undefined;
  /** Further records whose entries are included, within these bounds. */
  others?: readonly { entityId: string; since?: number; before?: number }[];
  action?: HistoryAction | undefined;
  user?: number | undefined;
  /** Times in UTC, excluding `until`. */
  from?: string | undefined;
  until?: string | undefined;
}

const position = z.strictObject({ at: z.iso.datetime(), id: z.int32() });
type Position = z.infer<typeof position>;

/**
 * A page of the history, the latest entry first.
 *
 * There are indexes in the order of the list per entity and action, for all users and per user. A page reads the next entries
 * of each and merges them, so its cost does not depend on the length of the history. One record has few entries, which are
 * sorted.
 */
export async function listHistory(
  db: Db,
  filter: HistoryFilter,
  { limit = HISTORY_PAGE_SIZE.usual, cursor }: { limit?: number | undefined; cursor?: string | undefined },
): Promise<HistoryPage> {
  const after = readCursor(cursor);
  const entities = filter.entities ?? HISTORY_ENTITIES;
  if (entities.length === 0) return { entries: [], next_cursor: null };
  const actions = filter.action === undefined ? HISTORY_ACTIONS : [filter.action];
  const parts =
    filter.entityId === undefined
      ? entities.flatMap((entity) =>
          actions.map((action) => selectPositions(db, { ...filter, entity, action }, after, limit)),
        )
      : [
          filter,
          ...(filter.others ?? []).map((other) => ({
            ...filter,
            since: undefined,
            before: undefined,
            ...other,
          })),
        ].flatMap((one) => entities.map((entity) => selectPositions(db, { ...one, entity }, after, limit)));
  const { rows: positions } = await sql<Position>`
    select id, at from (${sql.join(parts, sql` union all `)}) s order by at desc, id desc limit ${limit + 1}`.execute(
    db,
  );
  const shown = positions.slice(0, limit);
  const last = shown.at(-1);
  return {
    entries: await presentEntries(db, await loadEntries(db, shown)),
    next_cursor: positions.length > limit && last !== undefined ? writeCursor(last) : null,
  };
}

/** The next positions of one kind of entry, read from the index with this order. */
function selectPositions(
  db: Db,
  {
    entity,
    entityId,
    since,
    before,
    action,
    user,
    from,
    until,
  }: Omit<HistoryFilter, 'entities' | 'others'> & { entity: HistoryEntity },
  after: Position | undefined,
  limit: number,
): RawBuilder<unknown> {
  const conditions = [
    ...(user === undefined ? [] : [sql`user_id = ${user}`]),
    sql`entity = ${entity}`,
    ...(entityId === undefined ? [] : [sql`entity_id = ${entityId}`]),
    ...(since === undefined ? [] : [sql`id >= ${since}`]),
    ...(before === undefined ? [] : [sql`id < ${before}`]),
    ...(action === undefined ? [] : [sql`action = ${action}`]),
    ...(from === undefined ? [] : [sql`at >= ${from}`]),
    ...(until === undefined ? [] : [sql`at < ${until}`]),
    ...(after === undefined ? [] : [sql`(at, id) < (${after.at}, ${after.id})`]),
  ];
  const index = entityId === undefined ? sql`` : indexHint(db, 'history_of_entity');
  return sql`select * from (select id, at from history ${index} where ${sql.join(conditions, sql` and `)}
    order by at desc, id desc limit ${limit + 1}) e`;
}

function loadEntries(db: Db, positions: readonly Position[]) {
  const ids = positions.map(({ id }) => id);
  if (ids.length === 0) return [];
  return db
    .selectFrom('history')
    .leftJoin('bulk_changes', 'bulk_changes.id', 'history.bulk_id')
    .leftJoin('imports', 'imports.bulk_id', 'history.bulk_id')
    .leftJoin('students', (join) =>
      join.onRef('students.id', '=', 'history.entity_id').on('history.entity', 'in', ENTITIES_WITHOUT_NAME),
    )
    .selectAll('history')
    .select(['bulk_changes.students', 'imports.id as import_id', 'imports.file_name'])
    .select(['students.first_name', 'students.last_name'])
    .select((eb) =>
      eb
        .case()
        .when('history.entity', 'in', ENTITIES_WITHOUT_NAME)
        .then(
          eb
            .selectFrom('history as earlier')
            .select(sql<string>`coalesce(earlier."after", earlier."before")`.as('student'))
            .where('earlier.entity', '=', 'student')
            .whereRef('earlier.entity_id', '=', 'history.entity_id')
            .whereRef('earlier.id', '<', 'history.id')
            .orderBy('earlier.id', 'desc')
            .limit(1),
        )
        .end()
        .as('student'),
    )
    .where('history.id', 'in', ids)
    .orderBy('history.at', 'desc')
    .orderBy('history.id', 'desc')
    .execute();
}

/** Their states have no name: it is that of the student, in the latest entry before, or else in the record. */
const ENTITIES_WITHOUT_NAME = ['family', 'semester'] as const;

const writeCursor = ({ at, id }: Position) => Buffer.from(JSON.stringify({ at, id })).toString('base64url');

function readCursor(text: string | undefined): Position | undefined {
  if (text === undefined) return undefined;
  try {
    return position.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  } catch {
    throw invalidField('cursor', 'The cursor must be the next_cursor of a page with the same filters.');
  }
}

type FilterQuery = Omit<z.output<typeof historyQuery>, 'limit' | 'cursor'>;

/** The filter of a query. */
export function toHistoryFilter({ entity, entity_id, action, user, from, to }: FilterQuery): HistoryFilter {
  return {
    ...(entity !== undefined && { entities: [entity] }),
    ...(entity_id !== undefined && { entityId: entity_id }),
    action,
    user,
    from: from === undefined ? undefined : toTimestamp(from),
    until: to === undefined ? undefined : toExclusiveEnd(to),
  };
}

/** A time in the format of `history.at`. */
const toTimestamp = (time: string) => new Date(time).toISOString();

const DAY = 24 * 60 * 60_000;

/** The first millisecond after a day or time; undefined, which is no limit, beyond the year 9999. */
function toExclusiveEnd(to: string): string | undefined {
  const end = new Date(new Date(to).getTime() + (to.includes('T') ? 1 : DAY)).toISOString();
  return end.startsWith('+') ? undefined : end;
}

/** Number of the latest history entry about a record. */
export async function lastEntryId(db: Db, entity: HistoryEntity, id: string): Promise<number> {
  const latest = await db
    .selectFrom('history')
    .select('id')
    .where('entity', '=', entity)
    .where('entity_id', '=', id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return latest.id;
}

/**
 * Number of the first history entry of the record that has this ID now. Earlier records with the same ID have been deleted
 * and do not count. A restored record starts where it was first created. 0 if its creation is not in the history.
 *
 * @param before number of the first entry to leave out
 */
export async function firstEntryId(
  db: Db,
  entity: 'student' | 'course' | 'sheet',
  id: string,
  before?: number,
): Promise<number> {
  const entries = await db
    .selectFrom('history')
    .select(['id', 'action', 'after'])
    .where('entity', '=', entity)
    .where('entity_id', '=', id)
    .where('action', 'in', ['create', 'delete'])
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .execute();
  for (let at = 0; ; at += 2) {
    const [latest, earlier] = entries.slice(at, at + 2);
    if (latest === undefined) return 0;
    // Deleted and not created again: the record does not exist.
    if (latest.action === 'delete') return latest.id + 1;
    if (earlier === undefined || parseState(latest.after).restored_from !== earlier.id) return latest.id;
  }
}
