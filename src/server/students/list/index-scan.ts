import { setImmediate } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Direction, StudentOrder, StudentSort } from '../../../contract/students/student-list.ts';
import { wordBits } from '../../../domain/search-text.ts';
import { indexHint, jsonElements, orderedBranch } from '../../db/dialect/sql.ts';
import { type NamedParameter, preparedQueryVariants } from '../../db/prepared-query.ts';
import type { Db } from '../../db/schema.ts';
import type { Counts } from './counts.ts';
import {
  BRANCH_CONDITIONS,
  type Condition,
  countBranches,
  countForms,
  filterConditions,
  indexBranches,
  isCgpaLimit,
  isInPart,
  isOfBranch,
  type ListPart,
  matchesWords,
  type ParsedFilter,
  wordValues,
} from './filter.ts';

/** The position of a row in an order: its part, its sort key there, then its id among rows with equal keys. */
export type RowPosition = readonly [key: string | number, id: string, part: ListPart];

/** An order, and whether it is read from its last row on. */
export interface ReadOrder extends StudentOrder {
  isBackwards: boolean;
}

/** The column that each order sorts by. Each has an index on semester, department and this column. */
const SORT_COLUMNS: Record<StudentSort, string> = {
  id: 'id_key',
  name: 'name_key',
  dob: 'dob',
  degree: 'degree_key',
  fsc_marks: 'fsc_marks',
  matric_marks: 'matric_marks',
  cgpa: 'cgpa',
};

export interface ListRange {
  filter: ParsedFilter;
  order: ReadOrder;
  /** The last row of the page before; undefined for the first page. */
  after: RowPosition | undefined;
  limit: number;
}

/** A range within one part of the order. */
export interface PartRange extends ListRange {
  part: ListPart;
}

/** Reads one part of the order after the other, until there are enough rows. */
export async function readParts(
  range: ListRange,
  readPart: (range: PartRange) => Promise<RowPosition[]>,
): Promise<RowPosition[]> {
  const found: RowPosition[] = [];
  for (const one of partsOf(range)) {
    found.push(...(await readPart({ ...one, limit: range.limit - found.length })));
    if (found.length >= range.limit) break;
  }
  return found;
}

/** The range in each part of the order that it reaches. */
function partsOf(range: ListRange): PartRange[] {
  const { filter, order, after } = range;
  const parts = order.isBackwards ? filter.parts.toReversed() : filter.parts;
  return parts
    .slice(after && Math.max(0, parts.indexOf(after[2])))
    .map((part) => ({ ...range, part, after: after?.[2] === part ? after : undefined }));
}

interface CandidateRange extends PartRange {
  source: CandidateSource;
  /** The candidates themselves, where the source is `ids`. */
  ids?: readonly string[];
}

interface Shape {
  sort: StudentSort;
  /** In which the rows are read. */
  direction: Direction;
  part: ListPart;
  conditions: readonly Condition[];
  isFirst: boolean;
  /** Only rows up to a position, the end. */
  hasEnd?: boolean;
  /** The number of forms of each. */
  words: readonly number[];
  /** Only students with a CGPA, or only those without; undefined for both. */
  hasCgpa?: boolean;
}

/** The index that has each semester of a department in this order. */
function indexName({ sort, conditions }: Pick<Shape, 'sort' | 'conditions'>): string {
  if (sort === 'name' && conditions.includes('gender')) return 'students_by_gender_and_name';
  if (sort === 'id' && conditions.includes('degree')) return 'students_by_degree_and_id';
  return `students_by_${SORT_COLUMNS[sort]}`;
}

const sortKey = (sort: StudentSort) => sql.ref(`s.${SORT_COLUMNS[sort]}`);
const directionSql = ({ direction }: Pick<Shape, 'direction'>) =>
  sql.raw(direction === 'ascending' ? 'asc' : 'desc');

/**
 * The condition that a row is between the two positions. SQLite takes the first bound of a key on each side for the range of
 * an index, so the positions come before what limits the CGPA.
 */
function isBetween(
  { isFirst, hasEnd, hasCgpa, sort, direction }: Shape,
  value: NamedParameter,
): RawBuilder<unknown> {
  const [beyond, upTo] = direction === 'ascending' ? [sql`>`, sql`<=`] : [sql`<`, sql`>=`];
  const position = sql`(${sortKey(sort)}, s.id)`;
  return sql.join(
    [
      isFirst ? sql`1 = 1` : sql`${position} ${beyond} (${value('after_key')}, ${value('after_id')})`,
      ...(hasEnd ? [sql`${position} ${upTo} (${value('end_key')}, ${value('end_id')})`] : []),
      ...(hasCgpa === undefined ? [] : [hasCgpa ? sql`s.cgpa >= 0` : sql`s.cgpa < 0`]),
    ],
    sql` and `,
  );
}

