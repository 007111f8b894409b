import { useDebouncedText } from '../../../lib/use-debounced.ts';
import { Field } from '../../../ui/fields/field.tsx';

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
  const { text, isWaiting, type, flush } = useDebouncedText({ value, onApply: onValue, isValid });
  const isAccepted = text.trim() === '' || isValid === undefined || isValid(text.trim());
  return (
    <Field {...field} error={isAccepted || isWaiting ? undefined : errorText}>
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
          onChange={(event) => type(event.target.value)}
          onBlur={flush}
          onKeyDown={(event) => {
            if (event.key === 'Enter') flush();
          }}
        />
      )}
    </Field>
  );
}
