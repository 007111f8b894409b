import type { ReactNode } from 'react';
import { HistogramSkeleton } from '../charts/histogram-placeholders.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useInsightsSearchParams } from './search-params.ts';

/** A grid with columns wide enough for tables, or for plots of twenty bars that can each be clicked. */
export function PlotGrid({ children }: { children: ReactNode }) {
  const { address } = useInsightsSearchParams();
  const columns =
    address.view === 'tables'
      ? 'grid-cols-[repeat(auto-fill,minmax(min(100%,22rem),1fr))]'
      : 'grid-cols-[repeat(auto-fill,minmax(min(100%,33rem),1fr))]';
  return <div className={`grid gap-x-8 gap-y-8 ${columns}`}>{children}</div>;
}

interface PlotGroupProps {
  title: string;
  /** The totals, in one line. */
  sub: ReactNode;
  children: ReactNode;
}

export function PlotGroup({ title, sub, children }: PlotGroupProps) {
  return (
    <div className="unbroken grid min-w-0 content-start gap-4">
      <div>
        <h3 className="font-[620]">{title}</h3>
        <p className="text-fg-2 text-label">{sub}</p>
      </div>
      {children}
    </div>
  );
}

const SKELETON_WIDTHS = [184, 262, 190, 204];

/** Placeholder for the plots of four departments. */
export function PlotGridSkeleton() {
  return (
    <PlotGrid>
      {SKELETON_WIDTHS.map((width) => (
        <div key={width} className="grid gap-4">
          <div className="grid gap-2">
            <Skeleton width={width} />
            <Skeleton width={280} />
          </div>
          <HistogramSkeleton />
        </div>
      ))}
    </PlotGrid>
  );
}
