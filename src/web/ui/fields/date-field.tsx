import { dateInWords } from '../../lib/format.ts';
import { Field, type FieldProps } from './field.tsx';

interface DateFieldProps extends Omit<FieldProps, 'hint'> {
  min?: string | undefined;
  max?: string | undefined;
  /** Adds the age that somebody born on this day has now. */
  showsAge?: boolean | undefined;
}

/**
 * With the date in words below: browsers show dates in the order of their own language, where the third of April and the
 * fourth of March look alike.
 */
export function DateField({ value, onChange, min, max, showsAge = false, ...field }: DateFieldProps) {
  return (
    <Field
      {...field}
      // Keeps its line while empty, so that nothing below moves. Present before the first date, so that it is announced.
      hint={
        <span aria-live="polite" className="block min-h-4.5">
          {dateInWords(value, showsAge)}
        </span>
      }
    >
      {(control) => (
        <input
          {...control}
          type="date"
          value={value}
          onChange={(event) => onChange(event.target.value)}
          min={min}
          max={max}
          readOnly={field.readOnly}
          autoComplete={field.autoComplete}
          className="control"
        />
      )}
    </Field>
  );
}
