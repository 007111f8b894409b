import { useSyncExternalStore } from 'react';

/** Below this twenty bars are too close together to be pressed. */
const narrow = window.matchMedia('(width < 40rem)');

function subscribe(onChange: () => void) {
  narrow.addEventListener('change', onChange);
  return () => narrow.removeEventListener('change', onChange);
}

export const useIsNarrow = () => useSyncExternalStore(subscribe, () => narrow.matches);
