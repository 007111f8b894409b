import { Bookmark, BookOpen, GraduationCap, type LucideIcon } from 'lucide-react';
import type { CourseListItem } from '../../contract/courses.ts';
import type { SavedView } from '../../contract/students/saved-views.ts';
import type { StudentListItem } from '../../contract/students/student-list.ts';
import { foldWords, matchesWord, readQuery, searchText } from '../../domain/search-text.ts';
import { foldCode, type SearchableCourse, searchCourses } from '../courses/course-search.ts';
import { searchTerms } from '../lib/text-match.ts';
import { toStudentsSearchParams } from '../students/list/model/list-query.ts';
import { courseHref, type ScreenEntry, studentHref } from './screens.ts';

export const GROUPS = ['Recent', 'Go to', 'Views', 'Students', 'Courses', 'Actions'] as const;
type Group = (typeof GROUPS)[number];

/** An option of the palette: it navigates to `href` or calls `run`. */
export interface PaletteOption {
  id: string;
  group: Group;
  Icon: LucideIcon;
  label: string;
  /** Distinguishes it from others of the same name. */
  detail?: string;
  /** Further search words. */
  words?: string;
  keys?: readonly string[];
  href?: string;
  run?: () => void;
}

/** How many of the matching courses are shown. */
const MAX_COURSES = 5;

export const screenOption = ({ path, name, Icon, words, keys, creates }: ScreenEntry): PaletteOption => ({
  id: path,
  group: creates ? 'Actions' : 'Go to',
  Icon,
  label: name,
  words,
  href: path,
  ...(keys && { keys }),
});

export const viewOption = ({ id, name, view }: SavedView): PaletteOption => ({
  id: `view-${id}`,
  group: 'Views',
  Icon: Bookmark,
  label: name,
  words: 'view',
  href: `/students?${new URLSearchParams({ ...toStudentsSearchParams(view) })}`,
});

export function studentOption(student: StudentListItem, query = ''): PaletteOption {
  const { id, first_name, last_name, department, degree, syn } = student;
  const why = matchReason(student, readQuery(query).words);
  return {
    id: studentHref(id),
    group: 'Students',
    Icon: GraduationCap,
    label: `${first_name} ${last_name}`,
    detail: [id, `${department}-${degree}-${syn}`, ...(why === null ? [] : [why])].join(', '),
    href: studentHref(id),
  };
}

/** The field that matched, if neither name nor ID did. */
function matchReason(student: StudentListItem, words: readonly string[]): string | null {
  const { father_name, father_phone, phone_number, former_ids } = student;
  const lines = searchText(student).split('\n');
  const [, , , phone = '', fatherPhone = '', ...formerIds] = lines;
  const areIn = (own: readonly string[]) => words.every((word) => matchesWord(own.join('\n'), word));
  const isFound = (line: string) => words.some((word) => matchesWord(line, word));
  if (areIn(lines.slice(0, 2))) return null;
  if (areIn(lines.slice(0, 3))) return `father ${father_name}`;
  const formerId = former_ids.find((_, i) => isFound(formerIds[i] ?? ''));
  if (formerId !== undefined) return `formerly ${formerId}`;
  return isFound(phone) ? phone_number : isFound(fatherPhone) ? father_phone : null;
}

export const courseOption = ({ course_id, course_code, course_name }: CourseListItem): PaletteOption => ({
  id: courseHref(course_id),
  group: 'Courses',
  Icon: BookOpen,
  label: course_name,
  detail: `${course_code}, ID ${course_id}`,
  href: courseHref(course_id),
});

/** The matching courses; those whose code or ID starts with the query come first. */
export function matchingCourses(courses: readonly SearchableCourse[], query: string): PaletteOption[] {
  const code = foldCode(query);
  const begins = ({ course_code, course_id }: CourseListItem) =>
    [course_code, String(course_id)].some((text) => foldCode(text).startsWith(code));
  const found = searchCourses(courses, searchTerms(query)).map(({ course }) => course);
  return [...found.filter(begins), ...found.filter((course) => !begins(course))]
    .slice(0, MAX_COURSES)
    .map(courseOption);
}

/** The screens, views and actions with a word starting with each search term. */
export function matchingOptions(options: readonly PaletteOption[], query: string): PaletteOption[] {
  const terms = searchTerms(query);
  return options.filter(({ label, words = '' }) => {
    const own = foldWords(`${label} ${words}`);
    return terms.every((term) => own.some((word) => word.startsWith(term)));
  });
}
