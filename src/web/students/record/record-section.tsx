import { type ReactNode, useId } from 'react';
import { Skeleton } from '../../ui/skeleton.tsx';

export function RecordSection({ title, children }: { title: string; children: ReactNode }) {
  const heading = useId();
  return (
    <section aria-labelledby={heading} className="min-w-0">
      <h2 id={heading} className="pb-3">
        {title}
      </h2>
      {children}
    </section>
  );
}

const FACT_WIDTHS = [52, 104, 48, 168, 96, 120, 200, 24, 16];

/** A record while it loads: bars in place of its name and details. */
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
