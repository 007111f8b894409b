import { sql } from 'kysely';
import type { CoursesTable } from '../../db/schema.ts';
import type { Source } from './kind.ts';

export type CatalogueCourse = Pick<
  CoursesTable,
  'course_id' | 'course_code' | 'course_name' | 'credits' | 'version'
>;

/** The courses that the rows of a file name. */
export class Catalogue {
  readonly #courses: readonly CatalogueCourse[];

  constructor(courses: readonly CatalogueCourse[]) {
    this.#courses = courses;
  }

  /** What outcomes rest on. */
  get basis(): string {
    return this.#courses.map(({ course_id, version }) => `${course_id} ${version}`).join();
  }

  byId(id: number): CatalogueCourse | undefined {
    return this.#courses.find(({ course_id }) => course_id === id);
  }

  /** Several where it is ambiguous. Upper and lower case matter only where codes differ in nothing else. */
  byCode(code: string): readonly CatalogueCourse[] {
    const same = this.#courses.filter(({ course_code }) => course_code === code);
    if (same.length > 0) return same;
    return this.#courses.filter(({ course_code }) => course_code.toLowerCase() === code.toLowerCase());
  }

  /** By number or code, as the heading of a column has it. */
  byName(name: string): readonly CatalogueCourse[] {
    const numbered = /^\d{1,15}$/.test(name) ? this.byId(Number(name)) : undefined;
    const coded = this.byCode(name).filter((course) => course !== numbered);
    return numbered === undefined ? coded : [numbered, ...coded];
  }
}

/** @param names numbers and codes of courses */
export async function findCatalogue({ db }: Source, names: ReadonlySet<string>): Promise<Catalogue> {
  if (names.size === 0) return new Catalogue([]);
  const ids = [...names].filter((name) => /^\d{1,15}$/.test(name)).map(Number);
  const codes = [...names].map((name) => name.toLowerCase());
  const courses = await db
    .selectFrom('courses')
    .select(['course_id', 'course_code', 'course_name', 'credits', 'version'])
    .where((eb) => {
      const byCode = eb(sql<string>`lower(course_code)`, 'in', codes);
      return ids.length === 0 ? byCode : eb.or([eb('course_id', 'in', ids), byCode]);
    })
    .orderBy('course_id')
    .execute();
  return new Catalogue(courses);
}
