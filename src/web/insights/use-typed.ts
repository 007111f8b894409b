import { useEffect, useRef, useState } from 'react';

/** Browsers allow only so many changes of the address in a while. */
const TYPING_PAUSE = 400;

/** A field whose text is kept elsewhere: `store` follows the typing after a pause, or at once when it is settled. */
export function useTyped(stored: string, store: (text: string) => void) {
  const [typed, setTyped] = useState<string>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const type = (text: string) => {
    setTyped(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => store(text), TYPING_PAUSE);
  };
  const settle = () => {
    clearTimeout(timer.current);
    if (typed === undefined) return;
    store(typed);
    setTyped(undefined);
  };
  return { text: typed ?? stored, type, settle };
}
