import { useSyncExternalStore } from 'react';

const PHONE = window.matchMedia('(width <= 40rem)');

const subscribe = (onChange: () => void) => {
  PHONE.addEventListener('change', onChange);
  return () => PHONE.removeEventListener('change', onChange);
};

/** Whether there is no room for a table. */
export const useIsPhone = (): boolean => useSyncExternalStore(subscribe, () => PHONE.matches);
