import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { MessageReply } from '../../contract/errors.ts';
import { ApiError, call } from '../api.ts';
import { flash } from '../shell/flash.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { forgetStudent } from './forget-student.ts';
import { studentPath } from './student-path.ts';
import { useUndoDelete } from './use-undo-delete.ts';

interface DeleteStudentProps {
  studentId: string;
  /** The version that the person sees; empty when it is not known. */
  version: string;
  onDeleted: () => void;
  /** Somebody else has changed the record: it has to be read again before it is deleted. */
  onStale: () => Promise<void>;
  /** Hears why the server would not delete. */
  onRefused: (text: string) => void;
}

/** The button and the question it asks first. */
export function DeleteStudent({ studentId, version, onDeleted, onStale, onRefused }: DeleteStudentProps) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const undo = useUndoDelete(studentId);
  const [isAsking, setIsAsking] = useState(false);
  const [isDeleting, setIsDeleting] = useState(false);

  const refuse = async (error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 412) return onRefused(textOf(error));
    flash(error.message, 'warning');
    await onStale().catch((again: unknown) => onRefused(textOf(again)));
  };
  const remove = async () => {
    setIsDeleting(true);
    try {
      const { message } = await call<MessageReply>('DELETE', studentPath(studentId), {
        ifMatch: version || undefined,
      });
      onDeleted();
      forgetStudent(queries, studentId);
      flash(message, 'done', undo);
      await navigate({ to: '/students', replace: true });
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
        onYes={() => void remove()}
        onNo={() => setIsAsking(false)}
      />
    </>
  );
}

const textOf = (error: unknown) =>
  error instanceof ApiError ? error.message : 'The entry could not be deleted. Try again.';
