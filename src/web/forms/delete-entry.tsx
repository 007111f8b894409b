import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ApiError } from '../api.ts';
import { flash } from '../shell/flash.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

interface DeleteEntryProps {
  /** Deletes, tells of it, and leads away. */
  remove: () => Promise<void>;
  /** Somebody else has changed the entry: it has to be read again before it is deleted. */
  onStale: () => Promise<void>;
  /** Hears why the server would not delete. */
  onRefused: (text: string) => void;
}

/** The button and the question it asks first. */
export function DeleteEntry({ remove, onStale, onRefused }: DeleteEntryProps) {
  const [isAsking, setIsAsking] = useState(false);
  const [isDeleting, setIsDeleting] = useState(false);

  const refuse = async (error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 412) return onRefused(textOf(error));
    flash(error.message, 'warning');
    await onStale().catch((again: unknown) => onRefused(textOf(again)));
  };
  const onYes = async () => {
    setIsDeleting(true);
    try {
      await remove();
    } catch (error) {
      await refuse(error);
    } finally {
      setIsDeleting(false);
      setIsAsking(false);
    }
  };

  return (
    <>
      <Button variant="danger-quiet" onClick={() => setIsAsking(true)}>
        <Trash2 strokeWidth={1.75} aria-hidden="true" />
        Delete
      </Button>
      <Dialog
        isOpen={isAsking}
        tone="danger"
        text="Are you sure you want to delete this entry?"
        processing={isDeleting}
        onYes={() => void onYes()}
        onNo={() => setIsAsking(false)}
      />
    </>
  );
}

const textOf = (error: unknown) =>
  error instanceof ApiError ? error.message : 'The entry could not be deleted. Try again.';