type Half = Pick<Shape, 'hasCgpa'>;
type ReadRows = (range: PartRange, half: Half) => Promise<KeyRow[]>;

async function readInOrder(range: PartRange, readRows: ReadRows): Promise<RowPosition[]> {
  const found: KeyRow[] = [];
  for (const [one, half] of halvesOf(range)) {
    found.push(...(await readRows({ ...one, limit: range.limit - found.length }, half)));
    if (found.length >= range.limit) break;
  }
  return found.map(({ key, id }) => [key, id, range.part]);
}

/** Students without a CGPA (-1) come last in both directions, so in ascending order they are read in a query of their own. */
function halvesOf(range: PartRange): [PartRange, Half][] {
  const { order, after } = range;
  if (order.sort !== 'cgpa' || order.direction === 'descending') return [[range, {}]];
  const halves = order.isBackwards ? [false, true] : [true, false];
  const begun = after && Number(after[0]) >= 0;
  return halves
    .slice(begun === undefined ? 0 : halves.indexOf(begun))
    .map((hasCgpa) => [{ ...range, after: hasCgpa === begun ? after : undefined }, { hasCgpa }]);
}

function toParameters({ filter, after, limit }: PartRange): Record<string, string | number> {
  return {
    ...filter.values,
    ...wordValues(filter.words),
    ...(after && { after_key: after[0], after_id: after[1] }),
    limit,
  };
}

const OPPOSITE: Record<Direction, Direction> = { ascending: 'descending', descending: 'ascending' };

const readDirection = ({ direction, isBackwards }: ReadOrder) =>
  isBackwards ? OPPOSITE[direction] : direction;

const toShape = ({ filter, order, part, after }: PartRange): Shape => ({
  sort: order.sort,
  direction: readDirection(order),
  part,
  conditions: filter.conditions,
  isFirst: after === undefined,
  words: countForms(filter.words),
});

interface KeyRow {
  key: string | number;
  id: string;
}

/**
 * The next rows of a part of an order, read from its index. Merges one index range per semester and department of the filter, reads
 * each only as far as needed and skips rows that the other conditions exclude. Ignores the words of a search.
 */
export const scanIndex = (db: Db, range: PartRange): Promise<RowPosition[]> =>
  readInOrder(range, (one, half) => scanQuery(db, { ...toShape(one), ...half }, toParameters(one)));

/** What {@link scanForWords} found. */
export interface WordScan {
  /** Rows with all words, in order. */
  matches: RowPosition[];
  /** The scan can be continued after it; undefined if the order was read to its end. */
  end: RowPosition | undefined;
}

/** Most rows of an index that a scan reads if it has found some matches, and as long as it has found none. */
export interface ScanLimits {
  some: number;
  empty: number;
}

/** Index rows that one statement reads at most, where the bits of the words rule most of them out, and where there are none. */
const WINDOW_ROWS = { withBits: 4096, withoutBits: 1024 };

/**
 * The next rows of an order that have the words of the filter. Reads the index in windows, each up to the position where one
 * of the merged ranges has been read for its share of the rows, so the statements are short whatever they find. Within them
 * the engine reads each range only as far as needed and skips the rows without the bits of the words.
 *
 * @param limits the scan ends when it may have read as many rows, with and without a match
 */
