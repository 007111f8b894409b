import type { ReactNode } from 'react';
import { FormDialog } from '../forms/form-dialog.tsx';
import { ApiError } from '../lib/api.ts';
import { PasswordField } from '../ui/fields/password-field.tsx';
import { toPasswordError } from './password-errors.ts';

interface ConfirmPasswordDialogProps {
  title: string;
  /** What happens on confirmation. */
  text: ReactNode;
  /** The label of the button that confirms. */
  act: string;
  tone?: 'primary' | 'danger';
  /** Throws what the server refuses. The message of the reply is shown. */
  onAct: (password: string) => Promise<unknown>;
  onClose: () => void;
}

/** Named apart from the fields of the page. */
const PASSWORD = 'proof-password';

/** Asks for the current user's password before a sensitive action. */
export function ConfirmPasswordDialog({
  title,
  text,
  act,
  tone = 'primary',
  onAct,
  onClose,
}: ConfirmPasswordDialogProps) {
  return (
    <FormDialog
      title={title}
      fields={{ [PASSWORD]: '' }}
      action={act}
      variant={tone}
      failure="This could not be done. Try again."
      run={async ({ [PASSWORD]: password }) => {
        try {
          return await onAct(password);
        } catch (error) {
          throw toProofError(error);
        }
      }}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <div className="text-fg-2">{text}</div>
          <PasswordField
            {...field(PASSWORD)}
            label="Your Current Password"
            autoComplete="current-password"
            required
          />
        </>
      )}
    </FormDialog>
  );
}

/** A wrong password is shown at its field. */
function toProofError(error: unknown): unknown {
  const refusal = toPasswordError(error);
  if (!(refusal instanceof ApiError) || refusal.errors.password === undefined) return refusal;
  return new ApiError(422, refusal.message, { errors: { [PASSWORD]: refusal.errors.password } });
}
