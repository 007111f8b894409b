import { PlotFrame } from './plot-frame.tsx';

const HEIGHTS = [12, 18, 28, 40, 58, 76, 64, 46, 28, 14];
const EDGES = Array.from({ length: 11 }, (_, i) => i * 10);

/** Grey bars while a histogram loads. */
export function HistogramSkeleton({ size = 'small' }: { size?: 'small' | 'large' }) {
  return (
    <PlotFrame
      label="Loading histogram"
      top={null}
      xLabels={[]}
      areaClass={size === 'large' ? 'h-80' : 'h-26'}
      gridAt={EDGES}
    >
      {HEIGHTS.map((height, i) => (
        <rect
          key={EDGES[i]}
          x={`${i * 10 + 5}%`}
          y={`${100 - height}%`}
          width="14"
          height={`${height}%`}
          transform="translate(-7 0)"
          className="fill-press"
        />
      ))}
    </PlotFrame>
  );
}

/** A dashed frame for a course without marks, or whose marks could not be loaded. */
export function HistogramEmpty({ size = 'small' }: { size?: 'small' | 'large' }) {
  return (
    <div
      className={`grid place-items-center rounded-control border border-line-2 border-dashed text-fg-3 text-label ${size === 'large' ? 'min-h-80' : 'min-h-26'}`}
    >
      Course data not available.
    </div>
  );
}
