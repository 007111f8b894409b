import { useEffect, useRef, useState } from 'react';

/** About what a large window shows; the first paint does not wait for more. */
const DRAWN_FIRST = 24;
const DRAWN_NEXT = 96;
/** How far ahead of what is seen the next ones are drawn. */
const AHEAD = '1200px 0px';

/**
 * How many of a long list to draw: a windowful at first, more as its end comes near, so that thousands open as fast as
 * a dozen. `endRef` goes to what stands at the end of those drawn.
 *
 * @param list what is shown; another one begins anew
 */
export function useMoreAsSeen(list: readonly unknown[]) {
  const [seen, setSeen] = useState({ list, drawn: DRAWN_FIRST });
  const drawn = seen.list === list ? seen.drawn : DRAWN_FIRST;
  const endRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const end = endRef.current;
    if (end === null || drawn >= list.length) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting))
          setSeen({ list, drawn: drawn + DRAWN_NEXT });
      },
      { rootMargin: AHEAD },
    );
    observer.observe(end);
    return () => observer.disconnect();
  }, [list, drawn]);
  return { drawn, endRef };
}
