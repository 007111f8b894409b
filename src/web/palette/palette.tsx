import { useNavigate } from '@tanstack/react-router';
import { Search, X } from 'lucide-react';
import {
  type Dispatch,
  type KeyboardEvent,
  type SetStateAction,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { plural } from '../lib/format.ts';
import { ENTER_SHORTCUT } from '../lib/keyboard-shortcuts.ts';
import { searchTerms } from '../lib/text-match.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Modal } from '../ui/dialog/modal.tsx';
import { Kbd } from '../ui/kbd.tsx';
import type { PaletteOption } from './options.ts';
import { PaletteList } from './palette-list.tsx';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import { usePaletteOptions } from './use-palette-options.ts';
import './palette.css';

/** The open overlay: the palette, or the list of keyboard shortcuts. */
export type PaletteOverlay = 'palette' | 'help' | null;

export interface OverlaysProps {
  overlay: PaletteOverlay;
  onOverlayChange: Dispatch<SetStateAction<PaletteOverlay>>;
  onLogout: () => void;
  /** Answers once what was typed while the palette was loading. */
  takeTyped: () => string;
}

export function Overlays({ overlay, onOverlayChange, ...rest }: OverlaysProps) {
  /** Closes only this overlay: the other may already be open when the browser's close event arrives. */
  const closeOverlay = (which: PaletteOverlay) => () =>
    onOverlayChange((now) => (now === which ? null : now));
  return (
    <>
      <Palette
        isOpen={overlay === 'palette'}
        onClose={closeOverlay('palette')}
        onHelp={() => onOverlayChange('help')}
        {...rest}
      />
      <ShortcutsDialog isOpen={overlay === 'help'} onClose={closeOverlay('help')} />
    </>
  );
}

interface PaletteSearchProps extends Pick<OverlaysProps, 'onLogout' | 'takeTyped'> {
  onClose: () => void;
  onHelp: () => void;
}

/** Searches screens, students, courses and actions. */
function Palette({ isOpen, onClose, ...rest }: PaletteSearchProps & { isOpen: boolean }) {
  return (
    <Modal
      isOpen={isOpen}
      onClose={onClose}
      name="Search or jump to"
      className="layer-palette"
      closesOnBackdrop
    >
      {isOpen && <PaletteSearch onClose={onClose} {...rest} />}
    </Modal>
  );
}

/** The field keeps the focus; arrow keys move the active option in the list below. */
function PaletteSearch({ onClose, takeTyped, ...acts }: PaletteSearchProps) {
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  const { options, isSearching, error, tryAgain } = usePaletteOptions(query, acts);
  const [markedId, mark] = useState<string>();
  const marked = options.find(({ id }) => id === markedId) ?? options[0];
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  // On mounting, in the same moment in which the field gets the keys itself.
  useEffect(() => {
    const typed = takeTyped();
    if (typed !== '') setQuery(typed);
  }, [takeTyped]);

  const choose = ({ href, run }: PaletteOption, inNewTab: boolean) => {
    if (href !== undefined && inNewTab) {
      // Without `noopener`: the new tab copies session storage from its opener.
      window.open(href, '_blank');
      return;
    }
    onClose();
    run?.();
    if (href !== undefined) void navigate({ href });
  };
  const { chooseFirst, cancelChooseFirst } = useChooseFirst(isSearching ? undefined : marked, choose);

  const type = (text: string) => {
    cancelChooseFirst();
    mark(undefined);
    setQuery(text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const isPlain = !(event.shiftKey || event.altKey || event.ctrlKey || event.metaKey);
    const at = marked === undefined ? -1 : options.indexOf(marked);
    const to = isPlain && targetIndex(event.key, at, options.length);
    if (event.key === 'Enter') {
      event.preventDefault();
      const inNewTab = event.ctrlKey || event.metaKey;
      // While students are loading, the first option may still change.
      const isFirst = marked?.group === 'Go to' || marked?.group === 'Views';
      const isSettled = !isSearching || markedId !== undefined || isFirst;
      if (isSettled && marked) choose(marked, inNewTab);
      else if (isSearching) chooseFirst(inNewTab);
    } else if (typeof to === 'number' && options[to]) {
      event.preventDefault();
      cancelChooseFirst();
      mark(options[to].id);
    }
  };

  return (
    <>
      <div className="flex min-h-13 shrink-0 items-center gap-2.5 border-line border-b ps-4 pe-3">
        <Search className="size-4.5 shrink-0 text-fg-3" />
        <input
          ref={input}
          role="combobox"
          aria-label="Search or jump to"
          aria-expanded={options.length > 0}
          aria-controls={listId}
          aria-activedescendant={marked && `${listId}${marked.id}`}
          aria-autocomplete="list"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={200}
          placeholder="Student, course or screen"
          value={query}
          onChange={(event) => type(event.target.value)}
          onKeyDown={onKeyDown}
          className="min-w-0 flex-1 self-stretch bg-transparent text-lead placeholder:text-fg-3 focus-visible:outline-0"
        />
        <span aria-hidden="true" className="pointer-coarse:hidden">
          <Kbd>Esc</Kbd>
        </span>
        <IconButton label="Close" onClick={onClose} className="pointer-fine:hidden">
          <X />
        </IconButton>
      </div>
      <PaletteList
        id={listId}
        options={options}
        marked={marked}
        terms={searchTerms(query)}
        onMark={mark}
        onChoose={choose}
      />
      {error ? (
        <div className="flex flex-wrap items-center gap-2 px-4 py-3 text-danger-text text-label">
          <p className="min-w-0 flex-1" role="alert">
            {error.message}
          </p>
          <Button
            size="sm"
            className="text-fg"
            onClick={() => {
              // The button disappears with the error.
              input.current?.focus();
              tryAgain();
            }}
          >
            Try again
          </Button>
        </div>
      ) : (
        <p
          role="status"
          className={isSearching || options.length === 0 ? 'px-4.5 py-4 text-fg-3 text-label' : 'sr-only'}
        >
          {isSearching ? 'Searching' : foundText(options.length, query.trim())}
        </p>
      )}
      <p
        aria-hidden="true"
        className="mt-auto flex shrink-0 gap-4 border-line border-t bg-sunken px-4 py-2 text-caption text-fg-3 pointer-coarse:hidden"
      >
        <span>
          <Kbd>↑</Kbd> <Kbd>↓</Kbd> select
        </span>
        <span>
          <Kbd>↵</Kbd> open
        </span>
        <span className="max-xs:hidden">
          <Kbd>{ENTER_SHORTCUT}</Kbd> in a new tab
        </span>
      </p>
    </>
  );
}

/** The index that a key moves to, wrapping around at the ends. */
function targetIndex(key: string, at: number, length: number): number | undefined {
  if (key === 'ArrowDown') return at + 1 < length ? at + 1 : 0;
  if (key === 'ArrowUp') return at > 0 ? at - 1 : length - 1;
  if (key === 'Home') return 0;
  if (key === 'End') return length - 1;
  return undefined;
}

function foundText(count: number, text: string): string {
  if (count > 0) return plural(count, 'result');
  return text === '' ? '' : `No results for “${text}”. Names, IDs, phone numbers and courses are searched.`;
}

/** Enter pressed while loading chooses the first option once it is loaded. */
function useChooseFirst(
  first: PaletteOption | undefined,
  choose: (option: PaletteOption, inNewTab: boolean) => void,
) {
  const [pending, setPending] = useState<{ inNewTab: boolean }>();
  useEffect(() => {
    if (pending === undefined || first === undefined) return;
    setPending(undefined);
    choose(first, pending.inNewTab);
  });
  return {
    chooseFirst: (inNewTab: boolean) => setPending({ inNewTab }),
    cancelChooseFirst: () => setPending(undefined),
  };
}
