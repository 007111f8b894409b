import { useEffect, useState } from 'react';

/** 0, 1 … count - 1 and again from 0, one step every `milliseconds` unless paused. Starts paused where motion is unwanted. */
export function useCycle(count: number, milliseconds: number) {
  const [index, setIndex] = useState(0);
  const [isPaused, setIsPaused] = useState(prefersStillness);
  useEffect(() => {
    if (isPaused) return;
    const timer = setInterval(() => setIndex((now) => (now + 1) % count), milliseconds);
    return () => clearInterval(timer);
  }, [isPaused, count, milliseconds]);
  return { index, isPaused, setIsPaused };
}

export function prefersStillness(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}
