import { useState } from 'react';
import { useDebounced } from '../../lib/use-debounced.ts';
import { NumberField } from '../../ui/fields/input-fields.tsx';

interface ThresholdFieldProps {
  label: string;
  name: string;
  value: string;
  onChange: (text: string) => void;
  error?: string | undefined;
  max?: number;
  step?: number;
}

/** A threshold; the figures below it update while it is typed. */
export function ThresholdField({ value, onChange, max = 4, step = 0.05, ...field }: ThresholdFieldProps) {
  const { text, type, settle } = useDebouncedInput(value, onChange);
  return (
    <form
      className="w-44"
      noValidate
      onBlur={settle}
      onSubmit={(event) => {
        event.preventDefault();
        settle();
      }}
    >
      <NumberField {...field} value={text} onChange={type} min={0} max={max} step={step} />
    </form>
  );
}

/** Browsers limit how often a page may change its URL. */
const TYPING_PAUSE_MS = 400;

/** A text field over a stored value: `store` is called after a pause in typing, or immediately by `settle`. */
function useDebouncedInput(stored: string, store: (text: string) => void) {
  const [typed, setTyped] = useState<string>();
  const debounced = useDebounced(store, TYPING_PAUSE_MS);
  const type = (text: string) => {
    setTyped(text);
    debounced.run(text);
  };
  const settle = () => {
    debounced.cancel();
    if (typed === undefined) return;
    store(typed);
    setTyped(undefined);
  };
  return { text: typed ?? stored, type, settle };
}
