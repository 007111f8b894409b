import { Bookmark, BookOpen, GraduationCap, type LucideIcon } from 'lucide-react';
import type { CourseListed } from '../../contract/courses.ts';
import type { SavedView } from '../../contract/saved-views.ts';
import type { StudentListed } from '../../contract/student-list.ts';
import { askedWords, folded, foldedWords } from '../../domain/search-text.ts';
import { coursesWith, type FoundCourse } from '../courses/course-search.ts';
import { addressOf } from '../students/list-view.ts';
import { searchTerms } from '../ui/text-match.ts';
import { courseHref, type ScreenPlace, studentHref } from './places.ts';

export const GROUPS = ['Recent', 'Go to', 'Views', 'Students', 'Courses', 'Actions'] as const;
export type Group = (typeof GROUPS)[number];

/** One thing that can be chosen: it leads to `href`, or does `run`. */
export interface PaletteOption {
  id: string;
  group: Group;
  Icon: LucideIcon;
  label: string;
  /** What tells it apart from others of the same name. */
  detail?: string;
  /** Further words that it is found by. */
  words?: string;
  keys?: readonly string[];
  href?: string;
  run?: () => void;
}

/** Courses shown of those that are found. */
const MOST_COURSES = 5;

export const screenOption = ({ path, name, Icon, words, keys, creates }: ScreenPlace): PaletteOption => ({
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
  href: `/students?${new URLSearchParams({ ...addressOf(view) })}`,
});

export function studentOption(student: StudentListed, query = ''): PaletteOption {
  const { id, first_name, last_name, department, degree, syn } = student;
  const why = whyFound(student, askedWords(query));
  return {
    id: studentHref(id),
    group: 'Students',
    Icon: GraduationCap,
    label: `${first_name} ${last_name}`,
    detail: [id, `${department}-${degree}-${syn}`, ...(why === null ? [] : [why])].join(', '),
    href: studentHref(id),
  };
}

/** What a student was found by, where neither name nor ID shows it. */
function whyFound(student: StudentListed, words: readonly string[]): string | null {
  const isIn = (text: string) => {
    const own = foldedWords(text);
    return words.every((word) => own.some((one) => one.startsWith(word)));
  };
  const { id, first_name, last_name, father_name, father_phone, phone_number } = student;
  if (isIn(`${id} ${first_name} ${last_name}`)) return null;
  if (father_name !== null && isIn(`${id} ${first_name} ${last_name} ${father_name}`)) {
    return `father ${father_name}`;
  }
  return [phone_number, father_phone].find((phone) => phone !== null && isPhone(phone, words)) ?? null;
}

/** A phone number may be typed as its groups or as one word. */
const isPhone = (phone: string, words: readonly string[]) =>
  words.some((word) =>
    [...foldedWords(phone), foldedWords(phone).join('')].some((own) => own.startsWith(word)),
  );

export const courseOption = ({ course_id, course_code, course_name }: CourseListed): PaletteOption => ({
  id: courseHref(course_id),
  group: 'Courses',
  Icon: BookOpen,
  label: course_name,
  detail: `${course_code}, ID ${course_id}`,
  href: courseHref(course_id),
});

/** The courses found, those first whose code or number begins as it was typed. */
export function foundCourses(courses: readonly FoundCourse[], query: string): PaletteOption[] {
  const begins = ({ course_code, course_id }: CourseListed) =>
    [course_code, String(course_id)].some((text) => folded(text).startsWith(folded(query.trim())));
  const found = coursesWith(courses, searchTerms(query)).map(({ course }) => course);
  return [...found.filter(begins), ...found.filter((course) => !begins(course))]
    .slice(0, MOST_COURSES)
    .map(courseOption);
}

/** The screens, views and actions of whose words each one typed is a beginning. */
export function foundOptions(options: readonly PaletteOption[], query: string): PaletteOption[] {
  const terms = searchTerms(query);
  return options.filter(({ label, words = '' }) => {
    const own = foldedWords(`${label} ${words}`);
    return terms.every((term) => own.some((word) => word.startsWith(term)));
  });
}
