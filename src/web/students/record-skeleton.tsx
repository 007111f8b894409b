import { Skeleton } from '../ui/small-parts.tsx';

const FACT_WIDTHS = [52, 104, 48, 168, 96, 120, 200, 24, 16];

/** A record while it loads: bars where its name and details will stand. */
export function RecordSkeleton() {
  return (
    <div aria-hidden="true">
      <div className="mb-7 flex gap-5">
        <div className="aspect-35/45 w-17 rounded-control bg-press xs:w-21" />
        <div className="grid content-start gap-3 pt-2">
          <Skeleton width={220} />
          <Skeleton width={260} />
        </div>
      </div>
      <div className="grid max-w-3xl grid-cols-2 gap-x-6 gap-y-6 xs:grid-cols-3">
        {FACT_WIDTHS.map((width) => (
          <Skeleton key={width} width={width} />
        ))}
      </div>
    </div>
  );
}
