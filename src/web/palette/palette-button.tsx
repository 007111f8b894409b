import { Search } from 'lucide-react';
import { PALETTE_SHORTCUT } from '../lib/keyboard-shortcuts.ts';
import { Kbd } from '../ui/kbd.tsx';

/**
 * From 1280 px it looks like a search field; below, it is an icon of fixed width, since with larger text the header of
 * a phone has no more room.
 */
export function PaletteButton({ onOpen }: { onOpen: () => void }) {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={onOpen}
      className="inline-flex shrink-0 items-center justify-center gap-2 rounded-control text-fg-2 hover:bg-hover hover:text-fg max-xl:min-h-11 max-xl:w-[44px] xl:min-h-8 xl:w-66 xl:justify-start xl:border xl:border-line-2 xl:bg-sunken xl:ps-2.5 xl:pe-1.5 xl:text-fg-3 xl:text-label xl:hover:border-control"
    >
      <Search className="size-5 xl:size-3.5" />
      <span className="text-start max-xl:sr-only xl:flex-1">Search or jump to</span>
      <span aria-hidden="true" className="max-xl:hidden">
        <Kbd>{PALETTE_SHORTCUT}</Kbd>
      </span>
    </button>
  );
}
