import { type FocusEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { ListPlace } from './list-place.ts';

type Wanted = 'focus' | 'focus and sight' | undefined;

function firstWanted(place: ListPlace | undefined): Wanted {
  if (place?.active === undefined) return undefined;
  return place.scrollY === undefined ? 'focus and sight' : 'focus';
}

/**
 * The row that has the focus, or had it last. Rows come and go with scrolling and loading; the focus is put back on
 * the row that is meant as soon as it is there.
 *
 * @param place that the list is come back to
 */
export function useRowFocus(body: RefObject<HTMLTableSectionElement | null>, place: ListPlace | undefined) {
  const [active, setActive] = useState(place?.active);
  const [isIn, setIsIn] = useState(active !== undefined);
  const wanted = useRef(firstWanted(place));

  useLayoutEffect(() => {
    if (wanted.current === undefined || active === undefined) return;
    const row = body.current?.querySelector<HTMLElement>(`[data-row="${active}"]`);
    if (!row) return;
    // A row whose student is still loading has the focus itself until then.
    const link = row.querySelector('a');
    (link ?? row).focus({ preventScroll: true });
    if (wanted.current === 'focus and sight') row.scrollIntoView({ block: 'nearest' });
    if (link) wanted.current = undefined;
  });

  const focusRow = (row: number, isToBeSeen = true) => {
    wanted.current = isToBeSeen ? 'focus and sight' : 'focus';
    setActive(row);
    setIsIn(true);
  };
  const onFocus = ({ target }: FocusEvent) => {
    const row = target.closest<HTMLElement>('[data-row]')?.dataset.row;
    if (row === undefined) return;
    setActive(Number(row));
    setIsIn(true);
  };
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof Node && body.current?.contains(relatedTarget)) return;
    // The focus went with a row that is being replaced: it comes back with the next one.
    if (relatedTarget === null && wanted.current !== undefined) return;
    wanted.current = undefined;
    setIsIn(false);
  };
  return { active, isIn, focusRow, onFocus, onBlur };
}
