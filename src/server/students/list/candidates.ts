import { sql } from 'kysely';
import { pausedChunks } from '../../chunks.ts';
import { jsonElements } from '../../db/dialect/sql.ts';
import { preparedQueryVariants } from '../../db/prepared-query.ts';
import type { Db } from '../../db/schema.ts';
import {
  type Condition,
  countForms,
  filterConditions,
  isInPart,
  matchesWords,
  type ParsedFilter,
  wordValues,
} from './filter.ts';
import {
  comparePositions,
  directionSql,
  isBetween,
  type KeyRow,
  type ListRange,
  type PartRange,
  type RowPosition,
  readInOrder,
  readParts,
  type Shape,
  sortKey,
  toParameters,
  toShape,
} from './order-ranges.ts';

interface CandidateRange extends PartRange {
  source: CandidateSource;
  /** The candidates themselves, where the source is `ids`. */
  ids?: readonly string[];
}

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
  for await (const some of pausedChunks(ids, batchSize)) {
    found.push(...(await fetchAndSort(db, { source: 'ids', ids: some, ...range })));
  }
  return found.toSorted(comparePositions(range.order)).slice(0, range.limit);
}

/** The ids of the candidates that match all words and all conditions of the filter. */
export async function filterCandidates(
  db: Db,
  { words, conditions, values }: ParsedFilter,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await filterQuery(
    db,
    { words: countForms(words), conditions },
    {
      ...values,
      ...wordValues(words),
      ids: JSON.stringify(ids),
    },
  );
  return new Set(rows.map(({ id }) => id));
}

const filterQuery = preparedQueryVariants<
  { id: string },
  { words: readonly number[]; conditions: readonly Condition[] }
>(
  (db, { words, conditions }, value) => sql`
    select s.id from ${jsonElements(db, value('ids'))} l cross join students s
    where s.id = l.value and ${filterConditions(conditions, value)} and ${matchesWords(db, words, value)}`,
);
