import { sql } from 'kysely';
import type { SearchedClass } from '../../../domain/search-text.ts';
import { preparedQueryVariants } from '../../db/prepared-query.ts';
import type { Db } from '../../db/schema.ts';
import type { CandidateSource } from './candidates.ts';
import {
  BRANCH_CONDITIONS,
  type Condition,
  filterConditions,
  isOfBranch,
  type ListPart,
  type ParsedFilter,
} from './filter.ts';

export interface Count {
  students: number;
  isExact: boolean;
}

interface PartCounts {
  /** Students that match the filter, not counting the words of a search. */
  matching: Count;
  /** Students in the semesters and departments of the filter: those that an index scan reads. */
  inBranches: number;
  /** How many candidates each source would have. */
  sources: ReadonlyMap<CandidateSource, number>;
}

export interface Counts extends PartCounts {
  parts: Readonly<Record<ListPart, PartCounts>>;
}

/** Conditions that either all students of a cohort meet or none. */
const COHORT_CONDITIONS = [
  'current_sem',
  'department',
  'degree',
  'syn',
  'gender',
  'status',
  'standing',
  'incomplete',
] as const;

/** Conditions that are the same for a whole batch. Their count table has a seventh of the rows. */
const IN_BATCHES = ['current_sem', 'department', 'degree', 'gender', 'status', 'incomplete'] as const;

const isOneOf = (some: readonly Condition[]) => (name: Condition) => some.includes(name);

/** How many students match a filter, from the counts per cohort: a few thousand rows at most. */
export async function countMatching(db: Db, { conditions, values }: ParsedFilter): Promise<Counts> {
  const own = conditions.filter(isOneOf(COHORT_CONDITIONS));
  const cohorts = await countCohorts(db, own, values);
  const hasCgpa = conditions.includes('cgpa_from') || conditions.includes('cgpa_below');
  const tenths = hasCgpa ? await countTenths(db, own, values) : undefined;
  const fewOnes: { name: 'fell_by' | 'failed'; students: number }[] = [];
  for (const [name, count] of [['fell_by', fallenQuery] as const, ['failed', failedQuery] as const]) {
    if (!conditions.includes(name)) continue;
    fewOnes.push({ name, students: Number((await count(db, null, values))[0]?.students ?? 0) });
  }
  const all = sumColumn(cohorts, 'inBranches');

  const countPart = (part?: number): PartCounts => {
    const isIn = (row: { is_active: number }) => part === undefined || row.is_active === part;
    const rows = part === undefined ? cohorts : cohorts.filter(isIn);
    let matching: Count =
      tenths === undefined
        ? { students: sumColumn(rows, 'matching'), isExact: true }
        : addUpTenths(tenths.filter(isIn), values);
    const sources = new Map<CandidateSource, number>([['cohorts', matching.students]]);
    for (const { name, students } of fewOnes) {
      sources.set(name, students);
      const share = matching.students / Math.max(1, all);
      matching =
        conditions.length === 1 && rows === cohorts
          ? { students, isExact: true }
          : // Assumes that the conditions are independent of each other.
            { students: Math.round(students * share), isExact: students === 0 || matching.students === 0 };
    }
    return { matching, inBranches: sumColumn(rows, 'inBranches'), sources };
  };
  return {
    ...countPart(),
    parts: {
      active: countPart(1),
      others: countPart(0),
    },
  };
}

/** Whether there is any student in a class. One look-up, whatever else a filter asks for. */
export async function hasStudents(db: Db, { department, degree, syn }: SearchedClass): Promise<boolean> {
  const [row] = await classQuery(
    db,
    { hasSyndicate: syn !== undefined },
    { department, degree, syn: syn ?? '' },
  );
  return row !== undefined;
}

const classQuery = preparedQueryVariants<{ one: number }, { hasSyndicate: boolean }>(
  (_db, { hasSyndicate }, value) => sql`
    select 1 as one from cohorts s
    where s.students > 0
      and ${filterConditions(['department', 'degree', ...(hasSyndicate ? (['syn'] as const) : [])], value)}
    limit 1`,
);

/** The source with the fewest candidates, and how many. */
export const smallestSource = ({ sources }: PartCounts) =>
  [...sources].reduce((a, b) => (b[1] < a[1] ? b : a));

