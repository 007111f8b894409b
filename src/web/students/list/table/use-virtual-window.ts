import {
  defaultRangeExtractor,
  type Range,
  useWindowVirtualizer,
  type VirtualItem,
} from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useState } from 'react';
import type { ListEnd } from '../model/scroll-restoration.ts';

/**
 * Rows that the page has height for at a time, called the segment. Browsers limit the height of a page, and the
 * virtualizer sums up the heights of all its rows.
 */
const SEGMENT_LENGTH = 10_000;
/** The segment moves when the visible rows come this close to its edge. */
const NEAR_EDGE = 1_500;
/** Lists up to this length are rendered whole, so that the browser's own search finds every student. */
const RENDER_ALL_UP_TO = 100;

interface VirtualWindowOptions {
  body: RefObject<HTMLTableSectionElement | null>;
  end: ListEnd;
  total: number;
  /** The first row of the segment at first; not 0 when the list is restored. */
  initialSegmentStart: number;
  /** Where the page is scrolled to at first; undefined leaves it where it is. */
  initialOffset: number | undefined;
  /** Heights measured earlier. */
  measured: VirtualItem[];
  /** The row that has the focus. It is rendered wherever it is. */
  focusedRow: number | undefined;
}

/**
 * Renders the rows near the visible ones only. A row is identified by its number from its end of the view; its index
 * is its position in the segment, from the top.
 */
export function useVirtualWindow({
  body,
  end,
  total,
  initialSegmentStart,
  initialOffset,
  measured,
  focusedRow,
}: VirtualWindowOptions) {
  const [segmentStart, setSegmentStart] = useState(initialSegmentStart);
  const segmentEnd = Math.min(total, segmentStart + SEGMENT_LENGTH);
  const count = Math.max(0, segmentEnd - segmentStart);
  const rowAtIndex = useCallback(
    (index: number) => (end === 'start' ? segmentStart + index : segmentEnd - 1 - index),
    [end, segmentStart, segmentEnd],
  );
  const indexOfRow = (row: number) => (end === 'start' ? row - segmentStart : segmentEnd - 1 - row);

  const focusedIndex = focusedRow === undefined ? -1 : indexOfRow(focusedRow);
  const rangeExtractor = useCallback(
    (range: Range) => {
      const indexes = defaultRangeExtractor(range);
      if (focusedIndex < 0 || focusedIndex >= range.count || indexes.includes(focusedIndex)) return indexes;
      return [...indexes, focusedIndex].sort((a, b) => a - b);
    },
    [focusedIndex],
  );

  const [top, setTop] = useState(0);
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => (window.innerWidth < 768 ? 62 : 44),
    getItemKey: rowAtIndex,
    rangeExtractor,
    scrollMargin: top,
    // Keeps the visible rows in place when the segment moves.
    anchorTo: 'end',
    ...(initialOffset !== undefined && { initialOffset }),
    initialMeasurementsCache: measured,
    overscan: count <= RENDER_ALL_UP_TO ? RENDER_ALL_UP_TO : 12,
  });
  const items = virtualizer.getVirtualItems();
  useLayoutEffect(() => {
    const box = body.current?.getBoundingClientRect();
    if (box && Math.abs(box.top + window.scrollY - top) >= 1) setTop(box.top + window.scrollY);
  });

  // There is no range before the first layout.
  const { range } = virtualizer;
  const visible = range ? [rowAtIndex(range.startIndex), rowAtIndex(range.endIndex)] : [segmentStart];
  const from = Math.max(0, Math.min(...visible));
  const to = Math.max(...visible) + 1;
  useEffect(() => {
    const isNearEdge =
      (to > segmentEnd - NEAR_EDGE && segmentEnd < total) ||
      (from < segmentStart + NEAR_EDGE && segmentStart > 0);
    if (range && isNearEdge) setSegmentStart(Math.max(0, Math.floor((from + to - SEGMENT_LENGTH) / 2)));
  }, [range, from, to, segmentStart, segmentEnd, total]);

  const isInSegment = (row: number) => row >= segmentStart && row < segmentEnd;
  return {
    virtualizer,
    items,
    count,
    segmentStart,
    /** Distance of the first row from the top of the page, in pixels. */
    top,
    /** The first visible row, and the row after the last. */
    from,
    to,
    firstVisibleIndex: range?.startIndex ?? 0,
    rowAtIndex,
    indexOfRow,
    /** Whether a row has left the segment, far from what is visible. */
    isOutsideSegment: (row: number | undefined) => range !== null && row !== undefined && !isInSegment(row),
    /** Moves the segment so that it contains a row. */
    moveSegmentTo: (row: number) => {
      if (!isInSegment(row)) setSegmentStart(Math.max(0, Math.floor(row - SEGMENT_LENGTH / 2)));
    },
  };
}
