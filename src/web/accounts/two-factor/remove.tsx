import type { SignInMethods } from '../../../contract/accounts/sign-in.ts';
import { Form } from '../../forms/form.tsx';
import { fieldProps, useDraftForm } from '../../forms/use-draft-form.ts';
import { call } from '../../lib/call.ts';
import { formatDateTime, plural } from '../../lib/format.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/input-fields.tsx';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { flash } from '../../ui/flash.tsx';
import { refuseAt } from '../password-errors.ts';

const EMPTY = { password: '', code: '' };
const SECRETS = ['password', 'code'] as const;

interface RemoveTwoFactorProps {
  factor: NonNullable<SignInMethods['second_factor']>;
  onRemoved: () => Promise<void>;
}

/** The state of the second factor, with the buttons that remove it or set it up again. */
export function RemoveTwoFactor({ factor, onRemoved }: RemoveTwoFactorProps) {
  const form = useDraftForm({ draftKey: 'second-factor-remove', initial: EMPTY, secrets: SECRETS });
  const left = factor.recovery_codes_left;
  const send = () =>
    form.submit(async () => {
      const remove = call('POST /api/second-factor/remove', { body: form.values });
      const { message } = await remove.catch(refuseAt('password'));
      await onRemoved();
      flash(message);
    });
  return (
    <Form onSubmit={send} className="flex flex-col items-start gap-4">
      <p className="text-fg-2">
        Signing in asks for a code of your app (set up: {formatDateTime(factor.since)}).{' '}
        {left === 0
          ? 'No recovery code is left'
          : `${plural(left, 'recovery code is', 'recovery codes are')} left`}
        . For another phone or new recovery codes, remove it and set it up again.
      </p>
      {form.failure !== null && <Alert>{form.failure}</Alert>}
      <PasswordField
        {...fieldProps(form, 'password')}
        label="Current Password"
        required
        autoComplete="current-password"
        className="w-full"
      />
      <TextField
        {...fieldProps(form, 'code')}
        label="Code"
        required
        autoComplete="one-time-code"
        hint="From the app, or a recovery code."
        className="w-full max-w-60"
      />
      <Button type="submit" variant="danger-quiet" processing={form.isProcessing}>
        Turn off two-factor authentication
      </Button>
    </Form>
  );
}
