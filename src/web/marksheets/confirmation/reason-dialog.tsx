import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { ApiError } from '../../lib/api.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { TaskDialog } from '../../ui/dialog/task-dialog.tsx';
import { TextAreaField } from '../../ui/fields/input-fields.tsx';

interface ReasonDialogProps {
  title: string;
  text: string;
  /** What the button does. */
  action: string;
  /** Throws an `ApiError` when it is refused. */
  run: (reason: string) => Promise<void>;
  onClose: () => void;
  /** Further fields, above the reason. */
  children?: (errors: Readonly<Record<string, string | undefined>>) => ReactNode;
}

/** Asks for the reason of a step that stands in the history with it. */
export function ReasonDialog({ title, text, action, run, onClose, children }: ReasonDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [reason, setReason] = useState('');
  const [errors, setErrors] = useState<Readonly<Record<string, string | undefined>>>({});
  const [problem, setProblem] = useState<string>();
  const [isRunning, setIsRunning] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isRunning) return;
    setIsRunning(true);
    setErrors({});
    setProblem(undefined);
    try {
      await run(reason);
      dialog.current?.close();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const texts = Object.entries(error.errors).map(([field, [first]]) => [field, first] as const);
      // At once, so that the first field with an error can be found.
      flushSync(() => setErrors(Object.fromEntries(texts)));
      setProblem(texts.length === 0 ? error.message : undefined);
      dialog.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
    } finally {
      setIsRunning(false);
    }
  };
  return (
    <TaskDialog dialog={dialog} title={title} isRunning={isRunning} onClose={onClose}>
      <form noValidate onSubmit={(event) => void submit(event)} className="contents">
        <div className="grid min-h-0 flex-1 content-start gap-4 overflow-y-auto px-5 pb-1">
          {problem !== undefined && <Alert>{problem}</Alert>}
          <p className="text-fg-2">{text}</p>
          {children?.(errors)}
          <TextAreaField
            label="Reason"
            name="reason"
            value={reason}
            onChange={setReason}
            error={errors.reason}
            hint="Stands in the history. It can’t be changed later."
            required
            rows={3}
          />
        </div>
        <div className="flex flex-wrap justify-end gap-2 px-5 pt-3 pb-4 max-xs:*:grow">
          <Button onClick={() => dialog.current?.close()}>Cancel</Button>
          <Button type="submit" variant="primary" processing={isRunning}>
            {action}
          </Button>
        </div>
      </form>
    </TaskDialog>
  );
}
