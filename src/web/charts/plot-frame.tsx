import type { KeyboardEvent, PointerEvent, ReactNode } from 'react';
import { formatCount } from '../lib/format.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { axisTicks } from './axis.ts';
import './charts.css';

interface PlotFrameProps {
  /** Text alternative of the drawing; just its name where its parts have names of their own. */
  label: string;
  /** `group` when it contains focusable elements. */
  role?: 'img' | 'group';
  /** The end of the y axis; null while the data loads. */
  top: number | null;
  xLabels: readonly string[];
  /** Height of the drawing, as a class, so that it can depend on the breakpoint. */
  areaClass: string;
  /** Positions of the vertical lines, in per cent. */
  gridAt: readonly number[];
  /** Adds fine lines at a fifth of the spacing, for tall plots. */
  isFine?: boolean;
  children: ReactNode;
  /** Positioned over the drawing: the tooltip. */
  over?: ReactNode;
  isFocusable?: boolean | undefined;
  onKeyDown?: ((event: KeyboardEvent) => void) | undefined;
  onPointerMove?: ((event: PointerEvent<SVGSVGElement>) => void) | undefined;
  onLeave?: (() => void) | undefined;
}

const QUARTERS = [0, 25, 50, 75];
const FINE = Array.from({ length: 20 }, (_, i) => i * 5).filter((at) => at % 25 !== 0);

/** Graph paper with two axes. Labels are HTML, so that they keep their size when the drawing stretches. */
export function PlotFrame(props: PlotFrameProps) {
  const { label, top, xLabels, areaClass, gridAt, isFine, children, over } = props;
  return (
    <div className="plot">
      <div className="plot-y" aria-hidden="true">
        {top === null
          ? [1, 0].map((end) => <Skeleton key={end} width={12} />)
          : axisTicks(top).map((step) => <span key={step}>{formatCount(step)}</span>)}
      </div>
      <div className="relative">
        <svg
          className={`plot-area ${areaClass}`}
          role={props.role ?? 'img'}
          aria-label={label}
          tabIndex={props.isFocusable ? 0 : undefined}
          onKeyDown={props.onKeyDown}
          onPointerMove={props.onPointerMove}
          onPointerLeave={props.onLeave}
          onBlur={props.onLeave}
        >
          {isFine && <FineGrid columns={gridAt.length - 1} />}
          {gridAt.map((at) => (
            <line key={at} className="plot-grid" x1={`${at}%`} x2={`${at}%`} y1="0" y2="100%" />
          ))}
          {QUARTERS.map((at) => (
            <line key={at} className="plot-grid" x1="0" x2="100%" y1={`${at}%`} y2={`${at}%`} />
          ))}
          {children}
          <line className="plot-axis" x1="0" x2="100%" y1="100%" y2="100%" />
        </svg>
        {over}
      </div>
      <div className="plot-x" aria-hidden="true">
        {xLabels.map((text) => (
          <span key={text}>{text}</span>
        ))}
      </div>
    </div>
  );
}

function FineGrid({ columns }: { columns: number }) {
  const step = 100 / (columns * 5);
  const fine = Array.from({ length: columns * 5 }, (_, i) => i).filter((i) => i % 5 !== 0);
  return (
    <>
      {fine.map((i) => (
        <line key={i} className="plot-grid-minor" x1={`${i * step}%`} x2={`${i * step}%`} y1="0" y2="100%" />
      ))}
      {FINE.map((at) => (
        <line key={at} className="plot-grid-minor" x1="0" x2="100%" y1={`${at}%`} y2={`${at}%`} />
      ))}
    </>
  );
}
