import { useEffect, useRef, useState } from 'react';
import { commandShortcut } from '../../lib/keyboard-shortcuts.ts';
import { useCtrlP } from '../../lib/printing/use-ctrl-p.ts';

interface PagedQuery {
  hasNextPage: boolean;
  isError: boolean;
  fetchNextPage: () => Promise<PagedQuery>;
}

/** Pages that are loaded to be printed: more would take minutes, and nobody reads a thousand sheets. */
const MOST_PAGES = 40;

/**
 * For a list that is loaded page by page: Ctrl P loads the rest before it prints. What is printed without the rest says so.
 *
 * @param children what leads to the rest, such as filters
 */
export function PrintAll({ query, children }: { query: PagedQuery; children: string }) {
  const [isLoading, setIsLoading] = useState(false);
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const loadAndPrint = async () => {
    if (isLoading) return;
    setIsLoading(true);
    let result = query;
    for (let pages = 0; result.hasNextPage && !result.isError && pages < MOST_PAGES; pages += 1) {
      result = await result.fetchNextPage();
      // Otherwise the page to which the user has gone would be printed.
      if (!isShown.current) return;
    }
    setIsLoading(false);
    // Once the rows of the last page are drawn.
    if (!result.isError)
      requestAnimationFrame(() => requestAnimationFrame(() => isShown.current && window.print()));
  };
  useCtrlP(query.hasNextPage ? () => void loadAndPrint() : undefined);
  return (
    <>
      <p role="status" className="screen-only mt-3 text-fg-2 text-label empty:hidden">
        {isLoading && 'Loading the rest, to print it.'}
      </p>
      {query.hasNextPage && (
        <p className="print-only mt-3">
          {`The list goes on. ${commandShortcut('P')} on its page loads the rest before it prints. ${children}`}
        </p>
      )}
    </>
  );
}
