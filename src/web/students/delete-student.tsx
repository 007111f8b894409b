import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { MessageReply } from '../../contract/errors.ts';
import { call } from '../api.ts';
import { DeleteEntry } from '../forms/delete-entry.tsx';
import { flash } from '../shell/flash.tsx';
import { forgetStudent } from './forget-student.ts';
import { studentPath } from './student-path.ts';
import { useUndoDelete } from './use-undo-delete.ts';

interface DeleteStudentProps {
  studentId: string;
  /** The version that the person sees; empty when it is not known. */
  version: string;
  onDeleted: () => void;
  onStale: () => Promise<void>;
  onRefused: (text: string) => void;
}

export function DeleteStudent({ studentId, version, onDeleted, onStale, onRefused }: DeleteStudentProps) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const undo = useUndoDelete(studentId);
  const remove = async () => {
    const { message } = await call<MessageReply>('DELETE', studentPath(studentId), {
      ifMatch: version || undefined,
    });
    onDeleted();
    forgetStudent(queries, studentId);
    flash(message, 'done', undo);
    await navigate({ to: '/students', replace: true });
  };
  return <DeleteEntry remove={remove} onStale={onStale} onRefused={onRefused} />;
}
