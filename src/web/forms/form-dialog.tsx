import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { TaskDialog } from '../ui/dialog/task-dialog.tsx';
import { Form } from './form.tsx';
import { type TaskOptions, useTask } from './use-task.ts';

/** The fields of a dialog while it is open. */
export interface DialogForm<Name extends string> {
  values: Record<Name, string>;
  /** Sets some of the values. */
  change: (changes: Partial<Record<Name, string>>) => void;
  /** Name, value, setter and error of a field of text. */
  field: (name: Name) => {
    name: string;
    value: string;
    onChange: (value: string) => void;
    error: string | undefined;
  };
  isRunning: boolean;
  /** Forgets what was refused. */
  forget: () => void;
}

interface FormDialogProps<Name extends string, Result>
  extends Omit<TaskOptions<Record<Name, string>, Result>, 'fields'> {
  title: string;
  isLarge?: boolean;
  /** The values that the fields begin with; undefined until they are known. */
  fields: Record<Name, string> | undefined;
  /** Shown until then. */
  loading?: ReactNode;
  /** The label of the button that runs the task. */
  action: string | ((values: Record<Name, string>) => string);
  variant?: 'primary' | 'danger';
  /** Whether the button can be pressed. */
  isReady?: (values: Record<Name, string>) => boolean;
  /** Whether it closes after this result. After that of a preview it stays. */
  closesAfter?: (result: Result) => boolean;
  onClose: () => void;
  children: (form: DialogForm<Name>) => ReactNode;
}

/**
 * A task with fields in a dialog. It closes when the task is done; until then what was refused stands at its field, and the
 * first of these has the focus. A required field that is empty is refused here.
 */
export function FormDialog<Name extends string, Result>({
  title,
  isLarge = false,
  fields,
  loading,
  closesAfter = () => true,
  onClose,
  onDone,
  ...props
}: FormDialogProps<Name, Result>) {
  const dialog = useRef<HTMLDialogElement>(null);
  /** Closes the dialog by the browser, which returns the focus to the element that had it before. */
  const close = () => dialog.current?.close();
  const task = useTask({
    ...props,
    fields: Object.keys(fields ?? {}),
    onDone: async (result: Result) => {
      if (closesAfter(result)) close();
      await onDone?.(result);
    },
  });
  return (
    <TaskDialog dialog={dialog} title={title} isRunning={task.isRunning} isLarge={isLarge} onClose={onClose}>
      {fields === undefined ? (
        <div className="min-h-40 px-5 pb-5">{loading}</div>
      ) : (
        <DialogFields {...props} fields={fields} task={task} onCancel={close} />
      )}
    </TaskDialog>
  );
}

interface DialogFieldsProps<Name extends string>
  extends Pick<FormDialogProps<Name, unknown>, 'action' | 'variant' | 'isReady' | 'children'> {
  fields: Record<Name, string>;
  task: ReturnType<typeof useTask<unknown, Record<Name, string>>>;
  onCancel: () => void;
}

function DialogFields<Name extends string>({
  fields,
  task: { start, reset, isRunning, errors, error, problem },
  action,
  variant = 'primary',
  isReady = () => true,
  onCancel,
  children,
}: DialogFieldsProps<Name>) {
  const form = useRef<HTMLDivElement>(null);
  const [values, setValues] = useState(fields);
  /** Required fields that were empty when the button was pressed. */
  const [missing, setMissing] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (error !== null || missing.size > 0)
      form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [error, missing]);
  const change = (changes: Partial<Record<Name, string>>) =>
    setValues((before) => ({ ...before, ...changes }));
  const field = (name: Name) => ({
    name,
    value: values[name],
    onChange: (value: string) => setValues((before) => ({ ...before, [name]: value })),
    error: missing.has(name) ? 'Required' : errors[name],
  });
  return (
    <Form
      className="contents"
      onSubmit={({ currentTarget }) => {
        const missing = findEmptyFields(currentTarget);
        setMissing(missing);
        if (missing.size > 0) reset();
        else start(values);
      }}
    >
      <div ref={form} className="grid min-h-0 flex-auto content-start gap-4 overflow-y-auto px-5 pb-1">
        {problem !== undefined && <Alert>{problem}</Alert>}
        {children({ values, change, field, isRunning, forget: reset })}
      </div>
      <div className="flex flex-wrap justify-end gap-2 px-5 pt-3 pb-4 max-xs:*:grow">
        <Button onClick={onCancel}>Cancel</Button>
        <Button
          type="submit"
          variant={variant}
          processing={isRunning}
          disabled={!isRunning && !isReady(values)}
        >
          {typeof action === 'string' ? action : action(values)}
        </Button>
      </div>
    </Form>
  );
}

/** The names of the required fields that have no text. The server need not be asked about them. */
function findEmptyFields(form: HTMLFormElement): Set<string> {
  const fields = form.querySelectorAll<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>(
    ':required',
  );
  return new Set([...fields].filter(({ value }) => value.trim() === '').map(({ name }) => name));
}
