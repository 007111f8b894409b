import { useQuery } from '@tanstack/react-query';
import type { Academic } from '../../../contract/students/academics.ts';
import { readSlots, type Slot } from '../../../contract/students/subject-slots.ts';
import { type GradeLetter, gradeLetter } from '../../../domain/grading/gpa.ts';
import { Histogram } from '../../charts/histogram-chart.tsx';
import { coursesQuery, histogramQuery } from '../../courses/course-queries.ts';
import { plural } from '../../lib/format.ts';
import { GradeBadge } from '../../ui/tag.tsx';

/** A subject with its grade and the marks of the whole course. Subjects side by side share grid rows, to align their charts. */
export function SubjectResult({ subject }: { subject: RecordedSubject }) {
  const details = [
    subject.courseId !== null && `ID ${subject.courseId}`,
    subject.credit !== null && plural(subject.credit, 'credit hour'),
  ].filter(Boolean);
  return (
    <article className="row-span-3 grid grid-rows-subgrid gap-y-3.5 rounded-panel border border-line bg-paper px-4 pt-3.5 pb-3">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h3 className="text-pretty wrap-anywhere font-semibold">{subject.title}</h3>
          <p className="mt-px text-caption text-fg-3">{details.join(', ') || 'Not defined yet.'}</p>
        </div>
        {subject.grade !== undefined && <GradeBadge letter={subject.grade} />}
      </div>
      <CourseMarks courseId={subject.courseId} title={subject.title} />
    </article>
  );
}

function CourseMarks({ courseId, title }: { courseId: number | null; title: string }) {
  const histogram = useQuery({ ...histogramQuery(courseId ?? 0), enabled: courseId !== null });
  const courses = useQuery(coursesQuery);
  const course = courses.data?.find(({ course_id }) => course_id === courseId);
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

/** A subject of a recorded semester. */
export interface RecordedSubject {
  slot: Slot;
  title: string;
  courseId: number | null;
  credit: number | null;
  grade: GradeLetter | undefined;
}

/** The credit hours of a semester. */
export const totalCredits = (academic: Academic) =>
  recordedSubjects(academic).reduce((total, { credit }) => total + (credit ?? 0), 0);

/** The subjects of a semester in order, without empty slots. */
export const recordedSubjects = (academic: Academic): RecordedSubject[] =>
  readSlots(academic).map(({ slot, title, id, credit, grade }) => ({
    slot,
    title,
    courseId: id,
    credit,
    grade: grade === null ? undefined : gradeLetter(grade),
  }));
