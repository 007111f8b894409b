import { CornerDownLeft } from 'lucide-react';
import { type MouseEvent, useEffect, useRef } from 'react';
import { keyLabel } from '../lib/keyboard-shortcuts.ts';
import { Highlight } from '../ui/highlight.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { GROUPS, type PaletteOption } from './options.ts';

interface PaletteListProps {
  id: string;
  options: readonly PaletteOption[];
  marked: PaletteOption | undefined;
  /** The search terms to mark. */
  terms: readonly string[];
  onMark: (id: string) => void;
  onChoose: (option: PaletteOption, inNewTab: boolean) => void;
}

/** The listbox below the field. It never has the focus. */
export function PaletteList({ id, options, ...list }: PaletteListProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Results"
      tabIndex={-1}
      className="min-h-0 overflow-y-auto p-2 empty:p-0"
    >
      {GROUPS.map((group) => {
        const inGroup = options.filter((option) => option.group === group);
        return inGroup.length === 0 ? null : (
          // biome-ignore lint/a11y/useSemanticElements: HTML has no element for a group in a listbox.
          <div key={group} role="group" aria-label={group}>
            <p aria-hidden="true" className="px-2.5 pt-2 pb-1 font-[540] text-caption text-fg-3">
              {group}
            </p>
            {inGroup.map((option) => (
              <Option key={option.id} listId={id} option={option} {...list} />
            ))}
          </div>
        );
      })}
    </div>
  );
}

interface OptionProps extends Omit<PaletteListProps, 'id' | 'options'> {
  listId: string;
  option: PaletteOption;
}

function Option({ listId, option, marked, terms, onMark, onChoose }: OptionProps) {
  const isMarked = option === marked;
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isMarked) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isMarked]);
  const { Icon } = option;
  const press = (event: MouseEvent) => onChoose(option, event.ctrlKey || event.metaKey || event.button === 1);
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and points to the active option.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys.
    <div
      ref={row}
      id={`${listId}${option.id}`}
      role="option"
      aria-selected={isMarked}
      className="palette-option"
      onPointerMove={() => {
        if (!isMarked) onMark(option.id);
      }}
      // Keeps the focus in the field.
      onMouseDown={(event) => event.preventDefault()}
      onClick={press}
      onAuxClick={(event) => {
        if (event.button === 1) press(event);
      }}
    >
      <Icon className="size-4 shrink-0 text-fg-3" />
      <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
        <b className="min-w-0 font-[540] wrap-break-word">
          <Highlight text={option.label} terms={terms} />
        </b>
        {option.detail !== undefined && (
          <span className="min-w-0 text-fg-3 text-label wrap-break-word">
            {/* Otherwise name and detail would be read as one word. */}{' '}
            <Highlight text={option.detail} terms={terms} />
          </span>
        )}
      </span>
      <span aria-hidden="true" className="flex shrink-0 gap-1 pointer-coarse:hidden">
        {option.keys?.map((key, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is static, and a key can occur twice.
          <Kbd key={i}>{keyLabel(key)}</Kbd>
        ))}
        {isMarked && option.keys === undefined && <CornerDownLeft className="size-3.5 text-fg-3" />}
      </span>
    </div>
  );
}
