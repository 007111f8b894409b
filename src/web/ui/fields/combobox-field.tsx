import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Field, type FieldProps } from './field.tsx';

export interface ComboboxOption {
  value: string;
  label: string;
  /** Smaller text after the label. */
  detail?: string;
}

interface ComboboxFieldProps extends FieldProps {
  /** The options for the text as it is typed. */
  options: readonly ComboboxOption[];
  /** A choice from the list. */
  onChoose: (value: string) => void;
  /** The text has been typed and is left, by Enter, Tab or the mouse. */
  onTyped?: () => void;
  /** Enter chooses the only option, too. */
  takesOnlyOption?: boolean;
  /** Shows the list at every change of the text. Otherwise an arrow key or a click does. */
  opensOnTyping?: boolean;
}

/**
 * A text field with a list to choose from. Any text can be typed: the list only offers. Enter and Tab choose the option that
 * an arrow key has marked; no option is marked by typing, but Enter may take the only one.
 */
export function ComboboxField({
  options,
  value,
  onChange,
  onChoose,
  onTyped,
  opensOnTyping = false,
  takesOnlyOption = false,
  ...field
}: ComboboxFieldProps) {
  const listId = useId();
  const [isWanted, setIsWanted] = useState(false);
  const [marked, setMarked] = useState<string>();
  const isTyped = useRef(false);
  const isOpen = isWanted && options.length > 0;
  const place = isOpen ? options.findIndex((option) => option.value === marked) : -1;
  const optionId = (at: number) => `${listId}-${at}`;

  const close = () => {
    setIsWanted(false);
    setMarked(undefined);
  };
  const choose = (chosen: string) => {
    isTyped.current = false;
    close();
    onChoose(chosen);
  };
  const leave = () => {
    if (isTyped.current) onTyped?.();
    isTyped.current = false;
    close();
  };
  const mark = (step: 1 | -1) => {
    const from = isOpen ? place : options.findIndex((option) => option.value === value) - step;
    const next = from === -1 && step === -1 ? options.length - 1 : from + step;
    setIsWanted(true);
    setMarked(options[Math.min(options.length - 1, Math.max(0, next))]?.value);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (options.length > 0) mark(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      close();
    } else if (event.key === 'Enter' || event.key === 'Tab') {
      // Enter in an open list only chooses: the form is not sent.
      if (event.key === 'Enter' && isOpen) event.preventDefault();
      const isOnly =
        takesOnlyOption && event.key === 'Enter' && isOpen && isTyped.current && options.length === 1;
      const option = options[isOnly ? 0 : place];
      // At once: what handles the same key next, such as moving to the next field, needs the values that follow.
      flushSync(() => (option ? choose(option.value) : leave()));
    }
  };

  return (
    <Field {...field}>
      {(control) => (
        <div className="relative flex">
          <input
            {...control}
            type="text"
            role="combobox"
            aria-expanded={isOpen}
            aria-controls={isOpen ? listId : undefined}
            aria-activedescendant={place === -1 ? undefined : optionId(place)}
            aria-autocomplete="list"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            placeholder={field.placeholder}
            className="control"
            value={value}
            onChange={(event) => {
              isTyped.current = true;
              setMarked(undefined);
              setIsWanted(opensOnTyping && event.target.value.trim() !== '');
              onChange(event.target.value);
            }}
            // Not at the click: an error that appears when another field is left may move this one from under it.
            onMouseDown={() => setIsWanted(true)}
            onBlur={leave}
            onKeyDown={onKeyDown}
          />
          {isOpen && (
            <div
              id={listId}
              role="listbox"
              aria-label="Suggestions"
              tabIndex={-1}
              className="absolute top-full right-0 left-0 z-20 mt-1 max-h-75 overflow-y-auto rounded-panel border border-line-2 bg-paper p-1 shadow-2"
            >
              {options.map((option, at) => (
                <Option
                  key={option.value}
                  id={optionId(at)}
                  option={option}
                  isMarked={at === place}
                  onChoose={() => choose(option.value)}
                />
              ))}
            </div>
          )}
        </div>
      )}
    </Field>
  );
}

interface OptionProps {
  id: string;
  option: ComboboxOption;
  isMarked: boolean;
  onChoose: () => void;
}

function Option({ id, option, isMarked, onChoose }: OptionProps) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isMarked) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isMarked]);
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and points to the marked option.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys.
    <div
      ref={row}
      id={id}
      role="option"
      aria-selected={isMarked}
      className={`flex min-h-8 cursor-pointer flex-wrap items-center gap-x-3 rounded-control px-2.5 py-1 hover:bg-hover pointer-coarse:min-h-11 ${isMarked ? 'bg-press' : ''}`}
      // Keeps the focus in the field.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <span className="wrap-anywhere">{option.label}</span>
      {option.detail !== undefined && (
        <span className="text-fg-3 text-label">
          {/* Otherwise label and detail would be read as one word. */} {option.detail}
        </span>
      )}
    </div>
  );
}
