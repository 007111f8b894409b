import type { ReactNode } from 'react';
import type { Course, Histogram } from '../../contract/courses.ts';
import { binLabels } from '../../domain/histogram.ts';

/** The figures of a course's marks in one line. */
export function CourseStats({ course, bins }: { course: Course; bins: Histogram }) {
  const range = filledRange(bins);
  return (
    <dl className="mb-7 grid grid-cols-2 gap-y-3.5 md:flex md:flex-wrap">
      <Stat title="Average">{course.average?.toFixed(1)}</Stat>
      <Stat title="Standard deviation">{course.std_dev?.toFixed(1)}</Stat>
      <Stat title="Marks counted">{course.marks_count.toLocaleString('en')}</Stat>
      {range && (
        <Stat title="Range of marks">
          {range.from}
          {range.to !== range.from && (
            <>
              {' '}
              <small className="font-[450] text-fg-3 text-label tracking-normal">to</small> {range.to}
            </>
          )}
        </Stat>
      )}
    </dl>
  );
}

/** A missing figure reads '--', as everywhere. */
function Stat({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="border-line px-3.5 max-md:odd:ps-0 max-md:even:border-s md:border-s md:px-6 md:first:border-0 md:first:ps-0">
      <dt className="font-medium text-caption text-fg-3">{title}</dt>
      <dd className="font-semibold text-[1.25rem] leading-6.5 tracking-[-.015em]">
        {children ?? <span className="text-fg-3">--</span>}
      </dd>
    </div>
  );
}

/** The first and the last bucket that holds a mark. */
function filledRange(bins: Histogram): { from: string; to: string } | undefined {
  const labels = binLabels(bins.map(({ bin }) => bin));
  const from = labels[bins.findIndex(({ count }) => count > 0)];
  const to = labels[bins.findLastIndex(({ count }) => count > 0)];
  return from === undefined || to === undefined ? undefined : { from, to };
}
