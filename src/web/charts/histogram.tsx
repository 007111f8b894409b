import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { binLabels } from '../../domain/histogram.ts';
import { axisTop, type Count } from './axis.ts';
import { BucketTable } from './bucket-table.tsx';
import { HistogramLoading, HistogramMissing } from './histogram-stand-ins.tsx';
import { HistogramTip } from './histogram-tip.tsx';
import { Measures } from './measures.tsx';
import { PlotFrame } from './plot-frame.tsx';

interface HistogramProps {
  /** What is counted, e.g. 'Operating Systems marks'. */
  label: string;
  bins: readonly Count[];
  mean?: number | null | undefined;
  sd?: number | null | undefined;
  size?: 'small' | 'large';
  /** The figures are on their way. */
  isLoading?: boolean | undefined;
  /** Offers the same figures as a table below. */
  table?: boolean;
  /** A fixed end of the axis, for charts that change their data. */
  top?: number | undefined;
  /** Another height than that of the size. */
  areaClass?: string | undefined;
}

/** Marks per bucket. Without any data: a dashed frame that says so, never an empty chart. */
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
  if (isLoading) return <HistogramLoading size={size} />;
  if (bins.length === 0) return <HistogramMissing size={size} />;

  const isLarge = size === 'large';
  const end = top ?? axisTop(Math.max(...bins.map((bin) => bin.count)));
  const labels = binLabels(bins.map(({ bin }) => bin));
  const width = 100 / bins.length;
  const hasMeasures = isLarge && typeof mean === 'number' && typeof sd === 'number';
  const words = bins.map(({ count }, i) => `${labels[i]} ${Math.round(count)}`).join(', ');

  const pointAt = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const index = Math.floor(((event.clientX - box.left) / box.width) * bins.length);
    setActive(Math.min(Math.max(index, 0), bins.length - 1));
  };
  const move = (event: KeyboardEvent) => {
    const next = nextBar(event.key, active, bins.length);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    setActive(next);
  };

  return (
    <div>
      <div className={hasMeasures ? 'pt-10' : undefined}>
        <PlotFrame
          label={`${label} histogram: ${words}`}
          top={end}
          xLabels={labels}
          areaClass={areaClass ?? (isLarge ? 'h-80' : 'h-26')}
          gridAt={[...bins.keys(), bins.length].map((i) => i * width)}
          isFine={isLarge}
          isFocusable={isLarge}
          onKeyDown={isLarge ? move : undefined}
          onPointerMove={pointAt}
          onLeave={() => setActive(null)}
          over={active !== null && <HistogramTip bins={bins} index={active} isLive={isLarge} />}
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
          {hasMeasures && <Measures mean={mean} sd={sd} />}
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

/** Small plots have solid bars of 13 px; large ones fill their bucket but for 6 px. */
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

/** Which bar a key leads to; null for none, undefined when the key is not for the chart. */
function nextBar(key: string, from: number | null, count: number): number | null | undefined {
  if (key === 'ArrowRight') return Math.min((from ?? -1) + 1, count - 1);
  if (key === 'ArrowLeft') return Math.max((from ?? count) - 1, 0);
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  return key === 'Escape' && from !== null ? null : undefined;
}
