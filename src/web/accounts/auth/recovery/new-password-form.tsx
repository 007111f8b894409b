import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Form } from '../../../forms/form.tsx';
import { fieldProps, useDraftForm } from '../../../forms/use-draft-form.ts';
import { beginInFirstField } from '../../../lib/navigation/first-field.ts';
import { useCurrentUser } from '../../../lib/session.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { PasswordField } from '../../../ui/fields/password-field.tsx';
import { passwordErrors } from '../../password-errors.ts';

const EMPTY = { password: '', password_confirmation: '' };
const SECRETS = ['password', 'password_confirmation'] as const;

type NewPassword = Record<'token' | keyof typeof EMPTY, string>;

interface NewPasswordFormProps<Reply> {
  token: string;
  save: (body: NewPassword) => Promise<Reply>;
  submitLabel: string;
  /** How to get another link when this one is no longer valid. */
  invalidLink: ReactNode;
  onSet: (reply: Reply) => Promise<void>;
}

/** Sets a password with the token of a link. */
export function NewPasswordForm<Reply>({
  token,
  save,
  submitLabel,
  invalidLink,
  onSet,
}: NewPasswordFormProps<Reply>) {
  const isSignedIn = useCurrentUser() !== null;
  const form = useDraftForm({ draftKey: 'password-recovery', initial: EMPTY, secrets: SECRETS });
  const { password, confirmation } = passwordErrors(form.errors);

  const send = () =>
    form.submit(async () => {
      const reply = await save({ token, ...form.values });
      form.discardDraft();
      await onSet(reply);
    });

  return (
    <Form ref={beginInFirstField} onSubmit={send} className="flex flex-col gap-4.5">
      {form.failure !== null && <Alert>{<b className="font-semibold">{form.failure}</b>}</Alert>}
      {form.errors.token !== undefined && (
        <Alert>
          <b className="font-semibold">{form.errors.token}</b> {invalidLink}
        </Alert>
      )}
      <PasswordField
        {...fieldProps(form, 'password')}
        label="New Password"
        required
        autoComplete="new-password"
        hint="At least 8 characters."
        error={password}
      />
      <PasswordField
        {...fieldProps(form, 'password_confirmation')}
        label="Confirm Password"
        required
        autoComplete="new-password"
        error={confirmation}
      />
      <Button type="submit" variant="primary" size="lg" processing={form.isProcessing}>
        {submitLabel}
      </Button>
      <p className="text-label">
        <Link to={isSignedIn ? '/' : '/login'} className="link" onClick={form.discardDraft}>
          {isSignedIn ? 'Home' : 'Sign in.'}
        </Link>
      </p>
    </Form>
  );
}
