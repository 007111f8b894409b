import { Fragment, useEffect, useRef } from 'react';
import { Alert } from '../../ui/alert.tsx';
import { fieldId } from '../../ui/fields/field.tsx';

const NUMBERS =
  'No One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen Fifteen Sixteen Seventeen Eighteen Nineteen Twenty'.split(
    ' ',
  );

interface ErrorSummaryProps {
  /** The error text of every invalid field. A new object moves the focus to the summary again. */
  errors: Partial<Record<string, string>>;
  /** The labels of the fields, in their order on the screen. */
  labels: Readonly<Record<string, string>>;
}

/** Lists the invalid fields above the form, with links to them. */
export function ErrorSummary({ errors, labels }: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  const order = Object.keys(labels);
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  const names = Object.keys(errors).sort((a, b) => rank(a) - rank(b));

  useEffect(() => {
    if (Object.keys(errors).length > 0) box.current?.focus();
  }, [errors]);

  if (names.length === 0) return null;
  const count = NUMBERS[names.length] ?? names.length;
  return (
    <Alert ref={box} className="mb-5">
      <b className="font-semibold">
        {count} {names.length === 1 ? 'field needs' : 'fields need'} attention.
      </b>{' '}
      {names.map((name, index) => (
        <Fragment key={name}>
          {index > 0 && ', '}
          <FieldLink name={name} label={labels[name]} text={errors[name]} />
        </Fragment>
      ))}
    </Alert>
  );
}

/** A field that this form does not show can't be linked to, so its text is shown instead. */
function FieldLink({
  name,
  label,
  text,
}: {
  name: string;
  label: string | undefined;
  text: string | undefined;
}) {
  if (label === undefined) return <span>{text}</span>;
  return (
    <a
      href={`#${fieldId(name)}`}
      onClick={(event) => {
        event.preventDefault();
        document.getElementById(fieldId(name))?.focus();
      }}
    >
      {label}
    </a>
  );
}
