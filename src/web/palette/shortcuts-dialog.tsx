import { X } from 'lucide-react';
import { Fragment, useId } from 'react';
import {
  ENTER_SHORTCUT,
  keyLabel,
  PALETTE_SHORTCUT,
  setSingleKeyShortcuts,
  useSingleKeyShortcuts,
} from '../lib/keyboard-shortcuts.ts';
import { useCanWrite, useIsTeacher } from '../lib/session.ts';
import { IconButton } from '../ui/button.tsx';
import { Modal } from '../ui/dialog/modal.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { availableScreens } from './screens.ts';

interface Shortcut {
  keys: readonly string[];
  action: string;
  /** The keys are pressed in sequence; otherwise they are alternatives. */
  isSequence?: boolean;
}

const GLOBAL_SHORTCUTS: readonly Shortcut[] = [
  { keys: [PALETTE_SHORTCUT], action: 'Search or jump to' },
  { keys: [ENTER_SHORTCUT], action: 'Save the form' },
  { keys: ['F8'], action: 'Go to the button in the message' },
  { keys: ['Esc'], action: 'Close the dialog or menu, cancel loading, clear a search' },
  { keys: ['↑', '↓'], action: 'Move between the rows of students' },
  { keys: ['Space'], action: 'Select the student in the row' },
  { keys: ['←', '→'], action: 'Go between semesters and between the bars of a chart' },
];
const SINGLE_KEY_SHORTCUTS: readonly Shortcut[] = [
  { keys: ['?'], action: 'Show these shortcuts' },
  { keys: ['/'], action: 'Search the list' },
];

/** All shortcuts, and the switch for single-key shortcuts. */
export function ShortcutsDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const titleId = useId();
  return (
    <Modal
      isOpen={isOpen}
      onClose={onClose}
      name={{ id: titleId }}
      className="layer-palette"
      closesOnBackdrop
    >
      <div className="flex min-h-13 shrink-0 items-center gap-3 border-line border-b ps-5 pe-3">
        <h2 id={titleId} className="flex-1">
          Keyboard shortcuts
        </h2>
        <IconButton label="Close" onClick={onClose}>
          <X />
        </IconButton>
      </div>
      {isOpen && <Shortcuts />}
    </Modal>
  );
}

function Shortcuts() {
  const areEnabled = useSingleKeyShortcuts();
  const screens = availableScreens(useCanWrite(), { isTeacher: useIsTeacher() });
  const pairs = screens.flatMap(({ keys, name, creates }) =>
    keys ? [{ keys, action: creates ? name : `Go to ${name}`, isSequence: true }] : [],
  );
  return (
    <section
      aria-label="Shortcuts"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: focusable, so that it can be scrolled by keyboard.
      tabIndex={0}
      className="min-h-0 overflow-y-auto px-5 pt-2 pb-5 -outline-offset-2"
    >
      <ShortcutList shortcuts={GLOBAL_SHORTCUTS} />
      <label className="mt-4 mb-1 flex items-start gap-2.5 rounded-control bg-sunken p-3">
        <input
          type="checkbox"
          checked={areEnabled}
          onChange={(event) => setSingleKeyShortcuts(event.target.checked)}
          className="mt-0.5 size-4 shrink-0 accent-(--ink)"
        />
        <span>
          <span className="block font-[540]">Single-key shortcuts</span>
          <span className="text-fg-3 text-label">
            Turn them off if keys pressed by accident, or speech input, start actions.
          </span>
        </span>
      </label>
      {areEnabled && <ShortcutList shortcuts={[...SINGLE_KEY_SHORTCUTS, ...pairs]} />}
    </section>
  );
}

function ShortcutList({ shortcuts }: { shortcuts: readonly Shortcut[] }) {
  return (
    <dl>
      {shortcuts.map(({ keys, action, isSequence }) => (
        <div key={action} className="flex min-h-9 items-center gap-4 border-line border-b py-1 last:border-0">
          <dt className="flex-1">{action}</dt>
          <dd className="flex shrink-0 items-center gap-1 text-caption text-fg-3">
            {keys.map((key, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list is static, and a key can occur twice.
              <Fragment key={i}>
                {i > 0 && isSequence && 'then'}
                <Kbd>{keyLabel(key)}</Kbd>
              </Fragment>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}
