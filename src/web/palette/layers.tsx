import { HelpSheet } from './help-sheet.tsx';
import { Palette } from './palette.tsx';
import type { QuickLayer, QuickLayersProps } from './quick-layers.tsx';
import './palette.css';

export function Layers({ layer, onLayer, onLogout }: QuickLayersProps) {
  /** Not the other one, which may have been opened before the browser tells that this is closed. */
  const closing = (which: QuickLayer) => () => onLayer((now) => (now === which ? null : now));
  return (
    <>
      <Palette
        isOpen={layer === 'palette'}
        onClose={closing('palette')}
        onHelp={() => onLayer('help')}
        onLogout={onLogout}
      />
      <HelpSheet isOpen={layer === 'help'} onClose={closing('help')} />
    </>
  );
}
