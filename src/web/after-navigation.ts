import type { AnyRouter } from '@tanstack/react-router';
import { rememberVisitedPath } from './session.ts';

const PRODUCT = 'Student Information Management System';

/** After every change of page: its title, its path remembered, and the focus at its start. */
export function watchNavigation(router: AnyRouter): void {
  router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged }) => {
    rememberVisitedPath(toLocation.pathname);
    document.title = titleOf(router);
    // The first page keeps the browser's own focus; so does a change of the query alone.
    if (fromLocation !== undefined && pathChanged) {
      // A list that is come back to has put it on the row that it was left at, and who is quick is typing already.
      const isPlaced = document.activeElement?.closest(
        '[data-keeps-focus], #main :is(input, select, textarea)',
      );
      if (!isPlaced) document.getElementById('main')?.focus({ preventScroll: true });
    }
  });
}

function titleOf(router: AnyRouter): string {
  const { matches } = router.state;
  const isUnknown = matches.some((match) => match.status === 'notFound' || match._notFound === true);
  const title = isUnknown
    ? 'Page not found'
    : matches.findLast((match) => match.staticData.title)?.staticData.title;
  return title === undefined ? PRODUCT : `${title} · ${PRODUCT}`;
}
