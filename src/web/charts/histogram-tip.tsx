import { binLabels } from '../../domain/histogram.ts';
import { type Count, share, total } from './axis.ts';
import { PlotTip } from './plot-tip.tsx';

interface HistogramTipProps {
  bins: readonly Count[];
  index: number;
  /** Read out, for bars that are reached by the arrow keys. */
  isLive: boolean;
}

/** The figures of one bar of a histogram. */
export function HistogramTip({ bins, index, isLive }: HistogramTipProps) {
  const count = Math.round(bins[index]?.count ?? 0);
  return (
    <PlotTip
      at={((index + 0.5) / bins.length) * 100}
      title={binLabels(bins.map(({ bin }) => bin))[index] ?? ''}
      text={`${count} ${count === 1 ? 'student' : 'students'}, ${share(count, total(bins))}%`}
      isLive={isLive}
    />
  );
}
