import { type RefObject, useCallback, useLayoutEffect, useState } from 'react';

/** Rows that are drawn beyond the visible ones on both sides, so that scrolling shows no gap. */
const OVERSCAN = 4;
/** The drawn rows change only after so many, as most scroll events are of a few pixels. */
const STEP = 8;
/** Until the first row has been measured. */
const USUAL_HEIGHT = 32;

export interface RowWindow {
  /** The first row that is drawn, and the one after the last. */
  start: number;
  end: number;
  rowHeight: number;
  /** Rows that are visible at once. */
  page: number;
  /** Scrolls until a row is between head and foot. */
  reveal: (row: number) => void;
  onScroll: () => void;
}

/** Which rows of a table with rows of equal height are drawn, of those in a box that scrolls. */
export function useRowWindow(box: RefObject<HTMLElement | null>, count: number): RowWindow {
  const [{ start, end, rowHeight, page }, setWindow] = useState({
    start: 0,
    end: 30,
    rowHeight: USUAL_HEIGHT,
    page: 10,
  });

  const measure = useCallback(() => {
    const element = box.current;
    if (element === null) return;
    const height =
      element.querySelector<HTMLElement>('tbody tr[aria-rowindex]')?.offsetHeight || USUAL_HEIGHT;
    const { head, foot } = edges(element);
    const visible = Math.max(1, Math.floor((element.clientHeight - head - foot) / height));
    const first = Math.floor(element.scrollTop / height);
    const from = Math.max(0, Math.floor((first - OVERSCAN) / STEP) * STEP);
    const drawn = visible + 2 * (OVERSCAN + STEP);
    const next = { start: from, end: from + drawn, rowHeight: height, page: visible };
    setWindow((now) =>
      now.start === next.start && now.end === next.end && now.rowHeight === height && now.page === visible
        ? now
        : next,
    );
  }, [box]);

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box, measure]);

  const reveal = useCallback(
    (row: number) => {
      const element = box.current;
      if (element === null) return;
      const { head, foot } = edges(element);
      const top = row * rowHeight;
      const height = element.clientHeight - head - foot;
      if (top < element.scrollTop) element.scrollTop = top;
      else if (top + rowHeight > element.scrollTop + height) element.scrollTop = top + rowHeight - height;
    },
    [box, rowHeight],
  );
  return {
    start: Math.min(start, count),
    end: Math.min(end, count),
    rowHeight,
    page,
    reveal,
    onScroll: measure,
  };
}

/** Heights of the parts of the table that stay. */
const edges = (element: HTMLElement) => ({
  head: element.querySelector('thead')?.clientHeight ?? 0,
  foot: element.querySelector('tfoot')?.clientHeight ?? 0,
});
