import { Form } from '../../forms/form.tsx';
import { useDebouncedText } from '../../lib/use-debounced.ts';
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
  const { text, type, flush, cancel } = useDebouncedText({ value, onApply: onChange });
  /** Then the field shows the threshold in effect: an empty one is the default. */
  const settle = () => {
    flush();
    cancel();
  };
  return (
    <Form className="w-44" onBlur={settle} onSubmit={settle}>
      <NumberField {...field} value={text} onChange={type} min={0} max={max} step={step} />
    </Form>
  );
}
