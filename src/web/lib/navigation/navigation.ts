import { type AnyRouter, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { storeVisitedPath } from '../session.ts';

/** Moves the focus to the page's content. */
export function focusMain(): void {
  document.getElementById('main')?.focus({ preventScroll: true });
}

/** Moves the focus to the page's content if the element that has it is about to be removed and nothing else takes it. */
export function keepFocus(): void {
  queueMicrotask(() => {
    if (document.activeElement === document.body) focusMain();
  });
}

/**
 * Gives the focus to what is clicked, as other browsers do: in Safari on a Mac a click focuses no button or link, but what it is in. A dialog
 * then gives it back, and what is removed when it is pressed passes it on. A field that keeps the focus while something beside it is pressed has it still.
 */
export function focusWhatIsClicked(): void {
  const focus = ({ target }: MouseEvent) => {
    const pressed =
      target instanceof Element ? target.closest<HTMLElement>('button, a[href], summary, input') : null;
    const { activeElement } = document;
    if (pressed === null || pressed === activeElement) return;
    if (activeElement === null || activeElement.contains(pressed)) pressed.focus({ preventScroll: true });
  };
  document.addEventListener('click', focus, { capture: true });
}

export const PRODUCT = 'Student Information Management System';

/** After each navigation: sets the title, stores the path and moves the focus to the content. */
export function watchNavigation(router: AnyRouter): void {
  router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged }) => {
    storeVisitedPath(toLocation.pathname);
    document.title = documentTitle(router);
    // The first page and changes of the query alone keep the focus where it is.
    if (fromLocation !== undefined && pathChanged) {
      // Not if the list has restored the focus to its row, a message has it, or the user is already typing.
      const isFocusKept = document.activeElement?.closest(
        '[data-keeps-focus], #main :is(input, select, textarea)',
      );
      if (!isFocusKept) document.getElementById('main')?.focus({ preventScroll: true });
    }
  });
}

/** Whom or what the page shows, e.g. a student's name and class. */
let pageSubject: string | undefined;

/** Puts the page's subject before its name in the document title, so that tabs and the browser's history tell pages apart. */
export function usePageSubject(subject: string | undefined): void {
  const router = useRouter();
  useEffect(() => {
    pageSubject = subject;
    document.title = documentTitle(router);
    return () => {
      pageSubject = undefined;
    };
  }, [router, subject]);
}

function documentTitle(router: AnyRouter): string {
  const { matches } = router.state;
  const isUnknown = matches.some((match) => match.status === 'notFound' || match._notFound === true);
  const title = isUnknown
    ? 'Page not found'
    : matches.findLast((match) => match.staticData.title)?.staticData.title;
  return [isUnknown ? undefined : pageSubject, title, PRODUCT].filter(Boolean).join(' · ');
}
