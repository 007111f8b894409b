interface MeanMarkerProps {
  /** 0 to 100. */
  mean: number;
  /** Standard deviation. */
  sd: number;
  /** The marks at the two ends of the plot. */
  range?: readonly [from: number, to: number];
  decimals?: number;
  /** Room between the plot and the dimension line, in pixels. */
  lift?: number;
}

/** The mean as a dashed line, the deviation as a dimension line above the plot. */
export function MeanMarker({
  mean,
  sd,
  range: [first, last] = [0, 100],
  decimals = 1,
  lift = 0,
}: MeanMarkerProps) {
  const above = (distance: number) => -lift - distance;
  const place = (mark: number) => Math.min(Math.max(((mark - first) / (last - first)) * 100, 0), 100);
  const from = `${place(mean - sd)}%`;
  const to = `${place(mean + sd)}%`;
  const middle = `${place(mean)}%`;
  // Near an edge the label would leave the plot.
  const anchor = place(mean) < 15 ? 'start' : place(mean) > 85 ? 'end' : 'middle';
  return (
    <g>
      {[from, to].map((at, side) => (
        <line key={side === 0 ? 'from' : 'to'} className="measure-extent" x1={at} x2={at} y1="0" y2="100%" />
      ))}
      <line className="measure-mean" x1={middle} x2={middle} y1={above(14)} y2="100%" />
      <line className="measure-size" x1={from} x2={from} y1={above(20)} y2={above(6)} />
      <line className="measure-size" x1={to} x2={to} y1={above(20)} y2={above(6)} />
      <line className="measure-size" x1={from} x2={to} y1={above(13)} y2={above(13)} />
      <svg x={from} y={above(13)} overflow="visible" aria-hidden="true">
        <path className="measure-arrow" d="M0 0l8-3.5v7z" />
      </svg>
      <svg x={to} y={above(13)} overflow="visible" aria-hidden="true">
        <path className="measure-arrow" d="M0 0l-8-3.5v7z" />
      </svg>
      <text className="measure-text" x={middle} y={above(24)} textAnchor={anchor}>
        Mean {mean.toFixed(decimals)}, SD {sd.toFixed(decimals)}
      </text>
    </g>
  );
}
