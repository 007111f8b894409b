import { sql } from 'kysely';
import type { Db } from '../db/schema.ts';

/** A table of counts, and what it counts. */
interface Counted {
  table: string;
  count: string;
  /** Columns by which it counts, each with what it is worked out from. */
  by: Readonly<Record<string, string>>;
  from: string;
}

const cohort = {
  department: 'department',
  degree: 'degree',
  syn: 'syn',
  current_sem: 'current_sem',
  gender: `coalesce(gender, '')`,
  is_complete: 'is_complete',
};

const COUNTED: readonly Counted[] = [
  { table: 'cohorts', count: 'students', by: cohort, from: 'students' },
  {
    table: 'cohort_cgpas',
    count: 'students',
    by: { tenth: 'cgpa / 10', ...cohort },
    from: 'students where cgpa >= 0',
  },
  {
    table: 'course_results',
    count: 'results',
    by: { course_id: 'course_id', half_points: 'half_points' },
    from: 'semester_subjects where course_id is not null and half_points is not null',
  },
];

/** The counts that the list and the insights are answered from, against the rows that they count. */
export async function* wrongCounts(db: Db): AsyncGenerator<string> {
  for (const { table, count, by, from } of COUNTED) {
    const columns = Object.keys(by).join(', ');
    const worked = Object.entries(by).map(([column, expression]) => `${expression} as ${column}`);
    // Both sides in one: what is left where they differ.
    const { rows } = await sql<Record<string, string | number>>`
      select * from (
        select ${sql.raw(columns)}, sum(stored) as stored, sum(there) as there from (
          select ${sql.raw(columns)}, ${sql.raw(count)} as stored, 0 as there from ${sql.table(table)}
          union all
          select ${sql.raw(worked.join(', '))}, 0 as stored, 1 as there from ${sql.raw(from)}
        ) as sides group by ${sql.raw(columns)}
      ) as summed where stored <> there order by ${sql.raw(columns)}`.execute(db);
    for (const { stored, there, ...of } of rows) {
      const values = Object.entries(of).map(([column, value]) => `${column} ${value}`);
      yield `${table}: ${stored} instead of ${there} of ${values.join(', ')}.`;
    }
  }
}
