import { type RawBuilder, sql } from 'kysely';
import { pausedChunks } from '../../chunks.ts';
import { jsonElements } from '../../db/dialect/sql.ts';
import { type NamedParameter, preparedQueryVariants } from '../../db/prepared-query.ts';
import type { Db } from '../../db/schema.ts';
import {
  type Condition,
  countForms,
  filterConditions,
  isInPart,
  type ListPart,
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
  source: CandidateSource | 'ids';
  /** The candidates themselves, where the source is `ids`. */
  ids?: readonly string[];
}

/** Where the candidates of a filter come from. */
export type CandidateSource = 'cohorts' | 'fell_by' | 'failed';

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

const candidatesQuery = preparedQueryVariants<KeyRow, Shape & SourceShape>((db, shape, value) => {
  const { conditions, sort, words, part } = shape;
  return sql`select ${sortKey(sort)} as key, s.id as id from ${sourceSql(db, shape, value)}
      and ${isInPart(part)} and ${filterConditions(conditions, value)} and ${isBetween(shape, value)} and ${matchesWords(db, words, value)}
    order by key ${directionSql(shape)}, id ${directionSql(shape)} limit ${value('limit')}`;
});

interface SourceShape {
  source: CandidateSource | 'ids';
  conditions: readonly Condition[];
  /** Undefined for both. */
  part?: ListPart;
}

/** Rows of `students` named `s`, for more conditions to follow. */
function sourceSql(
  db: Db,
  { source, conditions, part }: SourceShape,
  value: NamedParameter,
): RawBuilder<unknown> {
  const sources = {
    cohorts: () => {
      const common = conditions.filter(
        (name) => !['cgpa_from', 'cgpa_below', 'fell_by', 'failed'].includes(name),
      );
      const inPart = {
        active: sql`s.status = 'active'`,
        others: sql`s.status <> 'active'`,
        both: sql`1 = 1`,
      }[part ?? 'both'];
      return sql`(select distinct s.current_sem, s.department, s.degree, s.syn, s.status, s.is_complete, s.standing from cohorts s
          where s.students > 0 and ${inPart} and ${filterConditions(common, value)}) c
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
  return sources[source]();
}

/** All candidates that match all words and all conditions of the filter, with their `search_text`. */
export const readMatches = (
  db: Db,
  { words, conditions, values }: ParsedFilter,
  source: CandidateSource,
): Promise<{ id: string; text: string }[]> =>
  matchesQuery(db, { source, words: countForms(words), conditions }, { ...values, ...wordValues(words) });

const matchesQuery = preparedQueryVariants<
  { id: string; text: string },
  SourceShape & { words: readonly number[] }
>(
  (db, shape, value) => sql`select s.id as id, s.search_text as text from ${sourceSql(db, shape, value)}
    and ${filterConditions(shape.conditions, value)} and ${matchesWords(db, shape.words, value)}`,
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
