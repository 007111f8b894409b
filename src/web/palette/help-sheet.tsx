import { X } from 'lucide-react';
import { Fragment, useId } from 'react';
import { useMayWrite } from '../session.ts';
import { IconButton } from '../ui/button.tsx';
import { switchSingleKeys, useSingleKeys } from '../ui/single-keys.ts';
import { Key } from '../ui/small-parts.tsx';
import { useModal } from '../ui/use-modal.ts';
import { keyName, PALETTE_KEYS } from './key-names.ts';
import { screensFor } from './places.ts';

interface Shortcut {
  keys: readonly string[];
  does: string;
  /** The keys are pressed one after the other; else either of them does it. */
  inTurn?: boolean;
}

const ANYWHERE: readonly Shortcut[] = [
  { keys: [PALETTE_KEYS], does: 'Search or jump to' },
  { keys: ['F8'], does: 'Go to the button of a message' },
  { keys: ['Esc'], does: 'Close what lies on top, cancel loading, clear a search' },
  { keys: ['↑', '↓'], does: 'Go through the rows of the students' },
  { keys: ['Space'], does: 'Choose the student of the row' },
  { keys: ['←', '→'], does: 'Go between semesters and between the bars of a chart' },
];
const SINGLE: readonly Shortcut[] = [
  { keys: ['?'], does: 'Show these shortcuts' },
  { keys: ['/'], does: 'Search the list' },
];

/** Every shortcut there is, and the switch for those of single keys. */
export function HelpSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const dialog = useModal(isOpen);
  const titleId = useId();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a press beside the sheet is an extra; Escape and the X are there.
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className="layer layer-palette"
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
      onClose={() => {
        if (isOpen) onClose();
      }}
    >
      <div className="flex min-h-13 shrink-0 items-center gap-3 border-line border-b ps-5 pe-3">
        <h2 id={titleId} className="flex-1">
          Keyboard shortcuts
        </h2>
        <IconButton label="Close" onClick={onClose}>
          <X strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
      </div>
      {isOpen && <Shortcuts />}
    </dialog>
  );
}

function Shortcuts() {
  const areOn = useSingleKeys();
  const screens = screensFor(useMayWrite());
  const pairs = screens.flatMap(({ keys, name, creates }) =>
    keys ? [{ keys, does: creates ? name : `Go to ${name}`, inTurn: true }] : [],
  );
  return (
    // A part that scrolls must be reachable by keyboard.
    <section
      aria-label="Shortcuts"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: see above.
      tabIndex={0}
      className="min-h-0 overflow-y-auto px-5 pt-2 pb-5 -outline-offset-2"
    >
      <ShortcutList shortcuts={ANYWHERE} />
      <label className="mt-4 mb-1 flex items-start gap-2.5 rounded-control bg-sunken p-3">
        <input
          type="checkbox"
          checked={areOn}
          onChange={(event) => switchSingleKeys(event.target.checked)}
          className="mt-0.5 size-4 shrink-0 accent-(--ink)"
        />
        <span>
          <span className="block font-[540]">Shortcuts of single keys</span>
          <span className="text-fg-3 text-label">
            Switch them off when a key that is pressed by chance, or a spoken word, sets something off.
          </span>
        </span>
      </label>
      {areOn && <ShortcutList shortcuts={[...SINGLE, ...pairs]} />}
    </section>
  );
}

function ShortcutList({ shortcuts }: { shortcuts: readonly Shortcut[] }) {
  return (
    <dl>
      {shortcuts.map(({ keys, does, inTurn }) => (
        <div key={does} className="flex min-h-9 items-center gap-4 border-line border-b py-1 last:border-0">
          <dt className="flex-1">{does}</dt>
          <dd className="flex shrink-0 items-center gap-1 text-caption text-fg-3">
            {keys.map((key, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the keys of a shortcut stand still, and can be twice the same.
              <Fragment key={i}>
                {i > 0 && inTurn && 'then'}
                <Key>{keyName(key)}</Key>
              </Fragment>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}
