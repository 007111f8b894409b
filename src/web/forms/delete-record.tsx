import { Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { ApiError, errorMessage } from '../lib/api.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/dialog/confirm-dialog.tsx';
import { flash } from '../ui/flash.tsx';
import { useTask } from './use-task.ts';

const FAILURE = 'The entry could not be deleted. Try again.';

interface DeleteRecordProps {
  label?: string;
  question?: string;
  /** Names the record in the question. */
  subject: string;
  /** Further details below it. */
  children?: ReactNode;
  /** False while something has to be typed first. */
  isReady?: boolean | undefined;
  /** Deletes the record, shows a message and navigates away. */
  remove: () => Promise<void>;
  /** Another user has changed the record (412): it is reloaded before it can be deleted. */
  onStale: (refusal: ApiError) => Promise<void>;
  /** Called with the server's error message. */
  onRefused: (text: string) => void;
}

/** The delete button and its confirmation dialog. */
export function DeleteRecord({
  label = 'Delete',
  question = 'Are you sure you want to delete this entry?',
  subject,
  children,
  isReady,
  remove,
  onStale,
  onRefused,
}: DeleteRecordProps) {
  const [isAsking, setIsAsking] = useState(false);
  const { start, isRunning } = useTask({
    run: remove,
    failure: FAILURE,
    onError: async (error) => {
      if (!(error instanceof ApiError) || error.status !== 412)
        return onRefused(errorMessage(error, FAILURE));
      flash(error.message, 'warning');
      await onStale(error).catch((again: unknown) => onRefused(errorMessage(again, FAILURE)));
    },
    onSettled: () => setIsAsking(false),
  });

  return (
    <>
      <Button variant="danger-quiet" onClick={() => setIsAsking(true)}>
        <Trash2 />
        {label}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        tone="danger"
        text={question}
        processing={isRunning}
        isReady={isReady}
        onYes={() => start()}
        onNo={() => setIsAsking(false)}
      >
        <div className="wrap-anywhere mt-0.5 text-fg-2 text-label">{subject}</div>
        {children}
      </ConfirmDialog>
    </>
  );
}