export async function scanForWords(
  db: Db,
  range: ListRange,
  { parts }: Counts,
  limits: ScanLimits,
  windowRows = WINDOW_ROWS,
): Promise<WordScan> {
  const bits = wordBits(range.filter.words);
  const size = bits === 0 ? windowRows.withoutBits : windowRows.withBits;
  const matches: RowPosition[] = [];
  let read = 0;
  for (const inPart of partsOf(range)) {
    const { matching } = parts[inPart.part];
    if (matching.isExact && matching.students === 0) continue;
    for (const [inHalf, half] of halvesOf(inPart)) {
      let rangeCount = countBranches(range.filter.conditions);
      for (let { after } = inHalf; ; ) {
        const one = { ...inHalf, after, limit: range.limit - matches.length };
        const shape = { ...toShape(one), ...half };
        const toPosition = ({ key, id }: KeyRow): RowPosition => [key, id, inPart.part];
        const rows = Math.ceil(size / rangeCount);
        const ends = (await readRangeEnds(db, shape, { ...toParameters(one), rows })).map(toPosition);
        const [end] = ends.toSorted(comparePositions(range.order));
        const found = await matchesQuery(
          db,
          { ...shape, hasEnd: end !== undefined },
          // Ranges that ended within an earlier window have few rows left, so there are never as many candidates.
          {
            ...toParameters(one),
            end_key: end?.[0] ?? '',
            end_id: end?.[1] ?? '',
            bits,
            candidates: 2 * size,
          },
        );
        matches.push(...found.map(toPosition));
        if (matches.length >= range.limit) return { matches, end: matches.at(-1) };
        if (end === undefined) break;
        after = end;
        rangeCount = ends.length;
        read += rows * rangeCount;
        if (read >= (matches.length === 0 ? limits.empty : limits.some)) return { matches, end };
        await setImmediate();
      }
    }
  }
  return { matches, end: undefined };
}

/** The rows with this number in each range of an order that has so many. */
function readRangeEnds(
  db: Db,
  { words: _, ...shape }: Shape,
  values: Record<string, string | number>,
): Promise<KeyRow[]> {
  // With conditions that skip rows in between, an unlimited number of rows would be read for it.
  const isLimit = (name: Condition) => isOfBranch(name) || (shape.sort === 'cgpa' && isCgpaLimit(name));
  return rangeEndsQuery(db, { ...shape, words: [], conditions: shape.conditions.filter(isLimit) }, values);
}

const rangeEndsQuery = preparedQueryVariants<KeyRow, Shape>((db, shape, value) => {
  const { sort, conditions } = shape;
  const rest = filterConditions(conditions.filter(isCgpaLimit), value);
  const ends = rangesSql(db, shape, value).map(
    (rows) => sql`select * from (select ${sortKey(sort)} as key, s.id as id ${rows} and ${rest}
      order by ${inOrder(shape)} limit 1 offset ${value('rows')} - 1) as one`,
  );
  return sql.join(ends, sql` union all `);
});

const matchesQuery = preparedQueryVariants<KeyRow, Shape>((db, shape, value) => {
  const mayMatch = sql`(s.word_bits & ${value('bits')}) = ${value('bits')}`;
  return sql`
    select key, id from (${scanSql(db, shape, value, { condition: mayMatch, limit: 'candidates' })}) as c
    where (select ${matchesWords(db, shape.words, value)} from students s where s.id = c.id)
    order by ${inOrder(shape)} limit ${value('limit')}`;
});

const scanQuery = preparedQueryVariants<KeyRow, Shape>((db, shape, value) => scanSql(db, shape, value));

const inOrder = (shape: Pick<Shape, 'direction'>) =>
  sql`key ${directionSql(shape)}, id ${directionSql(shape)}`;

function scanSql(
  db: Db,
  shape: Shape,
  value: NamedParameter,
  { condition = sql`1 = 1`, limit = 'limit' }: { condition?: RawBuilder<unknown>; limit?: string } = {},
): RawBuilder<KeyRow> {
  const { conditions, sort } = shape;
  const rest = filterConditions(conditions, value, { except: BRANCH_CONDITIONS });
  const parts = rangesSql(db, shape, value).map((rows) =>
    orderedBranch(
      db,
      sql`select ${sortKey(sort)} as key, s.id as id ${rows} and ${condition} and ${rest}`,
      inOrder(shape),
    ),
  );
  return sql`${sql.join(parts, sql` union all `)} order by ${inOrder(shape)} limit ${value(limit)}`;
}

/** The ranges of an index that are merged into an order, each without its columns and without the other conditions. */
const rangesSql = (db: Db, shape: Shape, value: NamedParameter) =>
  indexBranches(shape.conditions, shape.part, value).map(
    (branch) => sql`from students s ${indexHint(db, indexName(shape))}
      where ${branch} and ${isBetween(shape, value)}`,
  );

/** Where {@link fetchAndSort} gets its candidates from. */
export type CandidateSource = 'cohorts' | 'fell_by' | 'failed' | 'ids';

/**
 * The next rows of a part of an order where the filter has few matches: fetches all candidates from the source and sorts
 * them.
 */
export const fetchAndSort = (
  db: Db,
  { source, ids = [], ...range }: CandidateRange,
): Promise<RowPosition[]> =>
  readInOrder(range, (one, half) =>
    candidatesQuery(
      db,
      { ...toShape(one), ...half, source },
      { ...toParameters(one), ids: JSON.stringify(ids) },
    ),
  );

