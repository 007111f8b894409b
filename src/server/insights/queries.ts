import { setImmediate } from 'node:timers/promises';
import { type SelectQueryBuilder, sql } from 'kysely';
import type {
  CgpaGroup,
  CgpaSplit,
  ClassSize,
  CourseResults,
  DepartmentCounts,
  StandingCounts,
} from '../../contract/insights.ts';
import { cgpaBins, medianTenth, TOP_TENTH } from '../../domain/grading/cgpa-bins.ts';
import { DEPARTMENT_CODES, SEMESTERS, STANDINGS, type Standing } from '../../domain/student.ts';
import type { Db, Schema } from '../db/schema.ts';

/*
 * Statistics over the active students; pass rates count every recorded result. Each query reads the small tables of counts per cohort or a range of an index, never the
 * records themselves, so each takes a few milliseconds at any number of students. Between queries other calls can run.
 */

const hundredths = (points: number) => Math.round(points * 100);
const naturalOrder = new Intl.Collator('en', { numeric: true });

/** Active students of each department, degree or syndicate by their CGPA. */
export async function groupCgpas(db: Db, split: CgpaSplit): Promise<CgpaGroup[]> {
  const groups = await studentsBy(db, split);
  const tenthsByValue = await cgpaTenthsBy(db, split);
  const finalTenthsByValue = await cgpaTenthsBy(db, split, { isFinal: true });
  const departments: readonly string[] = DEPARTMENT_CODES;
  const rank = ({ value }: { value: string }) => departments.indexOf(value);
  return groups
    .toSorted((a, b) => rank(a) - rank(b) || naturalOrder.compare(a.value, b.value))
    .map(({ value, students }) => {
      const tenths = tenthsByValue.get(value) ?? new Map<number, number>();
      const finalTenths = finalTenthsByValue.get(value) ?? new Map<number, number>();
      const final = { students: addUp(finalTenths.values()), median_tenth: medianTenth(finalTenths) };
      return { value, students, bins: cgpaBins(tenths), median_tenth: medianTenth(tenths), final };
    });
}

const addUp = (counts: Iterable<number>) => [...counts].reduce((sum, count) => sum + count, 0);

function studentsBy(db: Db, split: CgpaSplit) {
  return db
    .selectFrom('cohorts')
    .select((eb) => [`${split} as value`, eb.fn.sum<number>('students').as('students')])
    .where('status', '=', 'active')
    .groupBy(split)
    .having((eb) => eb(eb.fn.sum('students'), '>', 0))
    .execute();
}

/** Tenths per query: with a million students a query takes three milliseconds at most. */
const TENTHS_PER_QUERY = 5;

/** Students per tenth of a grade point of their CGPA, for each department, degree or syndicate. */
async function cgpaTenthsBy(
  db: Db,
  split: CgpaSplit,
  { isFinal = false } = {},
): Promise<Map<string, Map<number, number>>> {
  const tenthsByValue = new Map<string, Map<number, number>>();
  for (let from = 0; from <= TOP_TENTH; from += TENTHS_PER_QUERY) {
    const counts = await db
      .selectFrom('cohort_cgpas')
      .select((eb) => ['tenth', `${split} as value`, eb.fn.sum<number>('students').as('students')])
      .where(
        'tenth',
        'in',
        Array.from({ length: TENTHS_PER_QUERY }, (_, i) => from + i),
      )
      .where('is_final', '=', isFinal ? 1 : 0)
      .where('status', '=', 'active')
      .groupBy(['tenth', split])
      .execute();
    for (const { tenth, value, students } of counts) {
      tenthsByValue.set(
        value,
        (tenthsByValue.get(value) ?? new Map<number, number>()).set(tenth, Number(students)),
      );
    }
    await setImmediate();
  }
  return tenthsByValue;
}

/**
 * Students with a CGPA below this many grade points, among all with a CGPA. Whole tenths come from the counts, the tenth that
 * the limit cuts through from the index on CGPA.
 */
