import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Form } from '../../../forms/form.tsx';
import { fieldProps, useDraftForm } from '../../../forms/use-draft-form.ts';
import { ApiError } from '../../../lib/api.ts';
import { call } from '../../../lib/call.ts';
import { beginInFirstField } from '../../../lib/navigation/first-field.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/fields/input-fields.tsx';
import { flash } from '../../../ui/flash.tsx';
import { AuthLayout } from '../auth-layout.tsx';
import { isRecoveryMailEnabled } from './recovery-link.ts';

const EMPTY = { email: '' };

/** Makes no request when the server can't send mail. */
async function requestLink(email: string): Promise<string> {
  if (!isRecoveryMailEnabled()) return 'A recovery link will be sent to this email. (Feature in progress)';
  const reply = await call('POST /api/forgot-password', { body: { email } });
  return reply.message;
}

export function ForgotPasswordPage() {
  const navigate = useNavigate();
  const form = useDraftForm({ draftKey: 'forgot-password', initial: EMPTY });
  const [isRefused, setIsRefused] = useState(false);

  const send = () =>
    form.submit(async () => {
      setIsRefused(false);
      try {
        flash(await requestLink(form.values.email));
      } catch (error) {
        setIsRefused(error instanceof ApiError && error.status === 401);
        throw error;
      }
      form.discardDraft();
      await navigate({ to: '/login' });
    });

  return (
    <AuthLayout title="Recover Password" text="Enter the email of your account.">
      <Form ref={beginInFirstField} onSubmit={send} className="flex flex-col gap-4.5">
        {form.failure !== null && <Alert>{<b className="font-semibold">{form.failure}</b>}</Alert>}
        <TextField
          {...fieldProps(form, 'email')}
          label="Email"
          type="email"
          autoComplete="username"
          placeholder="name@example.edu"
          error={form.errors.email ?? (isRefused ? '' : undefined)}
        />
        <Button type="submit" variant="primary" size="lg" processing={form.isProcessing}>
          Submit
        </Button>
        <p className="text-label">
          <Link to="/login" className="link" onClick={form.discardDraft}>
            Sign in.
          </Link>
        </p>
      </Form>
    </AuthLayout>
  );
}