/** Students of one part. */
interface CohortSums {
  is_active: number;
  matching: number;
  inBranches: number;
}

const sumColumn = (rows: readonly CohortSums[], name: 'matching' | 'inBranches') =>
  rows.reduce((sum, row) => sum + row[name], 0);

async function countCohorts(
  db: Db,
  conditions: readonly Condition[],
  values: ParsedFilter['values'],
): Promise<CohortSums[]> {
  const [row] = await cohortsQuery(db, conditions, values);
  const active = {
    matching: Number(row?.active_matching ?? row?.active_in_branches ?? 0),
    inBranches: Number(row?.active_in_branches ?? 0),
  };
  return [
    { is_active: 1, ...active },
    {
      is_active: 0,
      matching: Number(row?.matching ?? row?.in_branches ?? 0) - active.matching,
      inBranches: Number(row?.in_branches ?? 0) - active.inBranches,
    },
  ];
}

/** One row: grouping by the part would sort the counts first. */
const cohortsQuery = preparedQueryVariants<
  Record<'in_branches' | 'active_in_branches', number | null> & {
    matching?: number;
    active_matching?: number;
  },
  readonly Condition[]
>((_db, conditions, value) => {
  const matches = filterConditions(conditions, value, { except: BRANCH_CONDITIONS });
  // Where all of them match, adding them up once takes half the time.
  const matching = conditions.every(isOfBranch)
    ? sql``
    : sql`coalesce(sum(s.students) filter (where ${matches}), 0) as matching,
      coalesce(sum(s.students) filter (where s.status = 'active' and ${matches}), 0) as active_matching,`;
  const counts = conditions.every(isOneOf(IN_BATCHES)) ? 'batch_counts' : 'cohorts';
  return sql`
    select ${matching} sum(s.students) as in_branches,
      sum(s.students) filter (where s.status = 'active') as active_in_branches
    from ${sql.table(counts)} s
    where ${filterConditions(conditions.filter(isOfBranch), value)}`;
});

interface TenthRow {
  is_active: number;
  tenth: number;
  students: number;
}

const cgpaLimits = (values: ParsedFilter['values']) => ({
  from: Number(values.cgpa_from ?? 0),
  below: Number(values.cgpa_below ?? 401),
});

async function countTenths(
  db: Db,
  conditions: readonly Condition[],
  values: ParsedFilter['values'],
): Promise<TenthRow[]> {
  const { from, below } = cgpaLimits(values);
  if (from >= below) return [];
  return tenthsQuery(db, conditions, {
    ...values,
    first_tenth: Math.floor(from / 10),
    last_tenth: Math.ceil(below / 10) - 1,
  });
}

/** Adds up whole tenths of a CGPA. A tenth that a bound cuts through is estimated by the share within the bound. */
function addUpTenths(rows: readonly TenthRow[], values: ParsedFilter['values']): Count {
  const { from, below } = cgpaLimits(values);
  let students = 0;
  let isExact = true;
  for (const { tenth, students: all } of rows) {
    // The last tenth has 4.00 only.
    const width = tenth === 40 ? 1 : 10;
    const left = Math.min(below, tenth * 10 + width) - Math.max(from, tenth * 10);
    students += (Number(all) * left) / width;
    if (left !== width && Number(all) > 0) isExact = false;
  }
  return { students: Math.round(students), isExact };
}

const tenthsQuery = preparedQueryVariants<TenthRow, readonly Condition[]>(
  (_db, conditions, value) => sql`
    select case when s.status = 'active' then 1 else 0 end as is_active, s.tenth, sum(s.students) as students from cohort_cgpas s
    where s.tenth >= ${value('first_tenth')} and s.tenth <= ${value('last_tenth')} and s.is_final = 0
      and ${filterConditions(conditions, value)}
    group by 1, s.tenth`,
);

/** A range of the index on `fall`. */
const fallenQuery = preparedQueryVariants<{ students: number }, null>(
  (_db, _shape, value) => sql`
    select count(*) as students from students where fall >= ${value('fell_by')} and fall > 0`,
);

/** A range of the index of failed subjects. A student who failed the course twice counts once. */
const failedQuery = preparedQueryVariants<{ students: number }, null>(
  (_db, _shape, value) => sql`
    select count(distinct student_id) as students from semester_subjects
    where course_id = ${value('failed')} and half_points = 0`,
);
