import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { binLabels } from '../../domain/statistics.ts';
import { formatStudentCount } from '../lib/format.ts';
import { axisMax, type BinCount, toPercent, totalCount } from './axis.ts';
import { BucketTable } from './bucket-table.tsx';
import { HistogramEmpty, HistogramSkeleton } from './histogram-placeholders.tsx';
import { MeanMarker } from './mean-marker.tsx';
import { PlotFrame } from './plot-frame.tsx';
import { PlotTooltip } from './plot-tooltip.tsx';

interface HistogramProps {
  /** The name of the values, e.g. 'Operating Systems marks'. */
  label: string;
  bins: readonly BinCount[];
  mean?: number | null | undefined;
  sd?: number | null | undefined;
  size?: 'small' | 'large';
  /** Whether the data is still loading. */
  isLoading?: boolean | undefined;
  /** Also offers the data as a table below. */
  table?: boolean;
  /** A fixed end of the y axis, for charts whose data changes. */
  top?: number | undefined;
  /** Overrides the height given by the size. */
  areaClass?: string | undefined;
}

/** Marks per bucket. Without data: a dashed frame that says so instead of an empty chart. */
export function Histogram({
  label,
  bins,
  mean,
  sd,
  size = 'small',
  isLoading,
  table,
  top,
  areaClass,
}: HistogramProps) {
  const [active, setActive] = useState<number | null>(null);
  if (isLoading) return <HistogramSkeleton size={size} />;
  if (bins.length === 0) return <HistogramEmpty size={size} />;

  const isLarge = size === 'large';
  const end = top ?? axisMax(Math.max(...bins.map((bin) => bin.count)));
  const labels = binLabels(bins.map(({ bin }) => bin));
  const width = 100 / bins.length;
  const hasMean = isLarge && typeof mean === 'number' && typeof sd === 'number';
  const summary = bins.map(({ count }, i) => `${labels[i]} ${Math.round(count)}`).join(', ');

  const pointAt = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const index = Math.floor(((event.clientX - box.left) / box.width) * bins.length);
    setActive(Math.min(Math.max(index, 0), bins.length - 1));
  };
  const move = (event: KeyboardEvent) => {
    const next = targetIndex(event.key, active, bins.length);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    setActive(next);
  };

  return (
    <div>
      <div className={hasMean ? 'pt-10' : undefined}>
        <PlotFrame
          label={`${label} histogram: ${summary}`}
          top={end}
          xLabels={labels}
          areaClass={areaClass ?? (isLarge ? 'h-80 print:h-52' : 'h-26')}
          gridAt={[...bins.keys(), bins.length].map((i) => i * width)}
          isFine={isLarge}
          isFocusable={isLarge}
          onKeyDown={isLarge ? move : undefined}
          onPointerMove={pointAt}
          onLeave={() => setActive(null)}
          over={active !== null && <HistogramTooltip bins={bins} index={active} isLive={isLarge} />}
        >
          {bins.map(({ bin, count }, i) => (
            <Bar
              key={bin}
              index={i}
              width={width}
              share={count / end}
              isLarge={isLarge}
              isOn={i === active}
            />
          ))}
          {hasMean && <MeanMarker mean={mean} sd={sd} />}
        </PlotFrame>
      </div>
      {table && (
        <details className="mt-3">
          <summary className="min-h-6 cursor-pointer text-fg-3 text-label">Show as a table</summary>
          <div className="mt-2">
            <BucketTable bins={bins} caption={label} />
          </div>
        </details>
      )}
    </div>
  );
}

interface BarProps {
  index: number;
  width: number;
  share: number;
  isLarge: boolean;
  isOn: boolean;
}

/** Small plots have bars of 14 px; in large ones bars fill their bucket less 6 px. */
function Bar({ index, width, share: part, isLarge, isOn }: BarProps) {
  const height = `${part * 100}%`;
  const y = `${100 - part * 100}%`;
  const on = isOn ? '' : undefined;
  if (!isLarge) {
    const x = `${(index + 0.5) * width}%`;
    return (
      <rect
        className="plot-bar"
        data-on={on}
        x={x}
        y={y}
        width="14"
        height={height}
        transform="translate(-7 0)"
      />
    );
  }
  return (
    <rect
      className="plot-bar-open"
      data-on={on}
      x={`${index * width}%`}
      y={y}
      height={height}
      style={{ width: `calc(${width}% - 6px)` }}
      transform="translate(3 0)"
    />
  );
}

/** The bar that a key moves to; null for none, undefined when the chart ignores the key. */
function targetIndex(key: string, from: number | null, count: number): number | null | undefined {
  if (key === 'ArrowRight') return Math.min((from ?? -1) + 1, count - 1);
  if (key === 'ArrowLeft') return Math.max((from ?? count) - 1, 0);
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  return key === 'Escape' && from !== null ? null : undefined;
}

interface HistogramTooltipProps {
  bins: readonly BinCount[];
  index: number;
  /** Announced by screen readers, for bars reached by the arrow keys. */
  isLive: boolean;
}

/** The tooltip of one bar of a histogram. */
function HistogramTooltip({ bins, index, isLive }: HistogramTooltipProps) {
  const count = Math.round(bins[index]?.count ?? 0);
  return (
    <PlotTooltip
      at={((index + 0.5) / bins.length) * 100}
      title={binLabels(bins.map(({ bin }) => bin))[index] ?? ''}
      text={`${formatStudentCount(count)}, ${toPercent(count, totalCount(bins))}%`}
      isLive={isLive}
    />
  );
}
