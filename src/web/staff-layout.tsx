import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { isTeacherPath } from './guard.ts';
import { useIsTeacher } from './lib/session.ts';
import { LazyOverlays } from './palette/lazy-overlays.tsx';
import type { PaletteOverlay } from './palette/palette.tsx';
import { PaletteButton } from './palette/palette-button.tsx';
import { useRecordRecentPages } from './palette/use-record-recent-pages.ts';
import { useShortcuts } from './palette/use-shortcuts.ts';
import { NotFoundPage } from './shell/not-found-page.tsx';
import { Shell } from './shell/shell.tsx';
import { ExportStatus } from './students/list/export/export-progress.tsx';

export { WritersOnly } from './shell/writers-only.tsx';

/** The shell with what the features add to every page: the palette, its shortcuts and the running export. */
export function StaffLayout({ children }: { children?: ReactNode }) {
  const [overlay, setOverlay] = useState<PaletteOverlay>(null);
  const openPalette = () => setOverlay('palette');
  useShortcuts({ onPalette: openPalette, onHelp: () => setOverlay('help') });
  useRecordRecentPages();
  const isTeacher = useIsTeacher();
  const isTheirs = useLocation({ select: ({ pathname }) => isTeacherPath(pathname) });
  return (
    <Shell
      search={<PaletteButton onOpen={openPalette} />}
      isSearchOpen={overlay === 'palette'}
      overlays={(askToLogOut) => (
        <>
          <LazyOverlays overlay={overlay} onOverlayChange={setOverlay} onLogout={askToLogOut} />
          <ExportStatus />
        </>
      )}
    >
      {isTeacher && !isTheirs ? <NotFoundPage /> : children}
    </Shell>
  );
}

/** Unknown paths match no route inside the layout, so this renders the layout itself. */
export function NotFoundInLayout() {
  return (
    <StaffLayout>
      <NotFoundPage />
    </StaffLayout>
  );
}
