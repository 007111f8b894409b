import type { ReactNode } from 'react';
import type { Histogram as Bins, Course } from '../../contract/courses.ts';
import { BucketTable } from '../charts/bucket-table.tsx';
import { Histogram } from '../charts/histogram.tsx';

interface CourseMarksProps {
  course: Course;
  bins: Bins;
  isLoading: boolean;
  /** Below the histogram, beside the table. */
  children: ReactNode;
}

/** The marks as a drawing and as a table. */
export function CourseMarks({ course, bins, isLoading, children }: CourseMarksProps) {
  const hasMarks = bins.length > 0;
  return (
    <div
      className={`grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-8 ${hasMarks || isLoading ? 'lg:grid-cols-[minmax(0,1fr)_320px]' : ''}`}
    >
      <section>
        <h2 className="pb-3">Marks histogram</h2>
        <Histogram
          size="large"
          label={`${course.course_name} marks`}
          bins={bins}
          mean={course.average}
          sd={course.std_dev}
          isLoading={isLoading}
        />
        {hasMarks && <p className="mt-1.5 ps-6 text-center text-caption text-fg-3">Marks out of 100</p>}
      </section>
      {hasMarks && (
        <section className="max-lg:order-last lg:row-span-2">
          <h2 className="pb-3">Buckets</h2>
          <BucketTable bins={bins} caption="Marks per bucket" />
        </section>
      )}
      {children}
    </div>
  );
}
