import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Academic } from '../../../../contract/students/academics.ts';
import { DeleteRecord } from '../../../forms/delete-record.tsx';
import { useIdempotencyKey } from '../../../forms/use-idempotency-key.ts';
import { useTask } from '../../../forms/use-task.ts';
import type { ApiError } from '../../../lib/api.ts';
import { call } from '../../../lib/call.ts';
import { flash } from '../../../ui/flash.tsx';
import { invalidateStudent } from '../../student-queries.ts';

interface DeleteSemesterProps {
  academic: Academic;
  /** Names the student in the question. */
  subject: string;
  /** The version that the user sees; empty while unknown. */
  version: string;
  /** Why an administrator deletes results that come from mark sheets; empty for others. */
  reason: string;
  onDeleted: () => void;
  onStale: (refusal: ApiError) => Promise<void>;
  onRefused: (text: string) => void;
}

/** Deletes the last recorded semester. Whoever has deleted it may undo it. */
export function DeleteSemester({
  academic,
  subject,
  version,
  reason,
  onDeleted,
  onStale,
  onRefused,
}: DeleteSemesterProps) {
  const { academic_id, student_id: studentId, semester } = academic;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const idempotencyKey = useIdempotencyKey();

  const showStudent = () => {
    invalidateStudent(queries, studentId);
    return navigate({ to: '/students/$studentId', params: { studentId } });
  };
  const body = reason !== '' && { body: { reason } };
  const restore = useTask({
    run: (entry: number) =>
      call('POST /api/students/:id/academics/restore', {
        params: { id: studentId },
        query: { entry },
        idempotencyKey: idempotencyKey(entry),
        ...body,
      }),
    failure: 'The semester could not be restored. Try again.',
    flashesProblem: true,
    onDone: showStudent,
  });
  const remove = async () => {
    const { message, entry } = await call('DELETE /api/students/academics/:academic_id(^\\d+$)', {
      params: { academic_id },
      ifMatch: version || undefined,
      ...body,
    });
    onDeleted();
    flash(message, 'done', { label: 'Undo', run: () => restore.start(entry) });
    await showStudent();
  };

  return (
    <DeleteRecord
      label={`Delete semester ${semester}`}
      question={`Are you sure you want to delete semester ${semester} with its results?`}
      subject={subject}
      remove={remove}
      onStale={onStale}
      onRefused={onRefused}
    />
  );
}
