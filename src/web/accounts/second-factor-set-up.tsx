import { type FormEvent, useEffect, useRef } from 'react';
import type { SecondFactorBegun, SecondFactorSet } from '../../contract/second-factor.ts';
import { call } from '../api.ts';
import { formField } from '../forms/form-field.ts';
import { useDraftForm } from '../forms/use-draft-form.ts';
import { flash } from '../shell/flash.tsx';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/fields.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { QrCode } from './qr-code.tsx';
import { refusedPassword } from './refused-password.ts';

const NO_PASSWORD = { password: '' };
const NO_CODE = { code: '' };
const PASSWORD = ['password'] as const;
const CODE = ['code'] as const;

/** First the password, so that nobody sets one up on a screen that was left alone. */
export function BeginSecondFactor({ onBegun }: { onBegun: (begun: SecondFactorBegun) => void }) {
  const form = useDraftForm({ draftKey: 'second-factor', initial: NO_PASSWORD, secrets: PASSWORD });
  const send = (event: FormEvent) => {
    event.preventDefault();
    void form.submit(async () => {
      try {
        onBegun(await call<SecondFactorBegun>('POST', '/api/second-factor', { body: form.values }));
      } catch (error) {
        throw refusedPassword(error);
      }
    });
  };
  return (
    <form noValidate onSubmit={send} className="flex flex-col items-start gap-4">
      <p className="text-fg-2">
        With a second factor, signing in asks for a code of an app on your phone beside your password. A
        password that was guessed or stolen is worth nothing then.
      </p>
      {form.failure !== null && <Alert>{form.failure}</Alert>}
      <PasswordField
        {...formField(form, 'password')}
        label="Current Password"
        required
        autoComplete="current-password"
        className="w-full"
      />
      <Button type="submit" variant="primary" processing={form.isProcessing}>
        Set up
      </Button>
    </form>
  );
}

interface ConfirmProps {
  begun: SecondFactorBegun;
  onConfirmed: (recoveryCodes: readonly string[]) => void;
}

/** Then the picture for the app, and a code of it to show that it has read the picture. */
export function ConfirmSecondFactor({ begun, onConfirmed }: ConfirmProps) {
  const form = useDraftForm({ draftKey: 'second-factor-code', initial: NO_CODE, secrets: CODE });
  const text = useRef<HTMLParagraphElement>(null);
  useEffect(() => text.current?.focus(), []);
  const send = (event: FormEvent) => {
    event.preventDefault();
    void form.submit(async () => {
      const { recovery_codes, message } = await call<SecondFactorSet>('POST', '/api/second-factor/confirm', {
        body: form.values,
      });
      flash(message);
      onConfirmed(recovery_codes);
    });
  };
  return (
    <form noValidate onSubmit={send} className="flex flex-col items-start gap-4">
      <p ref={text} tabIndex={-1} className="text-fg-2 outline-none">
        Scan this with an authenticator app, or type the key into it. Then enter the code that the app shows.
      </p>
      <QrCode text={begun.uri} label="The key for the app, as a picture to scan" />
      <div>
        <p className="font-medium text-caption text-fg-3">Key</p>
        <p className="wrap-anywhere mt-0.5 select-all font-medium font-mono">
          {begun.secret.replaceAll(/(.{4})(?!$)/g, '$1 ')}
        </p>
      </div>
      {form.failure !== null && <Alert>{form.failure}</Alert>}
      <TextField
        {...formField(form, 'code')}
        label="Code"
        required
        autoComplete="one-time-code"
        hint="Six digits, new every half minute."
        className="w-full max-w-60"
      />
      <Button type="submit" variant="primary" processing={form.isProcessing}>
        Turn on
      </Button>
    </form>
  );
}
