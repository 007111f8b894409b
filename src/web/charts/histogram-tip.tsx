import { binLabels } from '../../domain/histogram.ts';
import { type Count, share, total } from './axis.ts';

interface HistogramTipProps {
  bins: readonly Count[];
  index: number;
  /** Read out, for bars that are reached by the arrow keys. */
  isLive: boolean;
}

/** The figures of one bar, above it. */
export function HistogramTip({ bins, index, isLive }: HistogramTipProps) {
  const count = Math.round(bins[index]?.count ?? 0);
  const at = ((index + 0.5) / bins.length) * 100;
  return (
    <div
      role={isLive ? 'status' : undefined}
      aria-hidden={!isLive}
      className="pointer-events-none absolute bottom-full z-1 mb-1 grid -translate-x-1/2 gap-px whitespace-nowrap rounded-control bg-fg px-2.5 py-1.75 text-caption text-paper shadow-2"
      style={{ left: `clamp(3.5rem, ${at}%, calc(100% - 3.5rem))` }}
    >
      <b className="font-[620]">{binLabels(bins.map(({ bin }) => bin))[index]}</b>
      <span>
        {count} {count === 1 ? 'student' : 'students'}, {share(count, total(bins))}%
      </span>
    </div>
  );
}
