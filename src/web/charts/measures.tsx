interface MeasuresProps {
  /** 0 to 100. */
  mean: number;
  /** Standard deviation. */
  sd: number;
}

const within = (mark: number) => Math.min(Math.max(mark, 0), 100);

/** The mean as a dashed line and the deviation as a dimension line above the plot, as a drawing carries them. */
export function Measures({ mean, sd }: MeasuresProps) {
  const from = `${within(mean - sd)}%`;
  const to = `${within(mean + sd)}%`;
  const middle = `${within(mean)}%`;
  // Near an edge the words would leave the plot.
  const anchor = mean < 15 ? 'start' : mean > 85 ? 'end' : 'middle';
  return (
    <g>
      {[from, to].map((at, side) => (
        <line key={side === 0 ? 'from' : 'to'} className="measure-extent" x1={at} x2={at} y1="0" y2="100%" />
      ))}
      <line className="measure-mean" x1={middle} x2={middle} y1="-14" y2="100%" />
      <line className="measure-size" x1={from} x2={from} y1="-20" y2="-6" />
      <line className="measure-size" x1={to} x2={to} y1="-20" y2="-6" />
      <line className="measure-size" x1={from} x2={to} y1="-13" y2="-13" />
      <svg x={from} y="-13" overflow="visible" aria-hidden="true">
        <path className="measure-arrow" d="M0 0l8-3.5v7z" />
      </svg>
      <svg x={to} y="-13" overflow="visible" aria-hidden="true">
        <path className="measure-arrow" d="M0 0l-8-3.5v7z" />
      </svg>
      <text className="measure-text" x={middle} y="-24" textAnchor={anchor}>
        Mean {mean.toFixed(1)}, SD {sd.toFixed(1)}
      </text>
    </g>
  );
}
