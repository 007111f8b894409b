import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { FieldError, fieldId } from './field.tsx';

interface FieldGroupProps {
  legend: string;
  /** The id for links from the error summary is derived from it. */
  name: string;
  hint: ReactNode;
  error: string | undefined;
  children: ReactNode;
}

/** Fields that belong together, with one hint and one error. */
export function FieldGroup({ legend, name, hint, error, children }: FieldGroupProps) {
  const id = fieldId(name);
  return (
    <fieldset
      id={id}
      tabIndex={-1}
      aria-describedby={classNames(error !== undefined && `${id}-error`, `${id}-hint`)}
      className="min-w-0"
    >
      <legend className="mb-1.25 font-[540] text-label">{legend}</legend>
      <div className="mb-3 grid gap-1.25">
        <p id={`${id}-hint`} className="text-fg-3 text-label">
          {hint}
        </p>
        {error !== undefined && <FieldError id={`${id}-error`}>{error}</FieldError>}
      </div>
      <div className="form-grid">{children}</div>
    </fieldset>
  );
}
