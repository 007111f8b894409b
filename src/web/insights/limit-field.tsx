import { NumberField } from '../ui/fields.tsx';
import { useTyped } from './use-typed.ts';

interface LimitFieldProps {
  label: string;
  name: string;
  value: string;
  onChange: (text: string) => void;
  error?: string | undefined;
  max?: number;
  step?: number;
}

/** A limit that the figures below follow while it is typed. */
export function LimitField({ value, onChange, max = 4, step = 0.05, ...field }: LimitFieldProps) {
  const { text, type, settle } = useTyped(value, onChange);
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