const candidatesQuery = preparedQueryVariants<KeyRow, Shape & { source: CandidateSource }>(
  (db, shape, value) => {
    const { conditions, sort, source, words, part } = shape;
    const sources = {
      cohorts: () => {
        const common = conditions.filter(
          (name) => !['cgpa_from', 'cgpa_below', 'fell_by', 'failed'].includes(name),
        );
        return sql`(select distinct s.current_sem, s.department, s.degree, s.syn, s.status, s.is_complete, s.standing from cohorts s
          where s.students > 0 and s.status ${sql.raw(part === 'active' ? '=' : '<>')} 'active' and ${filterConditions(common, value)}) c
        cross join students s
        where s.current_sem = c.current_sem and s.department = c.department and s.degree = c.degree
          and s.syn = c.syn and s.status = c.status and s.is_complete = c.is_complete and s.standing = c.standing`;
      },
      fell_by: () =>
        sql`students s where s.id in (select id from students where fall >= ${value('fell_by')} and fall > 0)`,
      failed: () =>
        sql`students s where s.id in (select student_id from semester_subjects
        where course_id = ${value('failed')} and half_points = 0)`,
      ids: () => sql`${jsonElements(db, value('ids'))} l cross join students s where s.id = l.value`,
    };
    return sql`select ${sortKey(sort)} as key, s.id as id from ${sources[source]()}
      and ${isInPart(part)} and ${filterConditions(conditions, value)} and ${isBetween(shape, value)} and ${matchesWords(db, words, value)}
    order by key ${directionSql(shape)}, id ${directionSql(shape)} limit ${value('limit')}`;
  },
);

/** Students per statement: few enough not to delay other calls. */
const BATCH_SIZE = 1000;

/** The next rows of an order, among any number of ids: {@link fetchAndSort} in batches. */
export const fetchAndSortByIds = (
  db: Db,
  ids: readonly string[],
  range: ListRange,
  { batchSize = BATCH_SIZE } = {},
): Promise<RowPosition[]> => readParts(range, (part) => sortPartInBatches(db, ids, part, batchSize));

async function sortPartInBatches(
  db: Db,
  ids: readonly string[],
  range: PartRange,
  batchSize: number,
): Promise<RowPosition[]> {
  const found: RowPosition[] = [];
  for (let i = 0; i < ids.length; i += batchSize) {
    if (i > 0) await setImmediate();
    found.push(...(await fetchAndSort(db, { source: 'ids', ids: ids.slice(i, i + batchSize), ...range })));
  }
  return found.toSorted(comparePositions(range.order)).slice(0, range.limit);
}

/** Compares rows of one part as both engines do: text byte by byte, students without a CGPA last. */
function comparePositions(order: ReadOrder): (a: RowPosition, b: RowPosition) => number {
  const { sort, isBackwards } = order;
  const sign = readDirection(order) === 'ascending' ? 1 : -1;
  const last = isBackwards ? -1 : 1;
  const hasNoCgpa = ([key]: RowPosition) => (sort === 'cgpa' && Number(key) < 0 ? 1 : 0);
  return (a, b) =>
    last * (hasNoCgpa(a) - hasNoCgpa(b)) || sign * (compareKeys(a[0], b[0]) || compareKeys(a[1], b[1]));
}

function compareKeys(a: string | number, b: string | number): number {
  if (a === b) return 0;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

export interface Candidate {
  id: string;
  /** The `search_text` of the student. */
  text: string;
}

/** The candidates that match all words and all conditions of the filter, with their `search_text` by id. */
export async function filterCandidates(
  db: Db,
  { words, conditions, values }: ParsedFilter,
  ids: readonly string[],
) {
  const rows = await filterQuery(
    db,
    { words: countForms(words), conditions },
    {
      ...values,
      ...wordValues(words),
      ids: JSON.stringify(ids),
    },
  );
  return new Map(rows.map(({ id, text }) => [id, text]));
}

const filterQuery = preparedQueryVariants<
  Candidate,
  { words: readonly number[]; conditions: readonly Condition[] }
>(
  (db, { words, conditions }, value) => sql`
    select s.id, s.search_text as text from ${jsonElements(db, value('ids'))} l cross join students s
    where s.id = l.value and ${filterConditions(conditions, value)} and ${matchesWords(db, words, value)}`,
);
