import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { displayErrorTexts } from '../forms/error-texts.ts';
import type { FieldErrors } from '../forms/use-draft-form.ts';
import { ApiError } from '../lib/api.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { Modal } from '../ui/dialog/modal.tsx';
import { PasswordField } from '../ui/fields/password-field.tsx';
import { toPasswordError } from './password-errors.ts';

interface ConfirmPasswordDialogProps {
  title: string;
  /** What happens on confirmation. */
  text: ReactNode;
  /** The label of the button that confirms. */
  act: string;
  tone?: 'primary' | 'danger';
  /** Throws if the server refuses. */
  onAct: (password: string) => Promise<void>;
  onClose: () => void;
}

/** Asks for the current user's password before a sensitive action. */
export function ConfirmPasswordDialog({
  title,
  text,
  act,
  tone = 'primary',
  onAct,
  onClose,
}: ConfirmPasswordDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const [password, setPassword] = useState('');
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<string>();
  const [isRunning, setIsRunning] = useState(false);
  const refused = useRef(false);

  useEffect(() => {
    if (refused.current && !isRunning) dialog.current?.querySelector('input')?.focus();
  }, [isRunning]);

  /** Natively, so that the browser restores the focus. */
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
      const { fields, rest } = splitError(toPasswordError(error));
      setErrors(fields);
      setFailure(rest);
      setIsRunning(false);
    }
  };

  return (
    <Modal
      dialog={dialog}
      onClose={onClose}
      name={{ id: titleId }}
      className="layer-task"
      isLocked={isRunning}
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
    </Modal>
  );
}

/** A wrong password is shown at its field, any other error above it. */
function splitError(error: unknown): { fields: FieldErrors; rest: string | undefined } {
  if (!(error instanceof ApiError)) return { fields: {}, rest: 'This could not be done. Try again.' };
  const { password, ...others } = displayErrorTexts(error.errors);
  if (password !== undefined) return { fields: { password }, rest: undefined };
  return { fields: {}, rest: Object.values(others)[0] ?? error.message };
}
