import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Student } from '../../../../contract/students/students.ts';
import { DeleteRecord } from '../../../forms/delete-record.tsx';
import { useIdempotencyKey } from '../../../forms/use-idempotency-key.ts';
import { useTask } from '../../../forms/use-task.ts';
import type { ApiError } from '../../../lib/api.ts';
import { call } from '../../../lib/call.ts';
import { flash } from '../../../ui/flash.tsx';
import { nameAndClass } from '../../student-format.ts';
import { invalidateStudent } from '../../student-queries.ts';

interface DeleteStudentProps {
  student: Student;
  /** The version that the user sees; empty while unknown. */
  version: string;
  onDeleted: () => void;
  onStale: (refusal: ApiError) => Promise<void>;
  onRefused: (text: string) => void;
}

export function DeleteStudent({ student, version, onDeleted, onStale, onRefused }: DeleteStudentProps) {
  const { id: studentId } = student;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const restore = useRestore(studentId);
  const remove = async () => {
    const { message } = await call('DELETE /api/students/:id', {
      params: { id: studentId },
      ifMatch: version || undefined,
    });
    onDeleted();
    invalidateStudent(queries, studentId);
    flash(message, 'done', { label: 'Undo', run: restore });
    await navigate({ to: '/students', replace: true });
  };
  return (
    <DeleteRecord
      subject={`${nameAndClass(student)}, CMS ID ${studentId}`}
      remove={remove}
      onStale={onStale}
      onRefused={onRefused}
    />
  );
}

/** Undoes a delete that the user has just made. */
function useRestore(studentId: string): () => void {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const idempotencyKey = useIdempotencyKey();
  const { start } = useTask({
    run: () =>
      call('POST /api/students/:id/restore', {
        params: { id: studentId },
        // The key makes two clicks restore once.
        idempotencyKey: idempotencyKey(studentId),
      }),
    failure: 'The entry could not be restored. Try again.',
    flashesProblem: true,
    onDone: () => {
      invalidateStudent(queries, studentId);
      return navigate({ to: '/students/$studentId', params: { studentId } });
    },
  });
  return start;
}
