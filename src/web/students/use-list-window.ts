import {
  defaultRangeExtractor,
  type Range,
  useWindowVirtualizer,
  type VirtualItem,
} from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useState } from 'react';

/** Rows that the page has height for at a time: browsers limit the height of a page, and so do sums over all rows. */
const ROOM = 10_000;
/** The room is moved on when its edge comes as near as this. */
const NEAR_EDGE = 1_500;
/** Lists up to here are drawn whole, so that the browser's own search finds everybody. */
const DRAW_ALL_UP_TO = 100;

/** The end of the view that its rows are counted from; those counted from the last one are drawn upwards. */
export type ListEnd = 'start' | 'end';

interface ListWindowOptions {
  body: RefObject<HTMLTableSectionElement | null>;
  end: ListEnd;
  total: number;
  /** The first row of the room, when the list is left and come back to. */
  firstLow: number;
  /** Where the page is scrolled to at first, if not where it is. */
  firstOffset: number | undefined;
  /** Heights that are known from before. */
  measured: VirtualItem[];
  /** A row that is drawn wherever it is, since it has the focus. */
  kept: number | undefined;
}

/**
 * Draws the rows near the window only. A row is known by its number from its end of the view; its index is its place
 * in the room, from the top.
 */
export function useListWindow({
  body,
  end,
  total,
  firstLow,
  firstOffset,
  measured,
  kept,
}: ListWindowOptions) {
  const [low, setLow] = useState(firstLow);
  const high = Math.min(total, low + ROOM);
  const count = Math.max(0, high - low);
  const rowOf = useCallback(
    (index: number) => (end === 'start' ? low + index : high - 1 - index),
    [end, low, high],
  );
  const indexOf = (row: number) => (end === 'start' ? row - low : high - 1 - row);

  const keptIndex = kept === undefined ? -1 : indexOf(kept);
  const rangeExtractor = useCallback(
    (range: Range) => {
      const indexes = defaultRangeExtractor(range);
      if (keptIndex < 0 || keptIndex >= range.count || indexes.includes(keptIndex)) return indexes;
      return [...indexes, keptIndex].sort((a, b) => a - b);
    },
    [keptIndex],
  );

  const [top, setTop] = useState(0);
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => (window.innerWidth < 768 ? 62 : 44),
    getItemKey: rowOf,
    rangeExtractor,
    scrollMargin: top,
    // When the room moves, the rows in sight stay where they are.
    anchorTo: 'end',
    ...(firstOffset !== undefined && { initialOffset: firstOffset }),
    initialMeasurementsCache: measured,
    overscan: count <= DRAW_ALL_UP_TO ? DRAW_ALL_UP_TO : 12,
  });
  const items = virtualizer.getVirtualItems();
  useLayoutEffect(() => {
    const box = body.current?.getBoundingClientRect();
    if (box && Math.abs(box.top + window.scrollY - top) >= 1) setTop(box.top + window.scrollY);
  });

  // Nothing is in sight before the first layout.
  const { range } = virtualizer;
  const inSight = range ? [rowOf(range.startIndex), rowOf(range.endIndex)] : [low];
  const from = Math.max(0, Math.min(...inSight));
  const to = Math.max(...inSight) + 1;
  useEffect(() => {
    const isNearEdge = (to > high - NEAR_EDGE && high < total) || (from < low + NEAR_EDGE && low > 0);
    if (range && isNearEdge) setLow(Math.max(0, Math.floor((from + to - ROOM) / 2)));
  }, [range, from, to, low, high, total]);

  /** Whether there is no room for a row any more, far from what is in sight. */
  const isApart = (row: number | undefined) =>
    range !== null && row !== undefined && (row < low || row >= high);
  /** Makes room for a row. */
  const reach = (row: number) => {
    if (row < low || row >= high) setLow(Math.max(0, Math.floor(row - ROOM / 2)));
  };
  return {
    virtualizer,
    items,
    count,
    low,
    top,
    from,
    to,
    firstInSight: range?.startIndex ?? 0,
    rowOf,
    indexOf,
    reach,
    isApart,
  };
}
