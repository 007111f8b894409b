import type { CourseListItem } from '../../../contract/courses.ts';
import type { NamedCourse } from '../../../contract/schemes/schemes.ts';
import { foldText } from '../../../domain/search-text.ts';
import { foldCode, searchCourses, toSearchableCourse } from '../../courses/course-search.ts';
import { searchTerms } from '../../lib/text-match.ts';

/** Courses that are offered for a text. */
const MOST_OFFERED = 6;

/** The courses by what is typed for them. */
export interface Catalogue {
  /** Also those that the scheme names and that have been deleted. */
  courses: ReadonlyMap<number, NamedCourse>;
  /** What is typed for a course: its code, or its ID where several have the code. */
  nameOf: (id: number) => string;
  /** The course with this code, ID or name, or the only one that a search for it finds. */
  find: (name: string) => number | undefined;
  /** The same with what the catalogue has of it. */
  findCourse: (name: string) => NamedCourse | undefined;
  /** The first courses that a search finds. */
  search: (text: string) => NamedCourse[];
}

/** @param named the courses that the scheme names */
export function makeCatalogue(list: readonly CourseListItem[], named: readonly NamedCourse[]): Catalogue {
  const courses = new Map<number, NamedCourse>();
  for (const course of [...named, ...list]) courses.set(course.course_id, course);
  const byCode = new Map<string, number[]>();
  const byName = new Map<string, number[]>();
  for (const { course_id, course_code, course_name } of courses.values()) {
    for (const [map, text] of [
      [byCode, foldCode(course_code)],
      [byName, foldText(course_name).trim()],
    ] as const) {
      const ids = map.get(text);
      if (ids === undefined) map.set(text, [course_id]);
      else ids.push(course_id);
    }
  }
  const single = (ids: readonly number[] = []) => (ids.length === 1 ? ids[0] : undefined);
  const searchable = list.map(toSearchableCourse);
  const search = (text: string): NamedCourse[] => {
    const terms = searchTerms(text);
    if (terms.length === 0) return [];
    return searchCourses(searchable, terms)
      .slice(0, MOST_OFFERED)
      .map(({ course }) => course);
  };
  const find = (name: string): number | undefined => {
    const typed = name.trim();
    if (typed === '') return undefined;
    const id = /^\d+$/.test(typed) && courses.has(Number(typed)) ? Number(typed) : undefined;
    return (
      single(byCode.get(foldCode(typed))) ??
      id ??
      single(byName.get(foldText(typed).trim())) ??
      single(search(typed).map(({ course_id }) => course_id))
    );
  };
  return {
    courses,
    nameOf: (id) => {
      const code = courses.get(id)?.course_code ?? '';
      return single(byCode.get(foldCode(code))) === id ? code : String(id);
    },
    find,
    findCourse: (name) => courses.get(find(name) ?? -1),
    search,
  };
}
