import { ArrowLeft, DraftingCompass } from 'lucide-react';
import { storeShowsNavText, useShowsNavText } from '../session.ts';
import { NavEntries } from './nav-entries.tsx';

/** From 1280 px: 120 px wide with words, 60 px without. */
export function Sidebar({ onLogout }: { onLogout: () => void }) {
  const isWide = useShowsNavText();
  return (
    <aside className="sidebar" aria-label="Sidebar">
      <div className="flex h-(--bar-h) shrink-0 items-center gap-2 ps-4.75 pe-2 font-[650] text-section tracking-[-.01em]">
        <DraftingCompass className="size-5 shrink-0 text-ink-text" strokeWidth={1.75} aria-hidden="true" />
        <span className="nav-words">Admin</span>
      </div>
      <NavEntries onLogout={onLogout} />
      <div className="border-line border-t p-2">
        <button
          type="button"
          className="nav-entry"
          data-tip="Expand"
          aria-expanded={isWide}
          aria-label={`${isWide ? 'Collapse' : 'Expand'} navigation`}
          onClick={() => storeShowsNavText(!isWide)}
        >
          <ArrowLeft className="nav-arrow" strokeWidth={1.75} aria-hidden="true" />
          <span>{isWide ? 'Collapse' : 'Expand'}</span>
        </button>
      </div>
    </aside>
  );
}
