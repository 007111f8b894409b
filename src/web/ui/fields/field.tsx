import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';

/** Props that all fields share. */
export interface FieldProps {
  label: ReactNode;
  /** The name of the value in the API; the id for links from the error summary is derived from it. */
  name: string;
  value: string;
  onChange: (value: string) => void;
  /** Marks the field as invalid; an empty text marks it without a message. */
  error?: string | undefined;
  hint?: ReactNode;
  required?: boolean | undefined;
  readOnly?: boolean | undefined;
  autoComplete?: string | undefined;
  placeholder?: string | undefined;
  /** The span in a form grid, e.g. `xs:col-span-6`. */
  className?: string | undefined;
}

/** Attributes that link the control to its label, hint and error. */
interface ControlProps {
  id: string;
  name: string;
  required: boolean | undefined;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

export function fieldId(name: string): string {
  return `field-${name}`;
}

interface FieldLayoutProps extends Omit<FieldProps, 'value' | 'onChange'> {
  children: (control: ControlProps) => ReactNode;
}

/** Label above, hint and error below, linked to the control that `children` renders. */
export function Field({ label, name, error, hint, required, className, children }: FieldLayoutProps) {
  const id = fieldId(name);
  const described = [error && `${id}-error`, hint !== undefined && `${id}-hint`].filter(Boolean);
  return (
    <div className={classNames('flex min-w-0 flex-col gap-1.25', className)}>
      <label htmlFor={id} className="font-[540] text-label">
        {label}
        {required && (
          <span className="ms-0.5 font-semibold text-danger-text" aria-hidden="true">
            *
          </span>
        )}
      </label>
      {children({
        id,
        name,
        required,
        'aria-invalid': error === undefined ? undefined : true,
        'aria-describedby': described.join(' ') || undefined,
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-fg-3 text-label">
          {hint}
        </p>
      )}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  );
}

export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} className="field-error flex gap-1.25 font-[520] text-danger-text text-label">
      <CircleAlert className="mt-0.5 size-3.5 shrink-0" />
      <span className="min-w-0 wrap-break-word">{children}</span>
    </p>
  );
}
