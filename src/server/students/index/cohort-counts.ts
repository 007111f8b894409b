import type { CohortsTable, Tx } from '../../db/schema.ts';
import type { StudentRow } from './derived-columns.ts';

/** Ids or rows per statement. */
export const CHUNK = 500;

/** The values by which the list counts students. */
export type Cohort = Omit<CohortsTable, 'students'>;

/** The columns of {@link Cohort}. */
export const COHORT = [
  'department',
  'degree',
  'syn',
  'current_sem',
  'gender',
  'is_complete',
  'status',
  'standing',
] as const satisfies readonly (keyof Cohort)[];

/** Collects changes of the counts and stores each sum once, always in the same order, to avoid deadlocks. */
export class CohortCounts {
  readonly #cohorts = new Map<string, { cohort: Cohort; by: number }>();
  readonly #cgpas = new Map<string, { cohort: Cohort & { tenth: number; is_final: number }; by: number }>();

  add(
    student: Omit<Cohort, 'gender'> & Pick<StudentRow, 'gender' | 'cgpa' | 'final_cgpa'>,
    by: 1 | -1,
  ): void {
    const { department, degree, syn, current_sem, is_complete, status, standing, gender } = student;
    const { cgpa, final_cgpa } = student;
    const cohort = {
      department,
      degree,
      syn,
      current_sem,
      is_complete,
      status,
      standing,
      gender: gender ?? '',
    } as const;
    addTo(this.#cohorts, cohort, by);
    for (const [is_final, shown] of [cgpa, final_cgpa].entries()) {
      if (shown >= 0) addTo(this.#cgpas, { tenth: Math.floor(shown / 10), is_final, ...cohort }, by);
    }
  }

  async store(tx: Tx): Promise<void> {
    for (const some of chunks(changesIn(this.#cohorts))) {
      await tx
        .insertInto('cohorts')
        .values(some.map(({ cohort, by }) => ({ ...cohort, students: by })))
        .onConflict((conflict) =>
          conflict
            .columns([...COHORT])
            .doUpdateSet((eb) => ({ students: eb('cohorts.students', '+', eb.ref('excluded.students')) })),
        )
        .execute();
    }
    for (const some of chunks(changesIn(this.#cgpas))) {
      await tx
        .insertInto('cohort_cgpas')
        .values(some.map(({ cohort, by }) => ({ ...cohort, students: by })))
        .onConflict((conflict) =>
          conflict.columns(['tenth', 'is_final', ...COHORT]).doUpdateSet((eb) => ({
            students: eb('cohort_cgpas.students', '+', eb.ref('excluded.students')),
          })),
        )
        .execute();
    }
  }
}

function addTo<Of>(counts: Map<string, { cohort: Of; by: number }>, cohort: Of, by: number): void {
  const key = JSON.stringify(cohort);
  const one = counts.get(key) ?? { cohort, by: 0 };
  one.by += by;
  counts.set(key, one);
}

/** The changes that are not zero, in the order of their keys. */
function changesIn<Of>(counts: ReadonlyMap<string, { cohort: Of; by: number }>) {
  return [...counts]
    .filter(([, { by }]) => by !== 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, change]) => change);
}

export function* chunks<Of>(all: readonly Of[]): Generator<readonly Of[]> {
  for (let i = 0; i < all.length; i += CHUNK) yield all.slice(i, i + CHUNK);
}
