import { HistogramLoading } from '../charts/histogram-stand-ins.tsx';
import { Skeleton } from '../ui/small-parts.tsx';

/** A course while it loads. */
export function CourseSkeleton() {
  return (
    <div aria-hidden="true" inert>
      <div className="mb-6 grid gap-3 pt-2">
        <Skeleton width={220} />
        <Skeleton width={160} />
      </div>
      <div className="mb-8 flex gap-12">
        <Skeleton width={60} />
        <Skeleton width={90} />
        <Skeleton width={70} />
      </div>
      <div className="grid lg:grid-cols-[minmax(0,1fr)_360px]">
        <HistogramLoading size="large" />
      </div>
    </div>
  );
}