export async function findLowCgpas(db: Db, points: number): Promise<DepartmentCounts> {
  const below = hundredths(points);
  const cut = Math.floor(below / 10);
  const tenthsByValue = await cgpaTenthsBy(db, 'department');
  const counts: DepartmentCounts = [];
  for (const department of DEPARTMENT_CODES) {
    let [students, of] = [0, 0];
    for (const [tenth, some] of tenthsByValue.get(department) ?? []) {
      of += some;
      if (tenth < cut) students += some;
    }
    if (of === 0) continue;
    students += await countStudents(
      db
        .selectFrom('students')
        .where('current_sem', 'in', SEMESTERS)
        .where('department', '=', department)
        .where('is_active', '=', 1)
        .where('cgpa', '>=', cut * 10)
        .where('cgpa', '<', below),
    );
    counts.push({ department, students, of });
    await setImmediate();
  }
  return counts;
}

/** Students whose latest SGPA is at least this many grade points below the one before. */
export async function countSgpaDrops(db: Db, points: number): Promise<DepartmentCounts> {
  const all = new Map((await studentsBy(db, 'department')).map(({ value, students }) => [value, students]));
  const counts: DepartmentCounts = [];
  for (const department of DEPARTMENT_CODES) {
    const of = all.get(department);
    if (of === undefined) continue;
    const students = await countStudents(
      db
        .selectFrom('students')
        .where('department', '=', department)
        .where('is_active', '=', 1)
        // The condition of the partial index. Both engines use it only if the query has the same text.
        .where(sql<boolean>`fall > 0`)
        .where('fall', '>=', hundredths(points)),
    );
    counts.push({ department, students, of });
    await setImmediate();
  }
  return counts;
}

async function countStudents(query: SelectQueryBuilder<Schema, 'students', object>): Promise<number> {
  const { students } = await query
    .select((eb) => eb.fn.countAll<number>().as('students'))
    .executeTakeFirstOrThrow();
  return students;
}

/** The number of results of each course, and how many of them are an F. */
export function readPassRates(db: Db): Promise<CourseResults[]> {
  return db
    .selectFrom('course_results as r')
    .leftJoin('courses as c', 'c.course_id', 'r.course_id')
    .select((eb) => [
      'r.course_id',
      'c.course_code',
      'c.course_name',
      eb.fn.sum<number>('r.results').as('results'),
      eb.fn
        .sum<number>(eb.case().when('r.half_points', '=', 0).then(eb.ref('r.results')).else(0).end())
        .as('failed'),
    ])
    .groupBy(['r.course_id', 'c.course_code', 'c.course_name'])
    .having((eb) => eb(eb.fn.sum('r.results'), '>', 0))
    .orderBy('r.course_id')
    .execute();
}

/** Active students per department, semester and syndicate. */
export async function countClasses(db: Db): Promise<ClassSize[]> {
  return db
    .selectFrom('cohorts')
    .select((eb) => [
      'department',
      'current_sem',
      'syn',
      eb.fn.sum<number>('students').as('students'),
      eb.fn
        .sum<number>(eb.case().when('is_complete', '=', 0).then(eb.ref('students')).else(0).end())
        .as('incomplete'),
    ])
    .where('status', '=', 'active')
    .groupBy(['department', 'current_sem', 'syn'])
    .having((eb) => eb(eb.fn.sum('students'), '>', 0))
    .orderBy('department')
    .orderBy('current_sem')
    .orderBy('syn')
    .execute();
}

/** Active students of each department by their academic standing. */
export function countStandings(db: Db): Promise<StandingCounts> {
  return db
    .selectFrom('cohorts')
    .select((eb) => ['department', 'standing', eb.fn.sum<number>('students').as('students')])
    .where('status', '=', 'active')
    .where('standing', 'in', STANDINGS)
    .$narrowType<{ standing: Standing }>()
    .groupBy(['department', 'standing'])
    .having((eb) => eb(eb.fn.sum('students'), '>', 0))
    .orderBy('department')
    .orderBy('standing')
    .execute();
}
