import { useEffect, useState } from 'react';
import { flash } from '../ui/flash.tsx';
import type { OverlaysProps } from './palette.tsx';

const load = () => import('./palette.tsx');
/** Preloaded after the page itself, so that text typed right after Ctrl K reaches the field. */
const PRELOAD_DELAY_MS = 1000;

/** Loads the overlays shortly after the page, or when one is opened. */
export function LazyOverlays(props: OverlaysProps) {
  const { overlay, onOverlayChange } = props;
  const [loaded, setLoaded] = useState<Awaited<ReturnType<typeof load>>>();
  const isWaiting = overlay !== null && loaded === undefined;
  useEffect(() => {
    const timer = setTimeout(() => void load().then(setLoaded, () => undefined), PRELOAD_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (!isWaiting) return;
    load().then(setLoaded, () => {
      flash('This part of the page could not be loaded. Try again.', 'warning');
      onOverlayChange(null);
    });
  }, [isWaiting, onOverlayChange]);
  return loaded && <loaded.Overlays {...props} />;
}
