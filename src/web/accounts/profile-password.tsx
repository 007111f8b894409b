import { type FormEvent, useMemo } from 'react';
import type { MessageReply } from '../../contract/errors.ts';
import { call } from '../api.ts';
import { formField } from '../forms/form-field.ts';
import { type FieldErrors, useDraftForm } from '../forms/use-draft-form.ts';
import { flash } from '../shell/flash.tsx';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorSummary } from '../ui/error-summary.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { passwordErrors } from './password-errors.ts';
import { refusedPassword } from './refused-password.ts';

const EMPTY = { old_password: '', password: '', password_confirmation: '' };
const SECRETS = ['old_password', 'password', 'password_confirmation'] as const;
const LABELS = {
  old_password: 'Current Password',
  password: 'New Password',
  password_confirmation: 'Confirm Password',
} as const;

interface ProfilePasswordProps {
  userId: number;
  onSaved: () => void;
}

/** Sets a new password of one's own. */
export function ProfilePassword({ userId, onSaved }: ProfilePasswordProps) {
  const form = useDraftForm({ draftKey: 'profile-password', initial: EMPTY, secrets: SECRETS });
  const { password, confirmation } = passwordErrors(form.errors);
  const summary = useMemo(() => whereShown(form.errors), [form.errors]);

  const save = async () => {
    try {
      const body = { id: userId, ...form.values };
      const { message } = await call<MessageReply>('PUT', `/api/users/${userId}/change-password`, { body });
      flash(message);
      onSaved();
    } catch (error) {
      throw refusedPassword(error, 'old_password');
    }
  };
  const send = (event: FormEvent) => {
    event.preventDefault();
    void form.submit(save);
  };

  return (
    <form noValidate onSubmit={send}>
      <ErrorSummary errors={summary} labels={LABELS} />
      {form.failure !== null && <Alert className="mb-5">{form.failure}</Alert>}
      <div className="form-grid">
        <PasswordField
          {...formField(form, 'old_password')}
          label={LABELS.old_password}
          required
          autoComplete="current-password"
        />
        <PasswordField
          {...formField(form, 'password')}
          label={LABELS.password}
          required
          autoComplete="new-password"
          hint="At least 8 characters."
          error={password}
        />
        <PasswordField
          {...formField(form, 'password_confirmation')}
          label={LABELS.password_confirmation}
          required
          autoComplete="new-password"
          error={confirmation}
        />
      </div>
      <Button type="submit" variant="primary" processing={form.isProcessing} className="mt-5">
        Update Password
      </Button>
    </form>
  );
}

/** The refused fields as they are marked, for links that lead there. */
function whereShown(errors: FieldErrors): FieldErrors {
  const { confirmation, isMismatch } = passwordErrors(errors);
  if (!isMismatch) return errors;
  const { password: _, ...others } = errors;
  return { ...others, password_confirmation: confirmation };
}
