import { Link, useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { call } from '../api.ts';
import { useDraftForm } from '../forms/use-draft-form.ts';
import { queryClient } from '../query-client.ts';
import { endSession, useCurrentUser } from '../session.ts';
import { flash } from '../shell/flash.tsx';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { passwordErrors } from './password-errors.ts';

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
      // The sessions of the account are over, and whoever is signed in here is to sign in with the new password.
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

/** Signed-in people are kept away from the page that asks for links, but need no link either. */
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
