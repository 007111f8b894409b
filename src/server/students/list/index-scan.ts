import { setImmediate } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { wordBits } from '../../../domain/search-text.ts';
import { indexHint, orderedBranch } from '../../db/dialect/sql.ts';
import { type NamedParameter, preparedQueryVariants } from '../../db/prepared-query.ts';
import type { Db } from '../../db/schema.ts';
import type { Counts } from './counts.ts';
import {
  BRANCH_CONDITIONS,
  type Condition,
  countBranches,
  filterConditions,
  indexBranches,
  isCgpaLimit,
  isOfBranch,
  matchesWords,
} from './filter.ts';
import {
  comparePositions,
  inOrder,
  isBetween,
  type KeyRow,
  type ListRange,
  type PartRange,
  type RowPosition,
  readInOrder,
  type Shape,
  SORT_COLUMNS,
  sortKey,
  toHalfRanges,
  toParameters,
  toPartRanges,
  toShape,
} from './order-ranges.ts';

/** The index that has each semester of a department in this order. */
function indexName({ sort, conditions }: Pick<Shape, 'sort' | 'conditions'>): string {
  if (sort === 'name' && conditions.includes('gender')) return 'students_by_gender_and_name';
  if (sort === 'id' && conditions.includes('degree')) return 'students_by_degree_and_id';
  return `students_by_${SORT_COLUMNS[sort]}`;
}

/**
 * The next rows of a part of an order, read from its index. Merges one index range per semester and department of the filter, reads
 * each only as far as needed and skips rows that the other conditions exclude. Ignores the words of a search.
 */
export const scanIndex = (db: Db, range: PartRange): Promise<RowPosition[]> =>
  readInOrder(range, (one, half) => scanQuery(db, { ...toShape(one), ...half }, toParameters(one)));

/** The entries that {@link scanForWords} found. */
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
/** Index rows after which other calls run, where there are bits: about two milliseconds. Without bits they run after each window. */
const TURN_ROWS = 16_384;

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
  let [read, readInTurn] = [0, 0];
  for (const inPart of toPartRanges(range)) {
    const { matching } = parts[inPart.part];
    if (matching.isExact && matching.students === 0) continue;
    for (const [inHalf, half] of toHalfRanges(inPart)) {
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
        readInTurn += rows * rangeCount;
        if (bits !== 0 && readInTurn < TURN_ROWS) continue;
        await setImmediate();
        readInTurn = 0;
      }
    }
  }
  return { matches, end: undefined };
}

/** The last row of the window in each range of an order that has as many rows. */
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
