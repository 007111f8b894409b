import { useQuery } from '@tanstack/react-query';
import { coursesQuery } from '../academics/use-courses.ts';
import { histogramQuery } from '../academics/use-histogram.ts';
import { Histogram } from '../charts/histogram.tsx';
import { GradeBox } from '../ui/small-parts.tsx';
import type { RecordedSubject } from './subjects-of.ts';

/** A subject with its grade and the marks of the whole course. Neighbours share their rows, so that charts align. */
export function SubjectResult({ subject }: { subject: RecordedSubject }) {
  const details = [
    subject.courseId !== null && `ID ${subject.courseId}`,
    subject.credit !== null && `${subject.credit} credit ${subject.credit === 1 ? 'hour' : 'hours'}`,
  ].filter(Boolean);
  return (
    <article className="row-span-3 grid grid-rows-subgrid gap-y-3.5 rounded-panel border border-line bg-paper px-4 pt-3.5 pb-3">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h3 className="text-pretty wrap-anywhere font-semibold">{subject.title}</h3>
          <p className="mt-px text-caption text-fg-3">{details.join(', ') || 'Not defined yet.'}</p>
        </div>
        {subject.grade !== undefined && <GradeBox letter={subject.grade} />}
      </div>
      <CourseMarks courseId={subject.courseId} title={subject.title} />
    </article>
  );
}

function CourseMarks({ courseId, title }: { courseId: number | null; title: string }) {
  const histogram = useQuery({ ...histogramQuery(courseId ?? 0), enabled: courseId !== null });
  const courses = useQuery(coursesQuery);
  const course = courses.data?.find((candidate) => candidate.course_id === courseId);
  const hasStatistics = course !== undefined && course.marks_count > 0;
  return (
    <>
      <div className={hasStatistics ? undefined : 'row-span-2 grid'}>
        <Histogram bins={histogram.data ?? []} label={`${title} marks`} isLoading={histogram.isLoading} />
      </div>
      {hasStatistics && (
        <p className="flex gap-4 self-end border-line border-t pt-2.5 text-caption text-fg-3 [&_b]:font-semibold [&_b]:text-fg">
          <span>
            Avg <b>{course.average?.toFixed(1)}</b>
          </span>
          <span>
            SD <b>{course.std_dev?.toFixed(1)}</b>
          </span>
          <span>
            <b>{course.marks_count}</b> marks
          </span>
        </p>
      )}
    </>
  );
}
