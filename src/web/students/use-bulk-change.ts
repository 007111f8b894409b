import { useQueryClient } from '@tanstack/react-query';
import type { BulkInput, BulkReply, BulkUndone } from '../../contract/bulk.ts';
import { call } from '../api.ts';
import { useAttemptKey } from '../forms/use-attempt-key.ts';
import { useCurrentUser } from '../session.ts';
import { flash } from '../shell/flash.tsx';
import { refusalText } from './bulk-request.ts';

/** Makes a change of many students, tells of it, and offers to undo it. */
export function useBulkChange(): (input: BulkInput) => Promise<void> {
  const queries = useQueryClient();
  const attemptKey = useAttemptKey();
  const isAdmin = useCurrentUser()?.role === 'admin';
  /** Any of the students may be another one now. */
  const forgetStudents = () => void queries.resetQueries({ queryKey: ['students'] });

  const undo = async (id: number) => {
    try {
      const { message, left } = await call<BulkUndone>('POST', `/api/students/bulk/${id}/undo`);
      forgetStudents();
      flash(message, left === 0 ? 'done' : 'warning');
    } catch (error) {
      flash(refusalText(error), 'warning');
    }
  };

  return async (input) => {
    const { message, change } = await call<BulkReply>('POST', '/api/students/bulk', {
      body: input,
      idempotencyKey: attemptKey(input),
    });
    forgetStudents();
    const mayUndo = change.action !== 'delete' || isAdmin;
    flash(message, 'done', mayUndo ? { label: 'Undo', run: () => void undo(change.id) } : undefined);
  };
}
