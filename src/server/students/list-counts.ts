import { sql } from 'kysely';
import { compileShapes } from '../db/compile-once.ts';
import type { Db } from '../db/schema.ts';
import { type Condition, type Narrowing, where } from './list-filter.ts';
import type { Source } from './list-walk.ts';

export interface Count {
  students: number;
  isExact: boolean;
}

export interface Counts {
  /** Students that the filter leaves, the words of a search aside. */
  matching: Count;
  /** Students of the semesters and departments that it leaves: among these the list looks for the others. */
  around: number;
  /** How many each of the ways to find the few would have to look at. */
  sources: ReadonlyMap<Source, number>;
}

/** Conditions that all students of a cohort meet, or none. */
const OF_COHORT = ['current_sem', 'department', 'degree', 'syn', 'gender', 'incomplete'] as const;

const isOf = (some: readonly Condition[]) => (name: Condition) => some.includes(name);

/** How many students a filter leaves, from the counts that are kept of cohorts: a few hundred rows. */
export async function countMatching(db: Db, { conditions, values }: Narrowing): Promise<Counts> {
  const own = conditions.filter(isOf(OF_COHORT));
  const [cohorts] = await inCohorts(db, own, values);
  const around = Number(cohorts?.around ?? 0);
  const hasCgpa = conditions.includes('cgpa_from') || conditions.includes('cgpa_below');
  const common: Count = hasCgpa
    ? await inTenths(db, own, values)
    : { students: Number(cohorts?.matching ?? 0), isExact: true };

  const sources = new Map<Source, number>([['cohorts', common.students]]);
  let matching = common;
  for (const [name, count] of [['fell_by', fallen] as const, ['failed', failing] as const]) {
    if (!conditions.includes(name)) continue;
    const students = Number((await count(db, null, values))[0]?.students ?? 0);
    sources.set(name, students);
    const share = matching.students / Math.max(1, around);
    matching =
      conditions.length === 1
        ? { students, isExact: true }
        : // As if the two had nothing to do with one another.
          { students: Math.round(students * share), isExact: students === 0 || matching.students === 0 };
  }
  return { matching, around, sources };
}

/** The way to find the few that has the fewest to look at, and how many. */
export const fewest = ({ sources }: Counts) => [...sources].reduce((a, b) => (b[1] < a[1] ? b : a));

const inCohorts = compileShapes<{ matching: number; around: number }, readonly Condition[]>(
  (_db, conditions, value) => sql`
    select
      coalesce(sum(case when ${where(conditions, value)} then s.students else 0 end), 0) as matching,
      coalesce(sum(s.students), 0) as around
    from cohorts s
    where ${where(conditions.filter(isOf(['current_sem', 'department'])), value)}`,
);

/** Whole tenths of a CGPA are counted; of the tenth that a bound cuts, as much as it leaves of it. */
async function inTenths(
  db: Db,
  conditions: readonly Condition[],
  values: Narrowing['values'],
): Promise<Count> {
  const from = Number(values.cgpa_from ?? 0);
  const below = Number(values.cgpa_below ?? 401);
  if (from >= below) return { students: 0, isExact: true };
  const rows = await byTenth(db, conditions, {
    ...values,
    first_tenth: Math.floor(from / 10),
    last_tenth: Math.ceil(below / 10) - 1,
  });
  let students = 0;
  let isExact = true;
  for (const { tenth, students: all } of rows) {
    // 4.00 is alone in the last.
    const width = tenth === 40 ? 1 : 10;
    const left = Math.min(below, tenth * 10 + width) - Math.max(from, tenth * 10);
    students += (Number(all) * left) / width;
    if (left !== width && Number(all) > 0) isExact = false;
  }
  return { students: Math.round(students), isExact };
}

const byTenth = compileShapes<{ tenth: number; students: number }, readonly Condition[]>(
  (_db, conditions, value) => sql`
    select s.tenth, sum(s.students) as students from cohort_cgpas s
    where s.tenth >= ${value('first_tenth')} and s.tenth <= ${value('last_tenth')}
      and ${where(conditions, value)}
    group by s.tenth`,
);

/** A range of the index of falls. */
const fallen = compileShapes<{ students: number }, null>(
  (_db, _shape, value) => sql`
    select count(*) as students from students where fall >= ${value('fell_by')} and fall > 0`,
);

/** A range of the index of failed subjects; who failed a course twice counts once. */
const failing = compileShapes<{ students: number }, null>(
  (_db, _shape, value) => sql`
    select count(distinct student_id) as students from semester_subjects
    where course_id = ${value('failed')} and half_points = 0`,
);
