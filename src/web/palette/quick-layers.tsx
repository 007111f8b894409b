import { type Dispatch, type SetStateAction, useEffect, useState } from 'react';
import { flash } from '../shell/flash.tsx';

/** What lies over the page: the palette, or the sheet of keyboard shortcuts. */
export type QuickLayer = 'palette' | 'help' | null;

export interface QuickLayersProps {
  layer: QuickLayer;
  onLayer: Dispatch<SetStateAction<QuickLayer>>;
  onLogout: () => void;
}

const load = () => import('./layers.tsx');
/** The page itself comes first; by then, what is typed right after Ctrl K finds its field. */
const LOAD_AHEAD_AFTER = 1000;

/** Loads the layers when the page is there, or when one of them is asked for. */
export function QuickLayers(props: QuickLayersProps) {
  const { layer, onLayer } = props;
  const [loaded, setLoaded] = useState<Awaited<ReturnType<typeof load>>>();
  const isAskedFor = layer !== null && loaded === undefined;
  useEffect(() => {
    const timer = setTimeout(() => void load().then(setLoaded, () => undefined), LOAD_AHEAD_AFTER);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (!isAskedFor) return;
    load().then(setLoaded, () => {
      flash('This part of the page could not be loaded. Try again.', 'warning');
      onLayer(null);
    });
  }, [isAskedFor, onLayer]);
  return loaded && <loaded.Layers {...props} />;
}
