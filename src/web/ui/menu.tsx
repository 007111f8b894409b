import { Link } from '@tanstack/react-router';
import { Ellipsis, type LucideIcon } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import { keyLabel } from '../lib/keyboard-shortcuts.ts';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { Kbd } from './kbd.tsx';

export interface MenuItem {
  label: string;
  /** Below the label: what it is for. */
  text?: string;
  Icon?: LucideIcon;
  /** Where it leads, or what it does. */
  to?: string;
  search?: Readonly<Record<string, string>>;
  onSelect?: () => void;
  /** The keys that do the same on the page, shown at the right. */
  keys?: readonly string[];
  isDisabled?: boolean;
  className?: string;
}

export interface MenuGroup {
  title?: string;
  items: readonly (MenuItem | false)[];
}

interface MoreMenuProps {
  groups: readonly MenuGroup[];
  className?: string | undefined;
}

/** The button 'More' with what is seldom needed. What the user may not do is missing from it. */
export function MoreMenu({ groups, className }: MoreMenuProps) {
  return (
    <Menu
      groups={groups}
      button={
        <>
          <Ellipsis />
          More
        </>
      }
      className={className}
    />
  );
}

interface MenuProps extends MoreMenuProps {
  button: ReactNode;
  /** The name of the button, where its content does not say what it opens. */
  label?: string;
  isDisabled?: boolean;
  /** Above the groups. */
  note?: string;
}

/** A button that opens a menu: arrows, Home and End go through it, Escape and Tab close it. A sheet from the bottom on phones. */
export function Menu({ groups, button, label, isDisabled = false, note, className }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  const id = useId();
  const filled = groups
    .map(({ title, items }) => ({ title, items: items.filter((item) => item !== false) }))
    .filter(({ items }) => items.length > 0);
  /** Gives the focus back to the button, so that a dialog that opens now gives it back there too. */
  const close = () => menu.current?.hidePopover();

  const move = (event: KeyboardEvent) => {
    if (event.key === 'Tab') return close();
    const all = menu.current?.querySelectorAll<HTMLElement>('[role="menuitem"]:not(:disabled)') ?? [];
    // Some are not shown on screens of this size.
    const items = [...all].filter((item) => item.getClientRects().length > 0);
    const at = items.findIndex((item) => item.matches(':focus'));
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    items.at(next % items.length)?.focus();
  };

  if (filled.length === 0) return null;
  return (
    <>
      <Button
        popoverTarget={id}
        aria-haspopup="menu"
        aria-label={label}
        disabled={isDisabled}
        className={className}
      >
        {button}
      </Button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label ?? 'More'}
        tabIndex={-1}
        className="menu"
        onKeyDown={move}
        onToggle={({ newState, currentTarget }) => {
          if (newState === 'open') currentTarget.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
        }}
      >
        {note !== undefined && <p className="menu-title">{note}</p>}
        {filled.map(({ title, items }, i) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a menu.
          <div
            key={title ?? items[0]?.label}
            role="group"
            aria-label={title ?? `Group ${i + 1}`}
            className="menu-group"
          >
            {title !== undefined && (
              <p aria-hidden="true" className="menu-title">
                {title}
              </p>
            )}
            {items.map((item) => (
              <Item key={item.label} item={item} onClose={close} />
            ))}
          </div>
        ))}
      </div>
    </>
  );
}

function Item({ item, onClose }: { item: MenuItem; onClose: () => void }) {
  const { label, text, Icon, to, search, onSelect, keys = [], isDisabled, className } = item;
  const content = (
    <>
      {Icon && <Icon />}
      <span className="min-w-0 flex-1">
        <span className={classNames('block', text !== undefined && 'font-[560]')}>{label}</span>
        {text !== undefined && <span className="block text-fg-3 text-label">{text}</span>}
      </span>
      {keys.length > 0 && (
        // `aria-keyshortcuts` tells them to assistive technology.
        <span aria-hidden="true" className="flex gap-1 pointer-coarse:hidden">
          {keys.map((key) => (
            <Kbd key={key}>{keyLabel(key)}</Kbd>
          ))}
        </span>
      )}
    </>
  );
  const shared = {
    role: 'menuitem',
    tabIndex: -1,
    'aria-keyshortcuts': keys.length === 0 ? undefined : keys.map(keyLabel).join('+'),
    className: classNames('menu-item', className),
  };
  if (to !== undefined) {
    return (
      <Link to={to} search={search ?? {}} onClick={onClose} {...shared}>
        {content}
      </Link>
    );
  }
  return (
    <button
      type="button"
      disabled={isDisabled}
      onClick={() => {
        onClose();
        onSelect?.();
      }}
      {...shared}
    >
      {content}
    </button>
  );
}
