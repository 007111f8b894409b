import { type CSSProperties, useId, useLayoutEffect, useRef, useState } from 'react';
import { GRADE_LETTERS } from '../../../../domain/grading/gpa.ts';
import { BOUNDARY_LETTERS } from '../../../../domain/grading/policy-text.ts';
import { axisMax } from '../../../charts/axis.ts';
import { MeanMarker } from '../../../charts/mean-marker.tsx';
import { PlotFrame } from '../../../charts/plot-frame.tsx';
import { formatStudentCount } from '../../../lib/format.ts';
import { type Column, Table, TableContainer } from '../../../ui/table.tsx';
import type { SchemeEditor } from '../scheme/use-scheme.ts';
import { binTotals, handleRows, plotRange, type TotalBin } from './bins.ts';
import { BoundaryHandle } from './boundary-handle.tsx';
import '../grading.css';

/** The width of a handle with the gap beside it, in pixels. */
const HANDLE_ROOM = 56;
/** Between the rows of handles, in pixels. */
const ROW_HEIGHT = 32;

/** The letters stand between the plot and the mean. */
const LETTERS_HEIGHT = 26;

interface TotalsPlotProps {
  editor: SchemeEditor;
  /** Marks per bar. */
  barWidth: number;
  isReadOnly: boolean;
  /** The boundary that was used last. */
  active: number | null;
  onActivate: (index: number | null) => void;
}

/** The totals in bars, cut by the boundaries, which are moved by their handles below. */
export function TotalsPlot({ editor, barWidth, isReadOnly, active, onActivate }: TotalsPlotProps) {
  const { totals, scheme, stored, statistics } = editor;
  const { boundaries } = scheme;
  const hatch = useId();
  const [frame, width] = useWidth();
  const [isDragging, setIsDragging] = useState(false);
  const range = useStill(
    plotRange(totals, [...(boundaries ?? []), ...(stored.boundaries ?? [])]),
    isDragging,
  );
  const [from, to] = range;
  const bins = binTotals(totals, barWidth);
  const top = axisMax(Math.max(1, ...bins.map(({ count }) => count)));
  /** Where a mark is, in per cent; boundaries beyond the plot stand at its edge. */
  const place = (mark: number) => Math.min(Math.max(((mark - from) / (to - from)) * 100, 0), 100);
  const places = boundaries?.map(place) ?? [];
  const rows = handleRows(
    places.map((at) => (at / 100) * width),
    HANDLE_ROOM,
  );
  const marks = Array.from({ length: (to - from) / 5 + 1 }, (_, i) => from + i * 5);
  const handlesHeight = boundaries === null ? 0 : (Math.max(...rows) + 1) * ROW_HEIGHT + 4;

  return (
    <div
      className="grading-plot"
      style={{ '--handles-height': `${handlesHeight}px` } as CSSProperties}
      ref={frame}
    >
      <PlotFrame
        label={`Totals histogram: ${summaryText(bins, barWidth)}`}
        top={top}
        xLabels={[]}
        areaClass="h-56 md:h-72 print:h-52"
        gridAt={marks.map(place)}
        isFine
        over={
          <>
            <ZoneLetters places={places} width={width} active={active} />
            <div className="grading-handles" style={{ height: handlesHeight }}>
              {boundaries?.map((boundary, i) => (
                <BoundaryHandle
                  key={BOUNDARY_LETTERS[i]}
                  editor={editor}
                  boundaries={boundaries}
                  index={i}
                  place={places[i] ?? 0}
                  top={(rows[i] ?? 0) * ROW_HEIGHT}
                  marksPerPixel={(to - from) / Math.max(width, 1)}
                  boundary={boundary}
                  isReadOnly={isReadOnly}
                  isActive={i === active}
                  onActivate={() => onActivate(i)}
                  onDrag={setIsDragging}
                />
              ))}
            </div>
            <div className="grading-axis" aria-hidden="true">
              {marks
                .filter((mark) => mark % 10 === 0)
                .map((mark) => (
                  <span key={mark} style={{ insetInlineStart: `${place(mark)}%` }}>
                    {mark}
                  </span>
                ))}
            </div>
          </>
        }
      >
        <defs>
          <pattern
            id={hatch}
            width="7"
            height="7"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <line className="grading-hatch" x1="0" y1="0" x2="0" y2="7" />
          </pattern>
        </defs>
        <Zones places={places} active={active} hatch={hatch} />
        {bins.map(({ from: edge, count }) =>
          count === 0 ? null : (
            <rect
              key={edge}
              className="grading-bar"
              x={`${place(edge)}%`}
              width={`${place(edge + barWidth) - place(edge)}%`}
              y={`${100 - (count / top) * 100}%`}
              height={`${(count / top) * 100}%`}
            />
          ),
        )}
        {statistics.mean !== null && statistics.std_dev !== null && (
          <MeanMarker
            mean={statistics.mean}
            sd={statistics.std_dev}
            range={range}
            decimals={2}
            lift={LETTERS_HEIGHT}
          />
        )}
        {stored.boundaries?.map((boundary, i) =>
          boundary === boundaries?.[i] ? null : (
            <line
              key={BOUNDARY_LETTERS[i]}
              className="grading-stored"
              x1={`${place(boundary)}%`}
              x2={`${place(boundary)}%`}
              y1="0"
              y2="100%"
            />
          ),
        )}
        {places.map((at, i) => (
          <line
            key={BOUNDARY_LETTERS[i]}
            className="grading-boundary"
            data-on={i === active ? '' : undefined}
            x1={`${at}%`}
            x2={`${at}%`}
            y1="-8"
            y2="100%"
          />
        ))}
      </PlotFrame>
    </div>
  );
}

