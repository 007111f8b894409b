import { TextAreaField } from '../../ui/fields/input-fields.tsx';

interface StepReasonFieldProps {
  name: string;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}

/** The reason of a step that stands in the history with it. */
export function StepReasonField(field: StepReasonFieldProps) {
  return (
    <TextAreaField
      {...field}
      label="Reason"
      hint="Stands in the history. It can’t be changed later."
      required
      rows={3}
    />
  );
}
