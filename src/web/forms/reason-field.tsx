import { REASON_LENGTH } from '../../domain/reason.ts';
import { TextAreaField } from '../ui/fields/input-fields.tsx';

interface ReasonFieldProps {
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
  /** Why the reason is needed. */
  hint?: string;
}

/** Why an administrator changes results that come from mark sheets. */
export function ReasonField({ value, onChange, error, hint = 'Stands in the history.' }: ReasonFieldProps) {
  return (
    <TextAreaField
      label="Reason"
      name="reason"
      value={value}
      onChange={onChange}
      error={error}
      hint={`${hint} ${REASON_LENGTH.min} to ${REASON_LENGTH.max} characters.`}
      required
      rows={2}
    />
  );
}

export const hasReason = (reason: string): boolean => reason.trim().length >= REASON_LENGTH.min;