/** The width of the drawing itself, in pixels. */
function useWidth() {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(640);
  useLayoutEffect(() => {
    const area = frame.current?.querySelector('.plot-area');
    if (!area) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(entry.contentRect.width);
    });
    observer.observe(area);
    return () => observer.disconnect();
  }, []);
  return [frame, width] as const;
}

/** The axis stands still while a handle is dragged. */
function useStill<Value>(value: Value, isStill: boolean): Value {
  const [last, setLast] = useState(value);
  if (!isStill && String(last) !== String(value)) setLast(value);
  return isStill ? last : value;
}

function summaryText(bins: readonly TotalBin[], barWidth: number): string {
  const filled = bins.filter(({ count }) => count > 0);
  return filled.length === 0
    ? 'no totals'
    : filled.map(({ from, count }) => `${from}-${from + barWidth} ${count}`).join(', ');
}

/** From where to where each letter reaches, in per cent, A first. */
const zones = (places: readonly number[]) =>
  places.length === 0
    ? []
    : GRADE_LETTERS.map((letter, i) => ({ letter, from: places[i] ?? 0, to: places[i - 1] ?? 100 }));

function ZoneLetters({
  places,
  width,
  active,
}: {
  places: readonly number[];
  width: number;
  active: number | null;
}) {
  return (
    <div className="grading-letters" aria-hidden="true">
      {zones(places).map(({ letter, from, to }, i) => {
        const room = ((to - from) / 100) * width;
        // A letter wider than its zone would stand on the next one.
        return room < 12 ? null : (
          <span
            key={letter}
            data-on={i === active ? '' : undefined}
            data-tight={room < 22 ? '' : undefined}
            style={{ insetInlineStart: `${from}%`, width: `${to - from}%` }}
          >
            {letter}
          </span>
        );
      })}
    </div>
  );
}

function Zones({
  places,
  active,
  hatch,
}: {
  places: readonly number[];
  active: number | null;
  hatch: string;
}) {
  return zones(places).map(({ letter, from, to }, i) => {
    const isActive = i === active;
    // Every other zone is tinted, so that neighbours differ.
    return !isActive && i % 2 === 1 ? null : (
      <rect
        key={letter}
        className="grading-zone"
        x={`${from}%`}
        width={`${to - from}%`}
        y="0"
        height="100%"
        style={isActive ? { fill: `url(#${CSS.escape(hatch)})` } : undefined}
      />
    );
  });
}

interface TotalsTableProps {
  totals: readonly number[];
  barWidth: number;
}

/** The bars as a table. */
export function TotalsTable({ totals, barWidth }: TotalsTableProps) {
  const columns: readonly Column<TotalBin>[] = [
    { head: 'Total', className: 'strong', cell: ({ from }) => rangeText(from, barWidth) },
    { head: 'Students', isNumber: true, cell: ({ count }) => formatStudentCount(count) },
  ];
  const bins = binTotals(totals, barWidth).filter(({ count }) => count > 0);
  return (
    <details className="mt-3">
      <summary className="min-h-6 cursor-pointer text-fg-3 text-label">Show the totals as a table</summary>
      <TableContainer className="mt-2 max-w-90">
        <Table
          label="Totals"
          columns={columns}
          rows={bins.toReversed()}
          rowKey={({ from }) => from}
          isCompact
        />
      </TableContainer>
    </details>
  );
}

/** The bar below 100 holds totals of 100 too. */
const rangeText = (from: number, width: number) =>
  from + width === 100 ? `${from} to 100` : `${from} to below ${from + width}`;
