import type { ReactNode } from 'react';
import { formatCount } from '../lib/format.ts';
import { Skeleton } from '../ui/skeleton.tsx';

interface SectionProps {
  title: string;
  /** How many there are. */
  count?: number;
  /** Something has been waiting for too long. */
  isLate?: boolean;
  /** The link to all of them. */
  all?: ReactNode;
  children: ReactNode;
}

export function Section({ title, count, isLate = false, all, children }: SectionProps) {
  return (
    <section aria-label={title}>
      <div className="flex items-baseline justify-between gap-4 border-line border-b pb-2">
        <h2>
          {title}
          {count !== undefined && (
            <span className={`ms-2 ${isLate ? 'text-warn' : 'text-fg-2'}`}>{formatCount(count)}</span>
          )}
        </h2>
        {all}
      </div>
      {children}
    </section>
  );
}

export function SkeletonRows() {
  return (
    <div aria-hidden="true" className="grid gap-3 py-3">
      <Skeleton width={280} />
      <Skeleton width={240} />
      <Skeleton width={260} />
    </div>
  );
}
