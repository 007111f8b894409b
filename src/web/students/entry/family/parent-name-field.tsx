import { useId, useState } from 'react';
import { Field, type FieldProps } from '../../../ui/fields/field.tsx';
import { Kbd } from '../../../ui/kbd.tsx';
import { completeName } from './complete-name.ts';

interface ParentNameFieldProps extends FieldProps {
  /** Of the student; most parents have it too. */
  lastName: string;
}

/** A text field that offers the last name of the student after what is typed: an arrow key or a click takes it. */
export function ParentNameField({ lastName, value, onChange, ...field }: ParentNameFieldProps) {
  const offerId = useId();
  const [isTyping, setIsTyping] = useState(false);
  const offered = isTyping ? completeName(value, lastName) : undefined;
  const take = () => {
    if (offered !== undefined) onChange(offered);
  };
  return (
    <Field {...field}>
      {({ 'aria-describedby': describedBy, ...control }) => (
        <div className="relative flex">
          <input
            {...control}
            type="text"
            aria-describedby={[describedBy, offered && offerId].filter(Boolean).join(' ') || undefined}
            autoComplete="off"
            className="control"
            value={value}
            onChange={(event) => {
              setIsTyping(true);
              onChange(event.target.value);
            }}
            onBlur={() => setIsTyping(false)}
            onKeyDown={(event) => {
              if (event.key !== 'ArrowDown' || offered === undefined) return;
              event.preventDefault();
              take();
            }}
          />
          {offered !== undefined && (
            <button
              type="button"
              id={offerId}
              tabIndex={-1}
              className="absolute top-full left-0 z-20 mt-1 flex min-h-8 max-w-full items-center gap-x-2 rounded-panel border border-line-2 bg-paper px-2.5 py-1 text-start shadow-2 hover:bg-hover pointer-coarse:min-h-11"
              // Keeps the focus in the field.
              onMouseDown={(event) => event.preventDefault()}
              onClick={take}
            >
              <Kbd>↓</Kbd>

              <span className="wrap-anywhere">{offered}</span>
            </button>
          )}
        </div>
      )}
    </Field>
  );
}
