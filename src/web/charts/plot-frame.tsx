import type { KeyboardEvent, PointerEvent, ReactNode } from 'react';
import { Skeleton } from '../ui/small-parts.tsx';
import { axisSteps } from './axis.ts';
import './plots.css';

interface PlotFrameProps {
  /** All that the drawing shows, in words; its name where the parts in it speak for themselves. */
  label: string;
  /** `group` where what is in it can be reached. */
  role?: 'img' | 'group';
  /** The end of the height's axis; null while it is not known. */
  top: number | null;
  xLabels: readonly string[];
  /** Height of the drawing; a class, so that it can follow the window. */
  areaClass: string;
  /** Vertical lines, in per cent. */
  gridAt: readonly number[];
  /** Fine lines, a fifth of the others, for tall plots. */
  isFine?: boolean;
  children: ReactNode;
  /** Over the drawing, outside of it: the tip. */
  over?: ReactNode;
  isFocusable?: boolean | undefined;
  onKeyDown?: ((event: KeyboardEvent) => void) | undefined;
  onPointerMove?: ((event: PointerEvent<SVGSVGElement>) => void) | undefined;
  onLeave?: (() => void) | undefined;
}

const QUARTERS = [0, 25, 50, 75];
const FINE = Array.from({ length: 20 }, (_, i) => i * 5).filter((at) => at % 25 !== 0);

/** Graph paper with its two axes. Text is HTML, so that it keeps its size when the drawing stretches. */
export function PlotFrame(props: PlotFrameProps) {
  const { label, top, xLabels, areaClass, gridAt, isFine, children, over } = props;
  return (
    <div className="plot">
      <div className="plot-y" aria-hidden="true">
        {top === null
          ? [1, 0].map((end) => <Skeleton key={end} width={12} />)
          : axisSteps(top).map((step) => <span key={step}>{step.toLocaleString('en')}</span>)}
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
