import { sql } from 'kysely';
import type { NamedCourse } from '../../../contract/schemes/schemes.ts';
import { jsonElements } from '../../db/dialect/sql.ts';
import { preparedQueryVariants } from '../../db/prepared-query.ts';
import type { Db } from '../../db/schema.ts';
import { parseState } from '../../history/fields.ts';

const findCourses = preparedQueryVariants<NamedCourse, object>(
  (db, _, value) => sql`
    select c.course_id, c.course_code, c.course_name, c.credits
    from ${jsonElements(db, value('ids'))} l cross join courses c
    where c.course_id = cast(l.value as bigint)
    order by c.course_id`,
);

/** The courses with these ids, as the catalogue has them. */
export const findCatalogueCourses = (db: Db, ids: readonly number[]): Promise<NamedCourse[]> =>
  ids.length === 0 ? Promise.resolve([]) : findCourses(db, {}, { ids: JSON.stringify(ids) });

/** The courses with these ids, in their order; one that was deleted has what it had last. */
export async function findNamedCourses(db: Db, ids: Iterable<number>): Promise<NamedCourse[]> {
  const wanted = [...new Set(ids)];
  const courses = await findCatalogueCourses(db, wanted);
  const found = new Set(courses.map(({ course_id }) => course_id));
  const deleted = wanted.filter((id) => !found.has(id));
  if (deleted.length > 0) courses.push(...(await findDeletedCourses(db, deleted)));
  return courses.sort((a, b) => a.course_id - b.course_id);
}

async function findDeletedCourses(db: Db, ids: readonly number[]): Promise<NamedCourse[]> {
  const entries = await db
    .selectFrom('history')
    .select(['entity_id', 'before'])
    .where('entity', '=', 'course')
    .where('entity_id', 'in', ids.map(String))
    .where('action', '=', 'delete')
    .orderBy('id')
    .execute();
  const last = new Map(entries.map(({ entity_id, before }) => [Number(entity_id), parseState(before)]));
  const textOf = (value: unknown, course_id: number) =>
    typeof value === 'string' ? value : `Course ${course_id}`;
  return ids.map((course_id) => {
    const { course_code, course_name, credits } = last.get(course_id) ?? {};
    return {
      course_id,
      course_code: textOf(course_code, course_id),
      course_name: textOf(course_name, course_id),
      credits: typeof credits === 'number' ? credits : null,
    };
  });
}
