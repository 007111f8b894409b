import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import type { PendingReason } from '../../../contract/accounts/accounts.ts';
import { Form } from '../../forms/form.tsx';
import { fieldProps, useDraftForm } from '../../forms/use-draft-form.ts';
import { ApiError } from '../../lib/api.ts';
import { call, findRefusal } from '../../lib/call.ts';
import { beginInFirstField } from '../../lib/navigation/first-field.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { fieldId } from '../../ui/fields/field.tsx';
import { TextField } from '../../ui/fields/input-fields.tsx';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { SsoButton } from './sso/sso-button.tsx';
import { ssoProviderName, useSsoReturn } from './sso/use-sso-return.ts';
import { useSignIn } from './use-sign-in.ts';
import { WaitingAccount } from './waiting-account.tsx';

/** Only for those who come back from single sign-on. */
const SsoCallback = lazy(async () => ({ default: (await import('./sso/sso-callback.tsx')).SsoCallback }));

const EMPTY = { email: '', password: '', code: '' };
const SECRETS = ['password', 'code'] as const;

export function LoginPage() {
  const provider = ssoProviderName();
  const { ticket, refusal } = useSsoReturn();
  const [isFinishing, setIsFinishing] = useState(ticket !== null);
  const [waiting, setWaiting] = useState<{ waitingFor: PendingReason; email: string }>();
  if (waiting !== undefined) {
    return <WaitingAccount {...waiting} onBack={() => setWaiting(undefined)} />;
  }
  if (isFinishing && provider !== null && ticket !== null) {
    return (
      <AuthLayout title="Welcome to the Login Page" text={`Signing in with ${provider}.`}>
        <Suspense>
          <SsoCallback name={provider} ticket={ticket} onGiveUp={() => setIsFinishing(false)} />
        </Suspense>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title="Welcome to the Login Page" text="Sign into your account.">
      <LoginForm onWaiting={(waitingFor, email) => setWaiting({ waitingFor, email })}>
        {provider !== null && <SsoButton name={provider} refusal={refusal} />}
      </LoginForm>
    </AuthLayout>
  );
}

interface LoginFormProps {
  /** The password is right, but the account waits for verification or approval. */
  onWaiting: (waitingFor: PendingReason, email: string) => void;
  /** Other ways to sign in. */
  children: ReactNode;
}

function LoginForm({ onWaiting, children }: LoginFormProps) {
  const signIn = useSignIn();
  const form = useDraftForm({ draftKey: 'login', initial: EMPTY, secrets: SECRETS });
  const [isRefused, setIsRefused] = useState(false);
  /** The password is right, and the account needs a second factor. */
  const [needsCode, setNeedsCode] = useState(false);
  useEffect(() => {
    if (needsCode) document.getElementById(fieldId('code'))?.focus();
  }, [needsCode]);
  // Wrong credentials mark both fields, without a text at either.
  const getError = (name: keyof typeof EMPTY) => form.errors[name] ?? (isRefused ? '' : undefined);

  const send = () =>
    form.submit(async () => {
      setIsRefused(false);
      try {
        const reply = await call('POST /api/login', { body: form.values });
        // Drafts are stored per user: after the sign-in this one could no longer be found.
        form.discardDraft();
        await signIn(reply);
      } catch (error) {
        const waitingFor = findRefusal(error, 'POST /api/login', 403)?.waiting_for;
        if (waitingFor !== undefined) {
          onWaiting(waitingFor, form.values.email);
          form.discardDraft();
          return;
        }
        setIsRefused(error instanceof ApiError && error.status === 401);
        if (!needsCode && error instanceof ApiError && error.errors.code !== undefined) {
          setNeedsCode(true);
          // Asking for the first time is not an error of the user, so no field is marked.
          throw new ApiError(422, error.message);
        }
        throw error;
      }
    });

  return (
    <Form ref={beginInFirstField} onSubmit={send} className="flex flex-col gap-4.5">
      {form.failure !== null && <Alert>{<b className="font-semibold">{form.failure}</b>}</Alert>}
      <TextField
        {...fieldProps(form, 'email')}
        label="Email"
        type="email"
        autoComplete="username"
        placeholder="name@example.edu"
        error={getError('email')}
      />
      <div>
        <PasswordField
          {...fieldProps(form, 'password')}
          label="Password"
          autoComplete="current-password"
          error={getError('password')}
        />
        <Link to="/forgot-password" className="link link-quiet mt-1.25 inline-block text-label leading-6">
          Forgot your password?
        </Link>
      </div>
      {needsCode && (
        <TextField
          {...fieldProps(form, 'code')}
          label="Code"
          autoComplete="one-time-code"
          hint="From your authenticator app, or a recovery code."
          error={getError('code')}
        />
      )}
      <Button type="submit" variant="primary" size="lg" processing={form.isProcessing}>
        Sign In
      </Button>
      {children}
      <p className="text-fg-3 text-label">
        No account yet?{' '}
        <Link to="/register" className="link" onClick={form.discardDraft}>
          Sign up here
        </Link>
      </p>
    </Form>
  );
}
