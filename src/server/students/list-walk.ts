import { setImmediate } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Direction, StudentSort } from '../../contract/student-list.ts';
import { compileShapes, type Named } from '../db/compile-once.ts';
import { holds, listed, merged, readBy } from '../db/dialect.ts';
import type { Db } from '../db/schema.ts';
import { branches, type Condition, type Narrowing, where } from './list-filter.ts';

/** Where a row stands in the order: its key, and among rows of one key its id. */
export type Place = readonly [key: string | number, id: string];

export interface Order {
  sort: StudentSort;
  direction: Direction;
}

/** The column of each order; each leads an index within every semester of a department. */
const KEYS: Record<StudentSort, string> = {
  id: 'id_key',
  name: 'name_key',
  dob: 'dob',
  degree: 'degree_key',
  fsc_marks: 'fsc_marks',
  matric_marks: 'matric_marks',
  cgpa: 'cgpa',
};

export interface Stretch {
  narrowing: Narrowing;
  order: Order;
  /** The place that the page goes on from; undefined for the first. */
  after: Place | undefined;
  limit: number;
}

interface Few extends Stretch {
  source: Source;
  /** Among which to look, where that is the source. */
  ids?: readonly string[];
}

interface Shape extends Order {
  conditions: readonly Condition[];
  isFirst: boolean;
  words: number;
  /** Only students who have a CGPA, or who have none; both, where it is left out. */
  hasCgpa?: boolean;
}

/** The index that holds a semester of a department in this order. */
function indexOf({ sort, conditions }: Pick<Shape, 'sort' | 'conditions'>): string {
  if (sort === 'name' && conditions.includes('gender')) return 'students_by_gender_and_name';
  if (sort === 'id' && conditions.includes('degree')) return 'students_by_degree_and_id';
  return `students_by_${KEYS[sort]}`;
}

const keyOf = (sort: StudentSort) => sql.ref(`s.${KEYS[sort]}`);
const way = ({ direction }: Order) => sql.raw(direction === 'ascending' ? 'asc' : 'desc');

function beyond({ isFirst, hasCgpa, sort, direction }: Shape, value: Named): RawBuilder<unknown> {
  const sign = sql.raw(direction === 'ascending' ? '>' : '<');
  return sql.join(
    [
      ...(hasCgpa === undefined ? [] : [hasCgpa ? sql`s.cgpa >= 0` : sql`s.cgpa = -1`]),
      isFirst
        ? sql`1 = 1`
        : sql`(${keyOf(sort)}, s.id) ${sign} (${value('after_key')}, ${value('after_id')})`,
    ],
    sql` and `,
  );
}

type Read = (stretch: Stretch, part: Pick<Shape, 'hasCgpa'>) => Promise<KeyRow[]>;

/** Students without a CGPA stand behind all others: with the lowest first, they are read after those. */
async function read(stretch: Stretch, rows: Read): Promise<Place[]> {
  const { order, after, limit } = stretch;
  if (order.sort !== 'cgpa' || order.direction === 'descending') return places(await rows(stretch, {}));
  const isBehind = after !== undefined && Number(after[0]) < 0;
  const found = isBehind ? [] : await rows(stretch, { hasCgpa: true });
  if (found.length < limit) {
    const rest = { ...stretch, after: isBehind ? after : undefined, limit: limit - found.length };
    found.push(...(await rows(rest, { hasCgpa: false })));
  }
  return places(found);
}

/** That each word asked for begins a word of the row's. */
const wordsHold = (db: Db, words: number, value: Named) =>
  sql.join(
    [
      sql`1 = 1`,
      ...Array.from({ length: words }, (_, i) => holds(db, sql`s.search_text`, value(`word_${i}`))),
    ],
    sql` and `,
  );

function valuesOf({ narrowing, after, limit }: Stretch): Record<string, string | number> {
  return {
    ...narrowing.values,
    ...Object.fromEntries(narrowing.words.map((word, i) => [`word_${i}`, ` ${word}`])),
    ...(after && { after_key: after[0], after_id: after[1] }),
    limit,
  };
}

const shapeOf = ({ narrowing, order, after }: Stretch): Shape => ({
  ...order,
  conditions: narrowing.conditions,
  isFirst: after === undefined,
  words: narrowing.words.length,
});

interface KeyRow {
  key: string | number;
  id: string;
}

const places = (rows: readonly KeyRow[]) => rows.map(({ key, id }): Place => [key, id]);

/**
 * The next rows of an order, read from its index: the semesters of departments that the filter leaves are merged, each
 * of them a stretch of the index that is read only as far as needed, and what the other conditions leave out is passed
 * over there. Words of a search are not looked at.
 */
export const walk = (db: Db, stretch: Stretch): Promise<Place[]> =>
  read(stretch, (one, part) => walkQuery(db, { ...shapeOf(one), ...part }, valuesOf(one)));

