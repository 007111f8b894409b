import { useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';

let isAsked = false;

function subscribe(onChange: () => void): () => void {
  const media = window.matchMedia('print');
  // At once: the browser takes the page as it is after the event. The change of the media comes too late for that.
  const change = (asked: boolean) => () => {
    isAsked = asked;
    flushSync(onChange);
  };
  const [begin, end] = [change(true), change(false)];
  window.addEventListener('beforeprint', begin);
  window.addEventListener('afterprint', end);
  media.addEventListener('change', onChange);
  return () => {
    window.removeEventListener('beforeprint', begin);
    window.removeEventListener('afterprint', end);
    media.removeEventListener('change', onChange);
  };
}

/** Whether the page is being printed. Tables that draw only the rows in sight draw all of them then. */
export const useIsPrinting = (): boolean =>
  useSyncExternalStore(subscribe, () => isAsked || window.matchMedia('print').matches);
