import type { ReactNode } from 'react';
import { FormDialog } from '../forms/form-dialog.tsx';
import { ApiError } from '../lib/api.ts';
import { PasswordField } from '../ui/fields/password-field.tsx';
import { refuseAt } from './password-errors.ts';

interface ConfirmPasswordDialogProps {
  title: string;
  /** Tells the user what happens on confirmation. */
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
      run={({ [PASSWORD]: password }) => onAct(password).catch(refuseAt(PASSWORD)).catch(moveToField)}
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

/** A password that the server refuses otherwise is shown at the same field. */
function moveToField(error: unknown): never {
  if (!(error instanceof ApiError) || error.errors.password === undefined) throw error;
  throw new ApiError(422, error.message, { errors: { [PASSWORD]: error.errors.password } });
}
