import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react';
import type { SignedIn } from '../../contract/accounts.ts';
import { ApiError, call } from '../api.ts';
import { formField } from '../forms/form-field.ts';
import { useDraftForm } from '../forms/use-draft-form.ts';
import { queryClient } from '../query-client.ts';
import { signIn } from '../session.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { fieldId } from '../ui/field.tsx';
import { TextField } from '../ui/fields.tsx';
import { PasswordField } from '../ui/password-field.tsx';

const EMPTY = { password: '', code: '' };
const SECRETS = ['password', 'code'] as const;

interface ProviderFinishProps {
  name: string;
  ticket: string;
  onGiveUp: () => void;
}

/** Finishes what began at the provider, and asks for what the account here needs beside it. */
export function ProviderFinish({ name, ticket, onGiveUp }: ProviderFinishProps) {
  const navigate = useNavigate();
  const form = useDraftForm({ draftKey: 'provider-finish', initial: EMPTY, secrets: SECRETS });
  const [asked, setAsked] = useState<readonly (keyof typeof EMPTY)[]>([]);
  const { submit, values } = form;

  const finish = useCallback(
    () =>
      submit(async () => {
        try {
          const body = { ticket, ...values };
          const reply = await call<SignedIn>('POST', '/api/provider/finish', { body });
          queryClient.clear();
          signIn(reply);
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          const [gone] = error.errors.ticket ?? [];
          if (gone !== undefined) throw new ApiError(410, gone);
          const next = SECRETS.find((field) => error.errors[field] !== undefined && !asked.includes(field));
          if (next === undefined) throw error;
          setAsked([...asked, next]);
          // Being asked for the first time is no fault of the person's.
          throw new ApiError(422, error.message);
        }
        await navigate({ to: '/' });
      }),
    [submit, values, ticket, asked, navigate],
  );

  const hasBegun = useRef(false);
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    void finish();
  }, [finish]);
  const newest = asked.at(-1);
  useEffect(() => {
    if (newest !== undefined) document.getElementById(fieldId(newest))?.focus();
  }, [newest]);

  const send = (event: FormEvent) => {
    event.preventDefault();
    void finish();
  };
  return (
    <form noValidate onSubmit={send} className="flex flex-col gap-4.5">
      {form.failure !== null && <Alert>{<b className="font-semibold">{form.failure}</b>}</Alert>}
      {asked.includes('password') && (
        <PasswordField
          {...formField(form, 'password')}
          label="Password"
          autoComplete="current-password"
          hint={`There is an account with your address here already. Its password, this once, connects it with ${name}.`}
        />
      )}
      {asked.includes('code') && (
        <TextField
          {...formField(form, 'code')}
          label="Code"
          autoComplete="one-time-code"
          hint="Of your authenticator app, or a recovery code."
        />
      )}
      {asked.length > 0 && (
        <Button type="submit" variant="primary" size="lg" processing={form.isProcessing}>
          Sign In
        </Button>
      )}
      {(asked.length > 0 || form.failure !== null) && <Button onClick={onGiveUp}>Sign in another way</Button>}
    </form>
  );
}
