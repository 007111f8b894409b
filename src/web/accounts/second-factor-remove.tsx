import type { FormEvent } from 'react';
import type { MessageReply } from '../../contract/errors.ts';
import type { SignInMethods } from '../../contract/second-factor.ts';
import { call } from '../api.ts';
import { formField } from '../forms/form-field.ts';
import { useDraftForm } from '../forms/use-draft-form.ts';
import { flash } from '../shell/flash.tsx';
import { focusMain } from '../shell/focus-main.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/fields.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { momentText } from './moment-text.ts';
import { refusedPassword } from './refused-password.ts';

const EMPTY = { password: '', code: '' };
const SECRETS = ['password', 'code'] as const;

interface RemoveProps {
  factor: NonNullable<SignInMethods['second_factor']>;
  onRemoved: () => Promise<void>;
}

/** What there is of the second factor, and the way to be rid of it or to begin anew. */
export function RemoveSecondFactor({ factor, onRemoved }: RemoveProps) {
  const form = useDraftForm({ draftKey: 'second-factor-remove', initial: EMPTY, secrets: SECRETS });
  const left = factor.recovery_codes_left;
  const send = (event: FormEvent) => {
    event.preventDefault();
    void form.submit(async () => {
      try {
        const { message } = await call<MessageReply>('POST', '/api/second-factor/remove', {
          body: form.values,
        });
        await onRemoved();
        // The button goes with the form.
        focusMain();
        flash(message);
      } catch (error) {
        throw refusedPassword(error);
      }
    });
  };
  return (
    <form noValidate onSubmit={send} className="flex flex-col items-start gap-4">
      <p className="text-fg-2">
        Signing in asks for a code of your app (set up: {momentText(factor.since)}).{' '}
        {left === 0
          ? 'No recovery code is left'
          : `${left} recovery ${left === 1 ? 'code is' : 'codes are'} left`}
        . For another phone or new recovery codes, remove it and set it up again.
      </p>
      {form.failure !== null && <Alert>{form.failure}</Alert>}
      <PasswordField
        {...formField(form, 'password')}
        label="Current Password"
        required
        autoComplete="current-password"
        className="w-full"
      />
      <TextField
        {...formField(form, 'code')}
        label="Code"
        required
        autoComplete="one-time-code"
        hint="Of the app, or a recovery code."
        className="w-full max-w-60"
      />
      <Button type="submit" variant="danger-quiet" processing={form.isProcessing}>
        Remove second factor
      </Button>
    </form>
  );
}
