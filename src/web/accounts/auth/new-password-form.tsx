import { Link, useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { useDraftForm } from '../../forms/use-draft-form.ts';
import { call } from '../../lib/api.ts';
import { queryClient } from '../../lib/query-client.ts';
import { endSession, useCurrentUser } from '../../lib/session.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { flash } from '../../ui/flash.tsx';
import { passwordErrors } from '../password-errors.ts';

const EMPTY = { password: '', password_confirmation: '' };
const SECRETS = ['password', 'password_confirmation'] as const;

/** Sets a new password with the token of a mailed link. */
export function NewPasswordForm({ token }: { token: string }) {
  const navigate = useNavigate();
  const isSignedIn = useCurrentUser() !== null;
  const form = useDraftForm({ draftKey: 'password-recovery', initial: EMPTY, secrets: SECRETS });
  const { password, confirmation } = passwordErrors(form.errors);

  const send = (event: FormEvent) => {
    event.preventDefault();
    void form.submit(async () => {
      const body = { token, ...form.values };
      const { message } = await call<{ message: string }>('POST', '/api/reset-password', { body });
      form.discardDraft();
      // The server has ended the account's sessions, so the user signs in again with the new password.
      endSession();
      queryClient.clear();
      flash(message);
      await navigate({ to: '/login' });
    });
  };

  return (
    <form noValidate onSubmit={send} className="flex flex-col gap-4.5">
      {form.failure !== null && <Alert>{<b className="font-semibold">{form.failure}</b>}</Alert>}
      {form.errors.token !== undefined && <SpentLink text={form.errors.token} onLeave={form.discardDraft} />}
      <PasswordField
        label="New Password"
        name="password"
        required
        autoComplete="new-password"
        hint="At least 8 characters."
        value={form.values.password}
        onChange={(value) => form.setValue('password', value)}
        error={password}
      />
      <PasswordField
        label="Confirm Password"
        name="password_confirmation"
        required
        autoComplete="new-password"
        value={form.values.password_confirmation}
        onChange={(value) => form.setValue('password_confirmation', value)}
        error={confirmation}
      />
      <Button type="submit" variant="primary" size="lg" processing={form.isProcessing}>
        Update Password
      </Button>
      <p className="text-label">
        <Link to={isSignedIn ? '/' : '/login'} className="link" onClick={form.discardDraft}>
          {isSignedIn ? 'Home' : 'Sign in.'}
        </Link>
      </p>
    </form>
  );
}

/** The page that requests links is closed to signed-in users, and they need no link. */
function SpentLink({ text, onLeave }: { text: string; onLeave: () => void }) {
  const isSignedIn = useCurrentUser() !== null;
  return (
    <Alert>
      <b className="font-semibold">{text}</b>{' '}
      {isSignedIn ? (
        <Link to="/list-users" onClick={onLeave}>
          Change it in Your Profile
        </Link>
      ) : (
        <Link to="/forgot-password" onClick={onLeave}>
          Ask for a new link
        </Link>
      )}
    </Alert>
  );
}
