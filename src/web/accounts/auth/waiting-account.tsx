import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { PendingReason } from '../../../contract/accounts/accounts.ts';
import { useTask } from '../../forms/use-task.ts';
import { call } from '../../lib/call.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { AuthLayout } from './auth-layout.tsx';

const TITLES: Readonly<Record<PendingReason, string>> = {
  verification: 'Check your mail',
  approval: 'An administrator has to approve your account',
  invitation: 'Open the link of your invitation',
};

interface WaitingAccountProps {
  waitingFor: PendingReason;
  email: string;
  side?: 'start' | 'end';
  /** Returns to the login form, when that is on the same page. */
  onBack?: () => void;
}

/** Shown to the owner of a new account until they can sign in. */
export function WaitingAccount({ waitingFor, email, side = 'start', onBack }: WaitingAccountProps) {
  // The focused form is gone; focusing the text makes screen readers read it.
  useEffect(() => document.getElementById('main')?.focus(), []);
  const texts: Readonly<Record<PendingReason, string>> = {
    verification: `A link was sent to ${email}. Open it within 24 hours to verify your address; then you can sign in.`,
    approval: `Your account of ${email} has been made. You can sign in as soon as it is approved.`,
    invitation: 'With it you choose a password. Ask the administrator who invited you for a new link.',
  };
  return (
    <AuthLayout title={TITLES[waitingFor]} text={texts[waitingFor]} side={side}>
      {waitingFor === 'verification' && <ResendLink email={email} />}
      <p className="text-label">
        <Link to="/login" className="link" onClick={onBack}>
          Sign in.
        </Link>
      </p>
    </AuthLayout>
  );
}

/** Requests the link again; the answer does not reveal whether the account exists. */
function ResendLink({ email }: { email: string }) {
  const [message, setMessage] = useState<string>();
  const { start, isRunning, problem } = useTask({
    run: async () => (await call('POST /api/resend-verification', { body: { email } })).message,
    failure: 'The link could not be sent. Try again.',
    onDone: setMessage,
  });
  return (
    <>
      {problem !== undefined && <Alert>{problem}</Alert>}
      <p role="status" className="text-fg-2 empty:hidden">
        {message}
      </p>
      <Button size="lg" processing={isRunning} onClick={() => start()}>
        Send the link again
      </Button>
    </>
  );
}
