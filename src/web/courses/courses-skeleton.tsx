import { HistogramLoading } from '../charts/histogram-stand-ins.tsx';
import { Skeleton } from '../ui/small-parts.tsx';

/** Widths of names as they usually are. */
const NAME_WIDTHS = [126, 118, 152, 246, 168, 210, 134, 158, 122];

/** The grid while it loads: same cards, bars instead of texts. */
export function CoursesSkeleton() {
  return (
    <div className="course-grid" aria-hidden="true" inert>
      {NAME_WIDTHS.map((width) => (
        <div key={width} className="card-link course-card">
          <div className="grid gap-2">
            <Skeleton width={48} />
            <Skeleton width={width} />
          </div>
          <HistogramLoading />
          <div className="border-line border-t pt-2.5">
            <Skeleton width={172} />
          </div>
        </div>
      ))}
    </div>
  );
}
