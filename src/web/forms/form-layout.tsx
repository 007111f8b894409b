import type { ReactNode } from 'react';

interface FormSectionProps {
  title: ReactNode;
  text?: ReactNode;
  /** Fields in a grid of 12 columns; each spans the whole row unless its class says otherwise. */
  children: ReactNode;
}

export function FormSection({ title, text, children }: FormSectionProps) {
  return (
    <section className="grid gap-x-12 gap-y-4 border-line border-t py-7 lg:grid-cols-[232px_minmax(0,1fr)]">
      <div>
        <h2>{title}</h2>
        {text !== undefined && <p className="mt-1 max-w-[34ch] text-fg-3 text-label">{text}</p>}
      </div>
      <div className="form-grid">{children}</div>
    </section>
  );
}

interface FormFooterProps {
  /** Replaces the note about required fields; null for none. */
  note?: ReactNode;
  children: ReactNode;
}

/** The bar with a form's buttons, sticky at the bottom. */
export function FormFooter({ note, children }: FormFooterProps) {
  return (
    <div className="form-foot flex items-center gap-2 py-3 max-md:flex-wrap max-md:[&>button[type=submit]]:grow">
      {note !== null && (
        <p className="flex-1 text-fg-3 text-label max-md:hidden">
          {note === undefined ? <RequiredNote /> : note}
        </p>
      )}
      {children}
    </div>
  );
}

function RequiredNote() {
  return (
    <>
      Fields marked{' '}
      <span className="font-semibold text-danger-text" aria-hidden="true">
        *
      </span>
      <span className="sr-only">with an asterisk</span> are required.
    </>
  );
}