const walkQuery = compileShapes<KeyRow, Shape>((db, shape, value) => {
  const { conditions, sort } = shape;
  const rest = where(conditions, value, { except: ['current_sem', 'department'] });
  const inOrder = sql`key ${way(shape)}, id ${way(shape)}`;
  const parts = branches(conditions, value).map((branch) =>
    merged(
      db,
      sql`select ${keyOf(sort)} as key, s.id as id from students s ${readBy(db, indexOf(shape))}
        where ${branch} and ${beyond(shape, value)} and ${rest}`,
      inOrder,
    ),
  );
  return sql`${sql.join(parts, sql` union all `)} order by ${inOrder} limit ${value('limit')}`;
});

/** Where the few are found among which {@link collect} puts in order. */
export type Source = 'cohorts' | 'fell_by' | 'failed' | 'ids';

/**
 * The next rows of an order where the filter leaves few: all of them are found by what they have in common and put in
 * order.
 */
export const collect = (db: Db, { source, ids = [], ...stretch }: Few): Promise<Place[]> =>
  read(stretch, (one, part) =>
    collectQuery(db, { ...shapeOf(one), ...part, source }, { ...valuesOf(one), ids: JSON.stringify(ids) }),
  );

const collectQuery = compileShapes<KeyRow, Shape & { source: Source }>((db, shape, value) => {
  const { conditions, sort, source, words } = shape;
  const found = {
    cohorts: () => {
      const common = conditions.filter(
        (name) => !['cgpa_from', 'cgpa_below', 'fell_by', 'failed'].includes(name),
      );
      return sql`(select distinct s.current_sem, s.department, s.degree, s.syn, s.is_complete from cohorts s
          where s.students > 0 and ${where(common, value)}) c
        cross join students s
        where s.current_sem = c.current_sem and s.department = c.department and s.degree = c.degree
          and s.syn = c.syn and s.is_complete = c.is_complete`;
    },
    fell_by: () =>
      sql`students s where s.id in (select id from students where fall >= ${value('fell_by')} and fall > 0)`,
    failed: () =>
      sql`students s where s.id in (select student_id from semester_subjects
        where course_id = ${value('failed')} and half_points = 0)`,
    ids: () => sql`${listed(db, value('ids'))} l cross join students s where s.id = l.value`,
  };
  return sql`select ${keyOf(sort)} as key, s.id as id from ${found[source]()}
      and ${where(conditions, value)} and ${beyond(shape, value)} and ${wordsHold(db, words, value)}
    order by key ${way(shape)}, id ${way(shape)} limit ${value('limit')}`;
});

/** Students that are looked up in one statement: few enough not to hold up the others. */
const PIECE = 1000;

/** The same where the few are known by their ids, which may be a good number all the same. */
export async function collectOf(
  db: Db,
  ids: readonly string[],
  stretch: Stretch,
  { piece = PIECE } = {},
): Promise<Place[]> {
  const found: Place[] = [];
  for (let i = 0; i < ids.length; i += piece) {
    if (i > 0) await setImmediate();
    found.push(...(await collect(db, { source: 'ids', ids: ids.slice(i, i + piece), ...stretch })));
  }
  return found.toSorted(placesIn(stretch.order)).slice(0, stretch.limit);
}

/** Compares places as the engines do: texts byte by byte, and whoever has no CGPA stands behind all others. */
function placesIn({ sort, direction }: Order): (a: Place, b: Place) => number {
  const sign = direction === 'ascending' ? 1 : -1;
  const isBehind = ([key]: Place) => (sort === 'cgpa' && Number(key) < 0 ? 1 : 0);
  return (a, b) => isBehind(a) - isBehind(b) || sign * (compareKeys(a[0], b[0]) || compareKeys(a[1], b[1]));
}

function compareKeys(a: string | number, b: string | number): number {
  if (a === b) return 0;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

export interface Found {
  id: string;
  /** What the student is found by. */
  text: string;
}

/** Of some students, those that hold all words of a search and meet every other condition too. */
export async function verify(db: Db, { words, conditions, values }: Narrowing, ids: readonly string[]) {
  const rows = await verifyQuery(
    db,
    { words: words.length, conditions },
    {
      ...values,
      ...Object.fromEntries(words.map((word, i) => [`word_${i}`, ` ${word}`])),
      ids: JSON.stringify(ids),
    },
  );
  return new Map(rows.map(({ id, text }) => [id, text]));
}

const verifyQuery = compileShapes<Found, { words: number; conditions: readonly Condition[] }>(
  (db, { words, conditions }, value) => sql`
    select s.id, s.search_text as text from ${listed(db, value('ids'))} l cross join students s
    where s.id = l.value and ${where(conditions, value)} and ${wordsHold(db, words, value)}`,
);
