import { useEffect, useRef, useState } from 'react';
import { flash } from '../ui/flash.tsx';
import type { OverlaysProps } from './palette.tsx';

const load = () => import('./palette.tsx');
/** Preloaded after the page itself, so that text typed right after Ctrl K reaches the field. */
const PRELOAD_DELAY_MS = 1000;

/** Loads the overlays shortly after the page, or when one is opened. */
export function LazyOverlays(props: Omit<OverlaysProps, 'takeTyped'>) {
  const { overlay, onOverlayChange } = props;
  const [loaded, setLoaded] = useState<Awaited<ReturnType<typeof load>>>();
  const isWaiting = overlay !== null && loaded === undefined;
  const takeTyped = useTypedAhead(isWaiting && overlay === 'palette', onOverlayChange);
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
  return loaded && <loaded.Overlays {...props} takeTyped={takeTyped} />;
}

/**
 * Collects what is typed while the palette is loading: it is meant for the palette's field, not for the page.
 *
 * @returns answers the text once
 */
function useTypedAhead(isWaiting: boolean, onOverlayChange: (overlay: null) => void): () => string {
  const typed = useRef('');
  useEffect(() => {
    if (!isWaiting) return;
    typed.current = '';
    const onKeyDown = (event: KeyboardEvent) => {
      const isCommand = event.ctrlKey || event.metaKey || event.altKey;
      if (isCommand && !event.getModifierState('AltGraph')) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.key === 'Backspace') typed.current = typed.current.slice(0, -1);
      else if (event.key.length === 1) typed.current += event.key;
      else if (event.key === 'Escape') {
        typed.current = '';
        onOverlayChange(null);
      }
    };
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [isWaiting, onOverlayChange]);
  return () => {
    const text = typed.current;
    typed.current = '';
    return text;
  };
}
