import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { MessageReply } from '../../contract/errors.ts';
import { ApiError, call } from '../api.ts';
import { useAttemptKey } from '../forms/use-attempt-key.ts';
import { useCurrentUser } from '../session.ts';
import { type FlashAction, flash } from '../shell/flash.tsx';
import { forgetStudent } from './forget-student.ts';
import { studentPath } from './student-path.ts';

/** What a message about a deleted student offers to administrators; others can't restore one. */
export function useUndoDelete(studentId: string): FlashAction | undefined {
  const isAdmin = useCurrentUser()?.role === 'admin';
  const navigate = useNavigate();
  const queries = useQueryClient();
  const attemptKey = useAttemptKey();
  if (!isAdmin) return undefined;

  const restore = async () => {
    try {
      const { message } = await call<MessageReply>('POST', `${studentPath(studentId)}/restore`, {
        // Pressed twice, it is one restore.
        idempotencyKey: attemptKey(studentId),
      });
      forgetStudent(queries, studentId);
      flash(message);
      await navigate({ to: '/students/$studentId', params: { studentId } });
    } catch (error) {
      flash(
        error instanceof ApiError ? error.message : 'The entry could not be restored. Try again.',
        'warning',
      );
    }
  };
  return { label: 'Undo', run: () => void restore() };
}
