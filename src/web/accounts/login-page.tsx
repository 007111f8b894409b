import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import type { SignedIn } from '../../contract/accounts.ts';
import { ApiError, call } from '../api.ts';
import { useDraftForm } from '../forms/use-draft-form.ts';
import { queryClient } from '../query-client.ts';
import { signIn } from '../session.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { fieldId } from '../ui/field.tsx';
import { TextField } from '../ui/fields.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { providerName, useProviderReturn } from './provider-return.ts';

const EMPTY = { email: '', password: '', code: '' };
const SECRETS = ['password', 'code'] as const;

/** Only where there is a provider to sign in with. */
const ProviderBegin = lazy(async () => ({ default: (await import('./provider-begin.tsx')).ProviderBegin }));
const ProviderFinish = lazy(async () => ({
  default: (await import('./provider-finish.tsx')).ProviderFinish,
}));

export function LoginPage() {
  const provider = providerName();
  const { ticket, refusal } = useProviderReturn();
  const [isFinishing, setIsFinishing] = useState(ticket !== null);
  if (isFinishing && provider !== null && ticket !== null) {
    return (
      <AuthFrame title="Welcome to the Login Page" text={`Signing in with ${provider}.`}>
        <Suspense>
          <ProviderFinish name={provider} ticket={ticket} onGiveUp={() => setIsFinishing(false)} />
        </Suspense>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame title="Welcome to the Login Page" text="Sign into your account.">
      <LoginForm>
        {provider !== null && (
          <Suspense>
            <ProviderBegin name={provider} refusal={refusal} />
          </Suspense>
        )}
      </LoginForm>
    </AuthFrame>
  );
}

/** `children`: other ways to sign in. */
function LoginForm({ children }: { children: ReactNode }) {
  const navigate = useNavigate();
  const form = useDraftForm({ draftKey: 'login', initial: EMPTY, secrets: SECRETS });
  const [isRefused, setIsRefused] = useState(false);
  /** The password was right, and the account has a second factor. */
  const [asksCode, setAsksCode] = useState(false);
  useEffect(() => {
    if (asksCode) document.getElementById(fieldId('code'))?.focus();
  }, [asksCode]);
  // A wrong pair marks both fields, without a text of their own.
  const errorOf = (name: keyof typeof EMPTY) => form.errors[name] ?? (isRefused ? '' : undefined);

  const send = (event: FormEvent) => {
    event.preventDefault();
    void form.submit(async () => {
      setIsRefused(false);
      try {
        const reply = await call<SignedIn>('POST', '/api/login', { body: form.values });
        // The draft stands under nobody's name and would not be found any more once somebody is signed in.
        form.discardDraft();
        queryClient.clear();
        signIn(reply);
      } catch (error) {
        setIsRefused(error instanceof ApiError && error.status === 401);
        if (!asksCode && error instanceof ApiError && error.errors.code !== undefined) {
          setAsksCode(true);
          // Being asked for the first time is no fault of the person's.
          throw new ApiError(422, error.message);
        }
        throw error;
      }
      await navigate({ to: '/' });
    });
  };

  return (
    <form noValidate onSubmit={send} className="flex flex-col gap-4.5">
      {form.failure !== null && <Alert>{<b className="font-semibold">{form.failure}</b>}</Alert>}
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        placeholder="name@example.edu"
        value={form.values.email}
        onChange={(value) => form.setValue('email', value)}
        error={errorOf('email')}
      />
      <div>
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          value={form.values.password}
          onChange={(value) => form.setValue('password', value)}
          error={errorOf('password')}
        />
        <Link to="/forgot-password" className="link link-quiet mt-1.25 inline-block text-label leading-6">
          Forgot your password?
        </Link>
      </div>
      {asksCode && (
        <TextField
          label="Code"
          name="code"
          autoComplete="one-time-code"
          hint="Of your authenticator app, or a recovery code."
          value={form.values.code}
          onChange={(value) => form.setValue('code', value)}
          error={errorOf('code')}
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
    </form>
  );
}
