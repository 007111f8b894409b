import { useEffect, useRef, useState } from 'react';
import { Field } from '../ui/field.tsx';

const TYPING_PAUSE = 400;

interface TypedFilterProps {
  label: string;
  name: string;
  /** What the list is filtered by; the field may be ahead of it. */
  value: string;
  onValue: (value: string) => void;
  placeholder?: string;
  inputMode?: 'decimal';
  isValid?: (text: string) => boolean;
  /** What is said of anything else. */
  whatIsValid?: string;
}

/** A filter that is written: it takes effect after a pause. What means nothing stays, with words for it, and changes nothing. */
export function TypedFilter({ value, onValue, isValid, whatIsValid, inputMode, ...field }: TypedFilterProps) {
  const [text, setText] = useState(value);
  const [isSettled, setIsSettled] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const known = useRef(value);
  useEffect(() => () => clearTimeout(timer.current), []);
  // Changed elsewhere: by a chip, a saved view, or the way back.
  useEffect(() => {
    if (value === known.current) return;
    known.current = value;
    setText(value);
  }, [value]);

  const isGood = text.trim() === '' || isValid === undefined || isValid(text.trim());
  const apply = (newText: string) => {
    clearTimeout(timer.current);
    setIsSettled(true);
    const trimmed = newText.trim();
    if (trimmed !== '' && isValid?.(trimmed) === false) return;
    if (trimmed === known.current) return;
    known.current = trimmed;
    onValue(trimmed);
  };
  return (
    <Field {...field} error={isGood || !isSettled ? undefined : whatIsValid}>
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
            clearTimeout(timer.current);
            timer.current = setTimeout(() => apply(typed), TYPING_PAUSE);
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
