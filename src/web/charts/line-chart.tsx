import { PlotFrame } from './plot-frame.tsx';

interface LineChartProps {
  /** The name of the line, e.g. 'GPA over eight semesters'. */
  label: string;
  /** GPAs, 0 to 4, semester 1 first. */
  values: readonly number[];
  areaClass?: string | undefined;
}

const TOP = 4;

/** Grade point averages by semester, always on the full scale from 0 to 4. */
export function LineChart({ label, values, areaClass = 'h-26' }: LineChartProps) {
  const x = values.map((_, i) => ((i + 0.5) / values.length) * 100);
  const y = values.map((value) => 100 - (value / TOP) * 100);
  const points = x.map((at, i) => `${at},${y[i]}`).join(' ');
  const summary = values.map((value) => Number(value.toFixed(2))).join(', ');
  return (
    <PlotFrame
      label={`${label}: ${summary}`}
      top={TOP}
      xLabels={values.map((_, i) => String(i + 1))}
      areaClass={areaClass}
      gridAt={x}
    >
      <svg
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        width="100%"
        height="100%"
        overflow="visible"
        aria-hidden="true"
      >
        <polygon className="plot-under" points={`${x[0]},100 ${points} ${x.at(-1)},100`} />
        <polyline className="plot-line" vectorEffect="non-scaling-stroke" points={points} />
      </svg>
      {x.map((at, i) => (
        <circle key={at} className="plot-dot" r="4" cx={`${at}%`} cy={`${y[i]}%`} />
      ))}
    </PlotFrame>
  );
}
