import { useCallback, useEffect, useRef, useState } from 'react';

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

/** The text after a pause in typing. */
export function useSettledText(text: string, delayMs: number): string {
  const [settled, setSettled] = useState(text);
  const { run, cancel } = useDebounced(setSettled, delayMs);
  useEffect(() => {
    if (text === settled) cancel();
    else run(text);
  }, [text, settled, run, cancel]);
  return settled;
}

/** Long enough not to search for every letter, and not to exceed the browsers' limit on changes of the address. */
const TYPING_PAUSE_MS = 250;

interface DebouncedTextOptions {
  /** The text in effect; the one in the field may be newer. */
  value: string;
  /** Called with what was typed, without spaces around it. */
  onApply: (text: string) => void;
  /** A text that is not valid stays in the field and is not applied. */
  isValid?: ((text: string) => boolean) | undefined;
}

/** The text of a field that takes effect after a pause in typing. Its latest value is applied, or dropped, once. */
export function useDebouncedText({ value, onApply, isValid = () => true }: DebouncedTextOptions) {
  /** Undefined while the field shows the text in effect. */
  const [typed, setTyped] = useState<string>();
  const [isWaiting, setIsWaiting] = useState(false);
  const applied = useRef(value);
  const apply = (text: string) => {
    debounced.cancel();
    setIsWaiting(false);
    const trimmed = text.trim();
    if (trimmed === applied.current || (trimmed !== '' && !isValid(trimmed))) return;
    applied.current = trimmed;
    onApply(trimmed);
  };
  const debounced = useDebounced(apply, TYPING_PAUSE_MS);
  const { cancel: stopWaiting } = debounced;
  // Changed elsewhere, such as by a link or the browser's Back. A value that was applied here is older than what is typed.
  useEffect(() => {
    if (value === applied.current) return;
    applied.current = value;
    stopWaiting();
    setIsWaiting(false);
    setTyped(undefined);
  }, [value, stopWaiting]);
  return {
    text: typed ?? value,
    /** A pause in typing has not come yet. */
    isWaiting,
    type: (text: string) => {
      setTyped(text);
      setIsWaiting(true);
      debounced.run(text);
    },
    /** Applies what waits. */
    flush: () => {
      if (typed !== undefined) apply(typed);
    },
    /** Drops what waits: the field shows the text in effect. */
    cancel: () => {
      stopWaiting();
      setIsWaiting(false);
      setTyped(undefined);
      applied.current = value;
    },
  };
}
