import { sql } from 'kysely';
import { jsonElements } from '../../db/dialect/sql.ts';
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

  /** IDs and versions that the outcomes were computed from. */
  get basis(): string {
    return this.#courses.map(({ course_id, version }) => `${course_id} ${version}`).join();
  }

  byId(id: number): CatalogueCourse | undefined {
    return this.#courses.find(({ course_id }) => course_id === id);
  }

  /** Several where it is ambiguous. Case, spaces and hyphens matter only where codes differ in nothing else. */
  byCode(code: string): readonly CatalogueCourse[] {
    for (const form of [(text: string) => text, (text: string) => text.toLowerCase(), foldCode]) {
      const same = this.#courses.filter(({ course_code }) => form(course_code) === form(code));
      if (same.length > 0) return same;
    }
    return [];
  }

  /** Whether a title is that of another course, and not also of this one. */
  isTitleOfOther(title: string, course: CatalogueCourse): boolean {
    const folded = foldTitle(title);
    if (foldTitle(course.course_name) === folded) return false;
    return this.#courses.some(({ course_name }) => foldTitle(course_name) === folded);
  }

  /** Courses by number or code, as the heading of a column has it; by title where no course has that number or code. */
  byName(name: string): readonly CatalogueCourse[] {
    const numbered = /^\d{1,15}$/.test(name) ? this.byId(Number(name)) : undefined;
    const coded = this.byCode(name).filter((course) => course !== numbered);
    const found = numbered === undefined ? coded : [numbered, ...coded];
    const title = foldTitle(name);
    return found.length > 0 ? found : this.#courses.filter((one) => foldTitle(one.course_name) === title);
  }
}

/** `cs 214` and `CS214` are `CS-214`. */
const foldCode = (code: string): string => code.toLowerCase().replaceAll(/[ -]/g, '');

/** Titles are the same whatever their case and spaces. */
export const foldTitle = (title: string): string => title.trim().replaceAll(/\s+/g, ' ').toLowerCase();

/** @param names numbers, codes and titles of courses */
export async function findCatalogue({ db }: Source, names: ReadonlySet<string>): Promise<Catalogue> {
  if (names.size === 0) return new Catalogue([]);
  const ids = [...names].filter((name) => /^\d{1,15}$/.test(name)).map(Number);
  // Each list as one parameter: the rows of one student may name more than a statement can have.
  const elements = (values: readonly (string | number)[]) =>
    jsonElements(db, sql.val(JSON.stringify(values)));
  // Some engines put only A to Z in lower case.
  const folded = [...names].flatMap((name) => [
    name.toLowerCase(),
    name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()),
  ]);
  const texts = sql<string>`(select value from ${elements(folded)} e)`;
  const codes = sql<string>`(select value from ${elements([...names].map(foldCode))} e)`;
  const numbers = sql<number>`(select cast(value as bigint) from ${elements(ids)} e)`;
  const courses = await db
    .selectFrom('courses')
    .select(['course_id', 'course_code', 'course_name', 'credits', 'version'])
    .where((eb) => {
      const isNamed = [
        eb(sql<string>`lower(course_code)`, 'in', texts),
        eb(sql<string>`lower(course_name)`, 'in', texts),
        eb(sql<string>`replace(replace(lower(course_code), '-', ''), ' ', '')`, 'in', codes),
      ];
      return eb.or(ids.length === 0 ? isNamed : [eb('course_id', 'in', numbers), ...isNamed]);
    })
    .orderBy('course_id')
    .execute();
  return new Catalogue(courses);
}
