import { Search, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { isSingleKeyShortcut } from '../../lib/keyboard-shortcuts.ts';
import { IconButton } from '../button.tsx';

interface SearchFieldProps {
  /** The accessible name. */
  label: string;
  placeholder: string;
  query: string;
  onQuery: (query: string) => void;
  /** Called when the field loses the focus. */
  onLeave?: (() => void) | undefined;
  onEnter?: (() => void) | undefined;
  /** Called on the arrow down, such as to go into the rows. */
  onDown?: (() => void) | undefined;
}

/** The search field of a list; the key `/` focuses it, Escape clears it. */
export function SearchField({
  label,
  placeholder,
  query,
  onQuery,
  onLeave,
  onEnter,
  onDown,
}: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null);

  useEffect(() => {
    const focusOnSlash = (event: KeyboardEvent) => {
      if (event.key !== '/' || !isSingleKeyShortcut(event)) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', focusOnSlash);
    return () => document.removeEventListener('keydown', focusOnSlash);
  }, []);

  const clear = () => {
    onQuery('');
    input.current?.focus();
  };

  return (
    <div className="relative flex min-w-[min(--spacing(32),100%)] flex-1 md:max-w-80">
      <Search className="pointer-events-none absolute inset-y-0 left-2.5 my-auto size-4 text-fg-3" />
      <input
        ref={input}
        type="search"
        className="control pr-10 pl-8.5 pointer-fine:min-h-8.5 pointer-coarse:pr-12 [&::-webkit-search-cancel-button]:hidden"
        placeholder={placeholder}
        aria-label={label}
        aria-keyshortcuts="/"
        autoComplete="off"
        value={query}
        onChange={(event) => onQuery(event.target.value)}
        onBlur={onLeave}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) onEnter?.();
          if (event.key === 'ArrowDown' && onDown) {
            event.preventDefault();
            onDown();
          }
          if (event.key !== 'Escape' || query === '') return;
          event.preventDefault();
          onQuery('');
        }}
      />
      {query !== '' && (
        <IconButton label="Clear search" onClick={clear} className="absolute inset-y-0 right-0.75 my-auto">
          <X />
        </IconButton>
      )}
    </div>
  );
}
