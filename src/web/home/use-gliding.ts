import { useEffect, useRef, useState } from 'react';
import { prefersStillness } from './use-cycle.ts';

const DURATION = 600;

/** The values, but on their way from the old ones to the new for 0.6 s; at once where motion is unwanted. */
export function useGliding(target: readonly number[]): readonly number[] {
  const [shown, setShown] = useState(target);
  const now = useRef(target);

  useEffect(() => {
    const from = now.current;
    if (from === target) return;
    const startedAt = performance.now();
    let frame = 0;
    const step = (time: number) => {
      const passed = prefersStillness() ? 1 : Math.min((time - startedAt) / DURATION, 1);
      const eased = easeInOut(Math.max(passed, 0));
      now.current =
        passed === 1 ? target : target.map((to, i) => (from[i] ?? to) + (to - (from[i] ?? to)) * eased);
      setShown(now.current);
      if (passed < 1) frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [target]);

  return shown;
}

function easeInOut(t: number): number {
  return t < 0.5 ? 4 * t ** 3 : 1 - (-2 * t + 2) ** 3 / 2;
}
