import { useCallback, useEffect, useRef } from 'react';

/** Runs `act` once `delayMs` have passed without another call; `cancel` drops a pending call. */
export function useDebounced<Args extends unknown[]>(act: (...args: Args) => void, delayMs: number) {
  const latest = useRef(act);
  latest.current = act;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const cancel = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
  }, []);
  useEffect(() => cancel, [cancel]);
  const run = useCallback(
    (...args: Args) => {
      cancel();
      timer.current = setTimeout(() => {
        timer.current = undefined;
        latest.current(...args);
      }, delayMs);
    },
    [cancel, delayMs],
  );
  return { run, cancel };
}
