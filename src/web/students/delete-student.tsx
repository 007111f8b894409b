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

interface DeleteStudentProps {
  studentId: string;
  onDeleted: () => void;
  /** Hears why the server would not delete. */
  onRefused: (text: string) => void;
}

/** The button and the question it asks first. */
export function DeleteStudent({ studentId, onDeleted, onRefused }: DeleteStudentProps) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const [isDeleting, setIsDeleting] = useState(false);

  const remove = async () => {
    setIsDeleting(true);
    try {
      const { message } = await call<MessageReply>('DELETE', studentPath(studentId));
      onDeleted();
      forgetStudent(queries, studentId);
      flash(message);
      await navigate({ to: '/students', replace: true });
    } catch (error) {
      onRefused(error instanceof ApiError ? error.message : 'The entry could not be deleted. Try again.');
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
