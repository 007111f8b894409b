import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { PendingReason } from '../../../contract/accounts/accounts.ts';
import { Form } from '../../forms/form.tsx';
import { fieldProps, useDraftForm } from '../../forms/use-draft-form.ts';
import { call } from '../../lib/call.ts';
import { beginInFirstField } from '../../lib/navigation/first-field.ts';
import { findMeta } from '../../lib/page/read-meta.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/input-fields.tsx';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { passwordErrors } from '../password-errors.ts';
import { AuthLayout } from './auth-layout.tsx';
import { useSignIn } from './use-sign-in.ts';
import { WaitingAccount } from './waiting-account.tsx';

const EMPTY = { name: '', email: '', password: '', password_confirmation: '' };
const SECRETS = ['password', 'password_confirmation'] as const;

/** The page has it while there is no account. */
const FIRST_ACCOUNT = 'sims-first-account';

export function RegisterPage() {
  const signIn = useSignIn();
  const form = useDraftForm({ draftKey: 'register', initial: EMPTY, secrets: SECRETS });
  const { password, confirmation, isMismatch } = passwordErrors(form.errors);
  const [isFirst] = useState(() => findMeta(FIRST_ACCOUNT) !== null);
  const [waiting, setWaiting] = useState<{ waitingFor: PendingReason; email: string }>();

  const send = () =>
    form.submit(async () => {
      const { email } = form.values;
      const reply = await call('POST /api/register', { body: form.values });
      // Drafts are stored per user: after the sign-in this one could no longer be found.
      form.discardDraft();
      findMeta(FIRST_ACCOUNT)?.remove();
      if ('waiting_for' in reply) {
        setWaiting({ waitingFor: reply.waiting_for, email });
        return;
      }
      await signIn(reply);
    });

  if (waiting !== undefined) return <WaitingAccount {...waiting} side="end" />;
  return (
    <AuthLayout title="Welcome to the Registeration Page" text="Create your account." side="end">
      <Form ref={beginInFirstField} onSubmit={send} className="flex flex-col gap-4.5">
        {form.failure !== null && <Alert>{<b className="font-semibold">{form.failure}</b>}</Alert>}
        {isFirst && <p className="text-fg-2">The first account becomes the administrator.</p>}
        {isMismatch && (
          <Alert className="lg:hidden">
            <b className="font-semibold">{confirmation}</b>
          </Alert>
        )}
        <TextField {...fieldProps(form, 'name')} label="Name" required autoComplete="name" />
        <TextField
          {...fieldProps(form, 'email')}
          label="Email"
          type="email"
          required
          autoComplete="username"
        />
        <PasswordField
          {...fieldProps(form, 'password')}
          label="Password"
          required
          autoComplete="new-password"
          error={password}
        />
        <PasswordField
          {...fieldProps(form, 'password_confirmation')}
          label="Confirm Password"
          required
          autoComplete="new-password"
          // Below 1024 px the mismatch is shown above the form instead.
          className={isMismatch ? 'max-lg:[&_.field-error]:hidden' : undefined}
          error={confirmation}
        />
        <Button type="submit" variant="primary" size="lg" processing={form.isProcessing}>
          Register
        </Button>
        <p className="text-fg-3 text-label">
          Already registered?{' '}
          <Link to="/login" className="link" onClick={form.discardDraft}>
            Sign in.
          </Link>
        </p>
      </Form>
    </AuthLayout>
  );
}
