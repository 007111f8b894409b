import { sql } from 'kysely';
import { preparedQueryVariants } from '../../db/prepared-query.ts';
import type { Db } from '../../db/schema.ts';
import { type Condition, filterConditions, type ParsedFilter } from './filter.ts';
import type { CandidateSource } from './index-scan.ts';

export interface Count {
  students: number;
  isExact: boolean;
}

export interface Counts {
  /** Students that match the filter, not counting the words of a search. */
  matching: Count;
  /** Students in the semesters and departments of the filter: those that an index scan reads. */
  inBranches: number;
  /** How many candidates each source would have. */
  sources: ReadonlyMap<CandidateSource, number>;
}

/** Conditions that either all students of a cohort meet or none. */
const COHORT_CONDITIONS = ['current_sem', 'department', 'degree', 'syn', 'gender', 'incomplete'] as const;

const isOneOf = (some: readonly Condition[]) => (name: Condition) => some.includes(name);

/** How many students match a filter, from the counts per cohort: a few hundred rows. */
export async function countMatching(db: Db, { conditions, values }: ParsedFilter): Promise<Counts> {
  const own = conditions.filter(isOneOf(COHORT_CONDITIONS));
  const [cohorts] = await cohortsQuery(db, own, values);
  const inBranches = Number(cohorts?.in_branches ?? 0);
  const hasCgpa = conditions.includes('cgpa_from') || conditions.includes('cgpa_below');
  const common: Count = hasCgpa
    ? await countByTenth(db, own, values)
    : { students: Number(cohorts?.matching ?? 0), isExact: true };

  const sources = new Map<CandidateSource, number>([['cohorts', common.students]]);
  let matching = common;
  for (const [name, count] of [['fell_by', fallenQuery] as const, ['failed', failedQuery] as const]) {
    if (!conditions.includes(name)) continue;
    const students = Number((await count(db, null, values))[0]?.students ?? 0);
    sources.set(name, students);
    const share = matching.students / Math.max(1, inBranches);
    matching =
      conditions.length === 1
        ? { students, isExact: true }
        : // Assumes that the conditions are independent of each other.
          { students: Math.round(students * share), isExact: students === 0 || matching.students === 0 };
  }
  return { matching, inBranches, sources };
}

/** The source with the fewest candidates, and how many. */
export const smallestSource = ({ sources }: Counts) => [...sources].reduce((a, b) => (b[1] < a[1] ? b : a));

const cohortsQuery = preparedQueryVariants<{ matching: number; in_branches: number }, readonly Condition[]>(
  (_db, conditions, value) => sql`
    select
      coalesce(sum(case when ${filterConditions(conditions, value)} then s.students else 0 end), 0) as matching,
      coalesce(sum(s.students), 0) as in_branches
    from cohorts s
    where ${filterConditions(conditions.filter(isOneOf(['current_sem', 'department'])), value)}`,
);

/** Adds up whole tenths of a CGPA. A tenth that a bound cuts through is estimated by the share within the bound. */
async function countByTenth(
  db: Db,
  conditions: readonly Condition[],
  values: ParsedFilter['values'],
): Promise<Count> {
  const from = Number(values.cgpa_from ?? 0);
  const below = Number(values.cgpa_below ?? 401);
  if (from >= below) return { students: 0, isExact: true };
  const rows = await tenthsQuery(db, conditions, {
    ...values,
    first_tenth: Math.floor(from / 10),
    last_tenth: Math.ceil(below / 10) - 1,
  });
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

const tenthsQuery = preparedQueryVariants<{ tenth: number; students: number }, readonly Condition[]>(
  (_db, conditions, value) => sql`
    select s.tenth, sum(s.students) as students from cohort_cgpas s
    where s.tenth >= ${value('first_tenth')} and s.tenth <= ${value('last_tenth')}
      and ${filterConditions(conditions, value)}
    group by s.tenth`,
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
