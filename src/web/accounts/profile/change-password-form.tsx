import { useMemo } from 'react';
import { Form } from '../../forms/form.tsx';
import { ErrorSummary } from '../../forms/messages/error-summary.tsx';
import { type FieldErrors, fieldProps, useDraftForm } from '../../forms/use-draft-form.ts';
import { call } from '../../lib/call.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { flash } from '../../ui/flash.tsx';
import { passwordErrors, refuseAt } from '../password-errors.ts';

const EMPTY = { old_password: '', password: '', password_confirmation: '' };
const SECRETS = ['old_password', 'password', 'password_confirmation'] as const;
const LABELS = {
  old_password: 'Current Password',
  password: 'New Password',
  password_confirmation: 'Confirm Password',
} as const;

interface ChangePasswordFormProps {
  userId: number;
  onSaved: () => void;
}

/** Changes the user's own password. */
export function ChangePasswordForm({ userId, onSaved }: ChangePasswordFormProps) {
  const form = useDraftForm({ draftKey: 'profile-password', initial: EMPTY, secrets: SECRETS });
  const { password, confirmation } = passwordErrors(form.errors);
  const summary = useMemo(() => toShownErrors(form.errors), [form.errors]);

  const send = () =>
    form.submit(async () => {
      const body = { id: userId, ...form.values };
      const change = call('PUT /api/users/:id/change-password', { params: { id: userId }, body });
      const { message } = await change.catch(refuseAt('old_password'));
      flash(message);
      onSaved();
    });

  return (
    <Form onSubmit={send}>
      <ErrorSummary errors={summary} labels={LABELS} />
      {form.failure !== null && <Alert className="mb-5">{form.failure}</Alert>}
      <div className="form-grid">
        <PasswordField
          {...fieldProps(form, 'old_password')}
          label={LABELS.old_password}
          required
          autoComplete="current-password"
        />
        <PasswordField
          {...fieldProps(form, 'password')}
          label={LABELS.password}
          required
          autoComplete="new-password"
          hint="At least 8 characters."
          error={password}
        />
        <PasswordField
          {...fieldProps(form, 'password_confirmation')}
          label={LABELS.password_confirmation}
          required
          autoComplete="new-password"
          error={confirmation}
        />
      </div>
      <Button type="submit" variant="primary" processing={form.isProcessing} className="mt-5">
        Update Password
      </Button>
    </Form>
  );
}

/** The fields with errors, for the links in the error summary. */
function toShownErrors(errors: FieldErrors): FieldErrors {
  const { confirmation, isMismatch } = passwordErrors(errors);
  if (!isMismatch) return errors;
  const { password: _, ...others } = errors;
  return { ...others, password_confirmation: confirmation };
}
