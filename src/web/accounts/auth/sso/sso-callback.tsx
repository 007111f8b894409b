import { useCallback, useEffect, useRef, useState } from 'react';
import { Form } from '../../../forms/form.tsx';
import { fieldProps, useDraftForm } from '../../../forms/use-draft-form.ts';
import { ApiError } from '../../../lib/api.ts';
import { call } from '../../../lib/call.ts';
import { beginInFirstField } from '../../../lib/navigation/first-field.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { fieldId } from '../../../ui/fields/field.tsx';
import { TextField } from '../../../ui/fields/input-fields.tsx';
import { PasswordField } from '../../../ui/fields/password-field.tsx';
import { useSignIn } from '../use-sign-in.ts';

const EMPTY = { password: '', code: '' };
const SECRETS = ['password', 'code'] as const;

interface SsoCallbackProps {
  name: string;
  ticket: string;
  onGiveUp: () => void;
}

/** Completes the sign-in after the provider's redirect; asks for a password or code where the account needs one. */
export function SsoCallback({ name, ticket, onGiveUp }: SsoCallbackProps) {
  const signIn = useSignIn();
  const form = useDraftForm({ draftKey: 'provider-finish', initial: EMPTY, secrets: SECRETS });
  const [requestedFields, setRequestedFields] = useState<readonly (keyof typeof EMPTY)[]>([]);
  const { submit, values } = form;

  const finish = useCallback(
    () =>
      submit(async () => {
        try {
          await signIn(await call('POST /api/provider/finish', { body: { ticket, ...values } }));
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          const [expired] = error.errors.ticket ?? [];
          if (expired !== undefined) throw new ApiError(410, expired);
          const next = SECRETS.find(
            (field) => error.errors[field] !== undefined && !requestedFields.includes(field),
          );
          if (next === undefined) throw error;
          setRequestedFields([...requestedFields, next]);
          // Asking for the first time is not an error of the user, so no field is marked.
          throw new ApiError(422, error.message);
        }
      }),
    [submit, values, ticket, requestedFields, signIn],
  );

  const hasStarted = useRef(false);
  useEffect(() => {
    if (hasStarted.current) return;
    hasStarted.current = true;
    void finish();
  }, [finish]);
  const newestField = requestedFields.at(-1);
  useEffect(() => {
    if (newestField !== undefined) document.getElementById(fieldId(newestField))?.focus();
  }, [newestField]);

  return (
    <Form ref={beginInFirstField} onSubmit={finish} className="flex flex-col gap-4.5">
      {form.failure !== null && <Alert>{<b className="font-semibold">{form.failure}</b>}</Alert>}
      {requestedFields.includes('password') && (
        <PasswordField
          {...fieldProps(form, 'password')}
          label="Password"
          autoComplete="current-password"
          hint={`An account with your email address exists already. Enter its password once to connect it with ${name}.`}
        />
      )}
      {requestedFields.includes('code') && (
        <TextField
          {...fieldProps(form, 'code')}
          label="Code"
          autoComplete="one-time-code"
          hint="From your authenticator app, or a recovery code."
        />
      )}
      {requestedFields.length > 0 && (
        <Button type="submit" variant="primary" size="lg" processing={form.isProcessing}>
          Sign In
        </Button>
      )}
      {(requestedFields.length > 0 || form.failure !== null) && (
        <Button onClick={onGiveUp}>Sign in another way</Button>
      )}
    </Form>
  );
}
