import { useEffect, useRef, useState } from 'react';
import { useDebounced } from '../../../lib/use-debounced.ts';
import { Field } from '../../../ui/fields/field.tsx';

const TYPING_PAUSE_MS = 400;

interface DebouncedFilterProps {
  label: string;
  name: string;
  /** The filter in effect; the text in the field may be newer. */
  value: string;
  onValue: (value: string) => void;
  placeholder?: string;
  inputMode?: 'decimal';
  isValid?: (text: string) => boolean;
  /** The error text for an invalid value. */
  errorText?: string;
}

/** A filter to type, which takes effect after a pause. An invalid text stays in the field with an error and changes nothing. */
export function DebouncedFilter({
  value,
  onValue,
  isValid,
  errorText,
  inputMode,
  ...field
}: DebouncedFilterProps) {
  const [text, setText] = useState(value);
  const [isSettled, setIsSettled] = useState(false);
  const applied = useRef(value);
  // Changed elsewhere: by a chip, a saved view, or the browser's Back.
  useEffect(() => {
    if (value === applied.current) return;
    applied.current = value;
    setText(value);
  }, [value]);

  const isAccepted = text.trim() === '' || isValid === undefined || isValid(text.trim());
  const apply = (newText: string) => {
    cancel();
    setIsSettled(true);
    const trimmed = newText.trim();
    if (trimmed !== '' && isValid?.(trimmed) === false) return;
    if (trimmed === applied.current) return;
    applied.current = trimmed;
    onValue(trimmed);
  };
  const { run: applyLater, cancel } = useDebounced(apply, TYPING_PAUSE_MS);
  return (
    <Field {...field} error={isAccepted || !isSettled ? undefined : errorText}>
      {(control) => (
        <input
          {...control}
          type="text"
          inputMode={inputMode}
          maxLength={20}
          autoComplete="off"
          placeholder={field.placeholder}
          className="control"
          value={text}
          onChange={(event) => {
            const typed = event.target.value;
            setText(typed);
            setIsSettled(false);
            applyLater(typed);
          }}
          onBlur={() => apply(text)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') apply(text);
          }}
        />
      )}
    </Field>
  );
}
