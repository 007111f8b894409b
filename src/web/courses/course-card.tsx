import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import type { CourseListed } from '../../contract/courses.ts';
import { Histogram } from '../charts/histogram.tsx';
import { MarkedText } from '../ui/marked-text.tsx';

interface CourseCardProps {
  course: CourseListed;
  /** What was searched for, to be marked. */
  terms: readonly string[];
}

/** One course of the grid; the link on its name covers the card. */
export const CourseCard = memo(function CourseCard({ course, terms }: CourseCardProps) {
  return (
    <article className="card-link course-card">
      <div className="min-w-0">
        <p className="flex justify-between gap-3 font-medium text-caption text-fg-3">
          <b className="wrap-anywhere font-[620] text-ink-text tracking-[.01em]">
            <MarkedText text={course.course_code} terms={terms} />
          </b>
          <span className="whitespace-nowrap">
            ID <MarkedText text={String(course.course_id)} terms={terms} />
          </span>
        </p>
        <h2 className="wrap-anywhere mt-0.75 line-clamp-2 min-h-5" title={course.course_name}>
          <Link to="/courses/$courseId" params={{ courseId: String(course.course_id) }}>
            <MarkedText text={course.course_name} terms={terms} />
          </Link>
        </h2>
      </div>
      <div className="course-plot">
        <Histogram label={`${course.course_name} marks`} bins={course.histogram} areaClass="h-29" />
      </div>
      <CourseFigures course={course} />
    </article>
  );
});

function CourseFigures({ course }: { course: CourseListed }) {
  const { average, std_dev, marks_count } = course;
  return (
    <p className="mt-auto flex flex-wrap gap-x-4 border-line border-t pt-2.5 text-caption text-fg-3 [&_b]:font-semibold [&_b]:text-fg">
      {average !== null && std_dev !== null && (
        <>
          <span>
            Avg <b>{average.toFixed(1)}</b>
          </span>
          <span>
            SD <b>{std_dev.toFixed(1)}</b>
          </span>
        </>
      )}
      <span>
        <b>{marks_count.toLocaleString('en')}</b> {marks_count === 1 ? 'mark' : 'marks'}
      </span>
    </p>
  );
}
