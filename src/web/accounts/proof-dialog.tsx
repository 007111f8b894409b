import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { ApiError } from '../api.ts';
import { displayTexts } from '../forms/error-texts.ts';
import type { FieldErrors } from '../forms/use-draft-form.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { useModal } from '../ui/use-modal.ts';
import { refusedPassword } from './refused-password.ts';

interface ProofDialogProps {
  title: string;
  /** What it leads to. */
  text: ReactNode;
  /** The button that does it. */
  act: string;
  tone?: 'primary' | 'danger';
  /** Refuses by throwing. */
  onAct: (password: string) => Promise<void>;
  onClose: () => void;
}

/** Asks for one's own password before something is done about who can sign in. */
export function ProofDialog({ title, text, act, tone = 'primary', onAct, onClose }: ProofDialogProps) {
  const dialog = useModal(true);
  const titleId = useId();
  const [password, setPassword] = useState('');
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<string>();
  const [isRunning, setIsRunning] = useState(false);
  const refused = useRef(false);

  useEffect(() => {
    if (refused.current && !isRunning) dialog.current?.querySelector('input')?.focus();
  }, [isRunning, dialog]);

  /** By the browser, which gives the focus back. */
  const close = () => dialog.current?.close();
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (isRunning) return;
    setIsRunning(true);
    setFailure(undefined);
    setErrors({});
    try {
      await onAct(password);
      close();
    } catch (error) {
      refused.current = true;
      const { fields, rest } = refusalOf(refusedPassword(error));
      setErrors(fields);
      setFailure(rest);
      setIsRunning(false);
    }
  };

  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className="layer layer-task"
      onCancel={(event) => {
        if (isRunning) event.preventDefault();
      }}
      onClose={onClose}
    >
      <form
        noValidate
        onSubmit={(event) => void send(event)}
        className="flex flex-col gap-4 overflow-y-auto p-5"
      >
        <h2 id={titleId} className="wrap-anywhere text-[1.125rem] leading-6">
          {title}
        </h2>
        <div className="text-fg-2">{text}</div>
        {failure !== undefined && <Alert>{failure}</Alert>}
        <PasswordField
          label="Your Current Password"
          name="proof-password"
          autoComplete="current-password"
          required
          value={password}
          onChange={setPassword}
          error={errors.password}
        />
        <div className="flex flex-wrap justify-end gap-2 max-xs:*:grow">
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" variant={tone} processing={isRunning}>
            {act}
          </Button>
        </div>
      </form>
    </dialog>
  );
}

/** A wrong password is said at its field, anything else above it. */
function refusalOf(error: unknown): { fields: FieldErrors; rest: string | undefined } {
  if (!(error instanceof ApiError)) return { fields: {}, rest: 'This could not be done. Try again.' };
  const { password, ...others } = displayTexts(error.errors);
  if (password !== undefined) return { fields: { password }, rest: undefined };
  return { fields: {}, rest: Object.values(others)[0] ?? error.message };
}
