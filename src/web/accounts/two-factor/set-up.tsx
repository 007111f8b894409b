import { useEffect, useRef } from 'react';
import { encode } from 'uqr';
import type { SecondFactorSetup } from '../../../contract/accounts/sign-in.ts';
import { Form } from '../../forms/form.tsx';
import { fieldProps, useDraftForm } from '../../forms/use-draft-form.ts';
import { call } from '../../lib/call.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/input-fields.tsx';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { flash } from '../../ui/flash.tsx';
import { refuseAt } from '../password-errors.ts';

const NO_PASSWORD = { password: '' };
const NO_CODE = { code: '' };
const PASSWORD = ['password'] as const;
const CODE = ['code'] as const;

/** First the password, in case someone else uses an unattended screen. */
export function StartTwoFactor({ onBegun }: { onBegun: (setup: SecondFactorSetup) => void }) {
  const form = useDraftForm({ draftKey: 'second-factor', initial: NO_PASSWORD, secrets: PASSWORD });
  const send = () =>
    form.submit(async () => {
      onBegun(await call('POST /api/second-factor', { body: form.values }).catch(refuseAt('password')));
    });
  return (
    <Form onSubmit={send} className="flex flex-col items-start gap-4">
      <p className="text-fg-2">
        With two-factor authentication you sign in with your password and a code from an app on your phone. A
        guessed or stolen password alone is then not enough.
      </p>
      {form.failure !== null && <Alert>{form.failure}</Alert>}
      <PasswordField
        {...fieldProps(form, 'password')}
        label="Current Password"
        required
        autoComplete="current-password"
        className="w-full"
      />
      <Button type="submit" variant="primary" processing={form.isProcessing}>
        Set up
      </Button>
    </Form>
  );
}

interface ConfirmProps {
  setup: SecondFactorSetup;
  onConfirmed: (recoveryCodes: readonly string[]) => void;
}

/** Then the QR code for the app, confirmed with a code that the app shows. */
export function ConfirmTwoFactor({ setup, onConfirmed }: ConfirmProps) {
  const form = useDraftForm({ draftKey: 'second-factor-code', initial: NO_CODE, secrets: CODE });
  const text = useRef<HTMLParagraphElement>(null);
  useEffect(() => text.current?.focus(), []);
  const send = () =>
    form.submit(async () => {
      const { recovery_codes, message } = await call('POST /api/second-factor/confirm', {
        body: form.values,
      });
      flash(message);
      onConfirmed(recovery_codes);
    });
  return (
    <Form onSubmit={send} className="flex flex-col items-start gap-4">
      <p ref={text} tabIndex={-1} className="text-fg-2 outline-none">
        Scan this with an authenticator app, or type the key into it. Then enter the code that the app shows.
      </p>
      <QrCode text={setup.uri} label="The key for the app, as a picture to scan" />
      <div>
        <p className="font-medium text-caption text-fg-3">Key</p>
        <p className="wrap-anywhere mt-0.5 select-all font-medium font-mono">
          {setup.secret.replaceAll(/(.{4})(?!$)/g, '$1 ')}
        </p>
      </div>
      {form.failure !== null && <Alert>{form.failure}</Alert>}
      <TextField
        {...fieldProps(form, 'code')}
        label="Code"
        required
        autoComplete="one-time-code"
        hint="Six digits, which change every 30 seconds."
        className="w-full max-w-60"
      />
      <Button type="submit" variant="primary" processing={form.isProcessing}>
        Turn on
      </Button>
    </Form>
  );
}

/** A text as a QR code: dark on light in both themes, with the quiet zone that readers need. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = encode(text, { ecc: 'M', border: 4 });
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="w-full max-w-52 rounded-control border border-line"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
