import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, useState } from 'react';
import { PlotFrame } from '../charts/plot-frame.tsx';
import { PlotTooltip } from '../charts/plot-tooltip.tsx';
import { formatPercent, formatStudentCount } from '../lib/format.ts';
import type { ListFilters } from '../students/list/model/search-params.ts';

export interface Bar {
  /** The label under the bar. */
  label: string;
  /** The full name of what the bar counts. */
  title: string;
  count: number;
  /** The total that it is a part of. */
  of: number;
  /** The filters that list the counted students. */
  filters: ListFilters;
}

interface BarChartProps {
  /** The accessible name. */
  label: string;
  bars: readonly Bar[];
  /** End of the y axis, the same for plots to compare. */
  top: number;
}

/** Bars that link to the students they count: one tab stop, arrow keys move from bar to bar. */
export function BarChart({ label, bars, top }: BarChartProps) {
  const [active, setActive] = useState<number | null>(null);
  const [stop, setStop] = useState(0);
  const filled = bars.flatMap(({ count }, i) => (count > 0 ? i : []));
  const tabStop = filled.includes(stop) ? stop : filled[0];
  const width = 100 / bars.length;
  const shown = active === null ? undefined : bars[active];
  const figures = ({ count, of }: Bar) => `${formatStudentCount(count)}, ${formatPercent(count, of)}`;
  return (
    <PlotFrame
      role="group"
      label={label}
      top={top}
      xLabels={bars.map((bar) => bar.label)}
      areaClass="h-40"
      gridAt={[...bars.keys(), bars.length].map((i) => i * width)}
      onKeyDown={moveFocus}
      onLeave={() => setActive(null)}
      over={
        active !== null &&
        shown && <PlotTooltip at={(active + 0.5) * width} title={shown.title} text={figures(shown)} />
      }
    >
      {filled.map((i) => {
        const bar = bars[i];
        if (bar === undefined) return null;
        const height = (bar.count / top) * 100;
        const x = `${i * width}%`;
        return (
          <Link
            key={bar.label}
            to="/students"
            search={bar.filters}
            className="plot-link"
            aria-label={`${bar.title}: ${figures(bar)}`}
            tabIndex={i === tabStop ? 0 : -1}
            onFocus={() => {
              setActive(i);
              setStop(i);
            }}
            onPointerEnter={() => setActive(i)}
          >
            <rect className="plot-column" x={x} y="0" width={`${width}%`} height="100%" />
            <rect
              className="plot-bar-open"
              x={x}
              y={`${100 - height}%`}
              height={`${height}%`}
              style={{ width: `calc(${width}% - 6px)` }}
              transform="translate(3 0)"
            />
          </Link>
        );
      })}
    </PlotFrame>
  );
}

const STEPS = new Map([
  ['ArrowRight', 1],
  ['ArrowLeft', -1],
  ['Home', Number.NEGATIVE_INFINITY],
  ['End', Number.POSITIVE_INFINITY],
]);

function moveFocus(event: KeyboardEvent): void {
  const step = STEPS.get(event.key);
  if (step === undefined) return;
  const links = [...event.currentTarget.querySelectorAll<SVGAElement>('a')];
  const from = links.findIndex((link) => link.matches(':focus'));
  if (from === -1) return;
  event.preventDefault();
  links[Math.min(Math.max(from + step, 0), links.length - 1)]?.focus();
}
