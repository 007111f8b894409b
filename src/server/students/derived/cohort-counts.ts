import { sql } from 'kysely';
import { chunks } from '../../chunks.ts';
import type { ColumnTypes } from '../../db/dialect/sql.ts';
import { preparedRowsChange } from '../../db/prepared-query.ts';
import type { CohortsTable, Tx } from '../../db/schema.ts';
import type { StudentRow } from './derived-columns.ts';

/** Ids or rows per statement. */
export const CHUNK_SIZE = 500;

/** The values by which the list counts students. */
export type Cohort = Omit<CohortsTable, 'students'>;

/** The columns of {@link Cohort}, with their types in SQL. */
const COHORT = {
  department: 'text',
  degree: 'text',
  syn: 'text',
  current_sem: 'integer',
  gender: 'text',
  is_complete: 'integer',
  status: 'text',
  standing: 'text',
} as const satisfies Record<keyof Cohort, 'text' | 'integer'>;

const { syn: _syn, standing: _standing, ...BATCH } = COHORT;

/** A student as the counts see one. */
export type CountedStudent = Omit<Cohort, 'gender'> & Pick<StudentRow, 'gender' | 'cgpa' | 'final_cgpa'>;

const COUNTED = Object.keys({ ...COHORT, cgpa: '', final_cgpa: '' }) as (keyof CountedStudent)[];

/** Whether two states of a student are counted in the same rows. */
export const isCountedAlike = (one: CountedStudent, other: CountedStudent): boolean =>
  COUNTED.every((name) => one[name] === other[name]);

/** Collects changes of the counts and stores each sum once, always in the same order, to avoid deadlocks. */
export class CohortCounts {
  readonly #cohorts = new Map<string, { cohort: Cohort; by: number }>();
  readonly #batches = new Map<string, { cohort: Omit<Cohort, 'syn' | 'standing'>; by: number }>();
  readonly #cgpas = new Map<string, { cohort: Cohort & { tenth: number; is_final: number }; by: number }>();

  add(student: CountedStudent, by: 1 | -1): void {
    const { department, degree, syn, current_sem, is_complete, status, standing, gender } = student;
    const { cgpa, final_cgpa } = student;
    const batch = { department, degree, current_sem, is_complete, status, gender: gender ?? '' } as const;
    const cohort = { ...batch, syn, standing };
    collect(this.#cohorts, cohort, by);
    collect(this.#batches, batch, by);
    for (const [is_final, shown] of [cgpa, final_cgpa].entries()) {
      if (shown >= 0) collect(this.#cgpas, { tenth: Math.floor(shown / 10), is_final, ...cohort }, by);
    }
  }

  async store(tx: Tx): Promise<void> {
    for (const some of chunks(changesIn(this.#cohorts), CHUNK_SIZE)) await addStudents(tx, some);
    for (const some of chunks(changesIn(this.#batches), CHUNK_SIZE)) await addToBatches(tx, some);
    for (const some of chunks(changesIn(this.#cgpas), CHUNK_SIZE)) await addCgpas(tx, some);
  }
}

/** Adds to the counts in a table, by these columns. */
const addTo = <Column extends string>(table: string, columns: ColumnTypes<Column>) =>
  preparedRowsChange({ ...columns, students: 'integer' }, (_, rows) => {
    const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)));
    return sql`insert into ${sql.table(table)} (${names}, students)
      select ${names}, students from ${rows} l where true
      on conflict (${names}) do update set students = ${sql.ref(`${table}.students`)} + excluded.students`;
  });
const addStudents = addTo('cohorts', COHORT);
const addToBatches = addTo('batch_counts', BATCH);
const addCgpas = addTo('cohort_cgpas', { tenth: 'integer', is_final: 'integer', ...COHORT });

function collect<Of extends object>(counts: Map<string, { cohort: Of; by: number }>, cohort: Of, by: number) {
  // No value has a line break.
  const key = Object.values(cohort).join('\n');
  const one = counts.get(key) ?? { cohort, by: 0 };
  one.by += by;
  counts.set(key, one);
}

/** The changes that are not zero, in the order of their keys. */
function changesIn<Of>(counts: ReadonlyMap<string, { cohort: Of; by: number }>) {
  return [...counts]
    .filter(([, { by }]) => by !== 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { cohort, by }]) => ({ ...cohort, students: by }));
}
