import { type FocusEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { ScrollPosition } from '../model/scroll-restoration.ts';

/** The action on the active row as soon as it is rendered. */
type PendingFocus = 'focus' | 'focus and scroll' | undefined;

function initialFocus(position: ScrollPosition | undefined): PendingFocus {
  if (position?.active === undefined) return undefined;
  return position.scrollY === undefined ? 'focus and scroll' : 'focus';
}

/**
 * The active row, which has or last had the focus. Rows are removed and added again by scrolling and loading; the
 * active one gets the focus back as soon as it is rendered.
 *
 * @param position to which the list is restored
 */
export function useRowFocus(
  body: RefObject<HTMLTableSectionElement | null>,
  position: ScrollPosition | undefined,
) {
  const [active, setActive] = useState(position?.active);
  const [isInside, setIsInside] = useState(active !== undefined);
  const pending = useRef(initialFocus(position));

  useLayoutEffect(() => {
    if (pending.current === undefined || active === undefined) return;
    const row = body.current?.querySelector<HTMLElement>(`[data-row="${active}"]`);
    if (!row) return;
    // While its student is loading, the row itself has the focus.
    const link = row.querySelector('a');
    (link ?? row).focus({ preventScroll: true });
    if (pending.current === 'focus and scroll') row.scrollIntoView({ block: 'nearest' });
    if (link) pending.current = undefined;
  });

  const focusRow = (row: number, scrolls = true) => {
    pending.current = scrolls ? 'focus and scroll' : 'focus';
    setActive(row);
    setIsInside(true);
  };
  const onFocus = ({ target }: FocusEvent) => {
    const row = target.closest<HTMLElement>('[data-row]')?.dataset.row;
    if (row === undefined) return;
    setActive(Number(row));
    setIsInside(true);
  };
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof Node && body.current?.contains(relatedTarget)) return;
    // The focused row is being replaced: its replacement gets the focus.
    if (relatedTarget === null && pending.current !== undefined) return;
    pending.current = undefined;
    setIsInside(false);
  };
  return { active, isInside, focusRow, onFocus, onBlur };
}
