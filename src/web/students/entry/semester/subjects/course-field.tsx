import { useMemo } from 'react';
import type { Course, CourseListItem } from '../../../../../contract/courses.ts';
import { searchCourses, toSearchableCourse } from '../../../../courses/course-search.ts';
import { ComboboxField } from '../../../../ui/fields/combobox-field.tsx';
import type { FieldProps } from '../../../../ui/fields/field.tsx';
import { searchTerms } from '../../../../ui/text-match.ts';
import { courseDetail, findCourseByText } from './course-match.ts';

/** Suggestions at a time. */
const MOST_SUGGESTED = 8;

interface CourseFieldProps extends FieldProps {
  courses: readonly CourseListItem[];
  /** The subject has the ID of a course. */
  hasCourse: boolean;
  onCourse: (course: Course) => void;
}

/** The title of a subject, which also takes the code, the ID or a part of the name of a course. */
export function CourseField({ courses, hasCourse, onCourse, ...field }: CourseFieldProps) {
  const searchable = useMemo(() => courses.map(toSearchableCourse), [courses]);
  const terms = searchTerms(field.value);
  const found = terms.length === 0 ? [] : searchCourses(searchable, terms).slice(0, MOST_SUGGESTED);
  const chooseTyped = () => {
    const course = findCourseByText(courses, field.value);
    // A name is also an ordinary title, which keeps the course that was entered with it.
    const isName = course?.course_name.toLowerCase() === field.value.trim().toLowerCase();
    if (course !== undefined && !(isName && hasCourse)) onCourse(course);
  };
  return (
    <ComboboxField
      {...field}
      placeholder="Code, ID or name"
      options={found.map(({ course }) => ({
        value: String(course.course_id),
        label: course.course_name,
        detail: courseDetail(course),
      }))}
      opensOnTyping
      onChoose={(chosen) => {
        const course = courses.find(({ course_id }) => String(course_id) === chosen);
        if (course !== undefined) onCourse(course);
      }}
      onTyped={chooseTyped}
    />
  );
}
