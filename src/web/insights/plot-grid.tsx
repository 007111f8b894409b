import type { ReactNode } from 'react';
import { HistogramLoading } from '../charts/histogram-stand-ins.tsx';
import { Skeleton } from '../ui/small-parts.tsx';
import { useInsightsAddress } from './use-insights-address.ts';

/** As many side by side as have room: tables, or plots of twenty bars that can each be pressed. */
export function PlotGrid({ children }: { children: ReactNode }) {
  const { address } = useInsightsAddress();
  const columns =
    address.view === 'tables'
      ? 'grid-cols-[repeat(auto-fill,minmax(min(100%,22rem),1fr))]'
      : 'grid-cols-[repeat(auto-fill,minmax(min(100%,33rem),1fr))]';
  return <div className={`grid gap-x-8 gap-y-8 ${columns}`}>{children}</div>;
}

interface PlotGroupProps {
  title: string;
  /** Its totals in a line. */
  sub: ReactNode;
  children: ReactNode;
}

export function PlotGroup({ title, sub, children }: PlotGroupProps) {
  return (
    <div className="grid min-w-0 content-start gap-4">
      <div>
        <h3 className="font-[620]">{title}</h3>
        <p className="text-fg-2 text-label">{sub}</p>
      </div>
      {children}
    </div>
  );
}

const DEPARTMENTS_DRAWN = [184, 262, 190, 204];

/** The plots of four departments while they load. */
export function PlotGridLoading() {
  return (
    <PlotGrid>
      {DEPARTMENTS_DRAWN.map((width) => (
        <div key={width} className="grid gap-4">
          <div className="grid gap-2">
            <Skeleton width={width} />
            <Skeleton width={280} />
          </div>
          <HistogramLoading />
        </div>
      ))}
    </PlotGrid>
  );
}
