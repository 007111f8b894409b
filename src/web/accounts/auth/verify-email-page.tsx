import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { PendingReason } from '../../../contract/accounts/accounts.ts';
import { Form } from '../../forms/form.tsx';
import { fieldProps, useDraftForm } from '../../forms/use-draft-form.ts';
import { ApiError } from '../../lib/api.ts';
import { call, findRefusal } from '../../lib/call.ts';
import { beginInFirstField } from '../../lib/navigation/first-field.ts';
import { endSession } from '../../lib/session.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { useResetToken } from './recovery/recovery-link.ts';
import { useSignIn } from './use-sign-in.ts';
import { WaitingAccount } from './waiting-account.tsx';

const TITLE = 'Verify Your Email';
const EMPTY = { password: '' };
const SECRETS = ['password'] as const;
const NO_LINK =
  'Open the link in the mail that was sent to you. It works once, and for 24 hours. To have it sent again, sign in with your email and password.';

/** The target of the link that verifies a new account's email address. Opening the page does not use the link. */
export function VerifyEmailPage() {
  const token = useResetToken();
  const [waiting, setWaiting] = useState<PendingReason>();
  if (waiting !== undefined) return <WaitingAccount waitingFor={waiting} email="this address" />;
  if (token === '') {
    return (
      <AuthLayout title={TITLE} text={NO_LINK}>
        <ButtonLink to="/login" variant="primary" size="lg">
          Sign In
        </ButtonLink>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title={TITLE} text="Enter the password that you chose when you registered.">
      <VerifyForm token={token} onWaiting={setWaiting} />
    </AuthLayout>
  );
}

interface VerifyFormProps {
  token: string;
  /** The address is verified, but the account still waits for approval. */
  onWaiting: (waitingFor: PendingReason) => void;
}

function VerifyForm({ token, onWaiting }: VerifyFormProps) {
  const signIn = useSignIn();
  const form = useDraftForm({ draftKey: 'verify-email', initial: EMPTY, secrets: SECRETS });

  const send = () =>
    form.submit(async () => {
      try {
        const body = { token, ...form.values };
        const reply = await call('POST /api/verify-email', { body });
        form.discardDraft();
        // Another user may be signed in here.
        endSession();
        await signIn(reply);
      } catch (error) {
        const waitingFor = findRefusal(error, 'POST /api/verify-email', 403)?.waiting_for;
        if (waitingFor !== undefined) {
          onWaiting(waitingFor);
          return;
        }
        if (!(error instanceof ApiError) || error.status !== 401) throw error;
        throw new ApiError(422, error.message, { errors: { password: [error.message] } });
      }
    });

  return (
    <Form ref={beginInFirstField} onSubmit={send} className="flex flex-col gap-4.5">
      {form.failure !== null && <Alert>{<b className="font-semibold">{form.failure}</b>}</Alert>}
      {form.errors.token !== undefined && (
        <Alert>
          <b className="font-semibold">{form.errors.token}</b>{' '}
          <Link to="/login">Sign in to have another one sent</Link>
        </Alert>
      )}
      <PasswordField {...fieldProps(form, 'password')} label="Password" autoComplete="current-password" />
      <Button type="submit" variant="primary" size="lg" processing={form.isProcessing}>
        Verify and Sign In
      </Button>
      <p className="text-label">
        <Link to="/forgot-password" className="link link-quiet" onClick={form.discardDraft}>
          Forgot your password?
        </Link>
      </p>
    </Form>
  );
}
