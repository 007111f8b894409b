import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import type { Student } from '../../../contract/students/students.ts';
import { useIdempotencyKey } from '../../forms/use-idempotency-key.ts';
import { errorMessage } from '../../lib/api.ts';
import { call } from '../../lib/call.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { TaskDialog } from '../../ui/dialog/task-dialog.tsx';
import { SelectField } from '../../ui/fields/input-fields.tsx';
import { flash } from '../../ui/flash.tsx';
import { invalidateStudent } from '../student-queries.ts';

interface EntrySemesterDialogProps {
  student: Pick<Student, 'id' | 'current_sem'>;
  onClose: () => void;
}

/** Asks in which semester a student enters who studied elsewhere before. */
export function EntrySemesterDialog({ student, onClose }: EntrySemesterDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const queries = useQueryClient();
  const idempotencyKey = useIdempotencyKey();
  const [semester, setSemester] = useState(String(student.current_sem));
  const [problem, setProblem] = useState('');
  const [isRunning, setIsRunning] = useState(false);
  const options = Array.from({ length: student.current_sem - 1 }, (_, i) => String(i + 2));

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isRunning) return;
    setIsRunning(true);
    setProblem('');
    try {
      const body = { semester };
      const { message } = await call('POST /api/students/:id/entry-semester', {
        params: { id: student.id },
        body,
        idempotencyKey: idempotencyKey(body),
      });
      invalidateStudent(queries, student.id);
      dialog.current?.close();
      flash(message);
    } catch (error) {
      setProblem(errorMessage(error, 'It could not be stored. Try again.'));
    } finally {
      setIsRunning(false);
    }
  };

  return (
    <TaskDialog dialog={dialog} title="Enters in a later semester" isRunning={isRunning} onClose={onClose}>
      <form noValidate onSubmit={(event) => void submit(event)} className="contents">
        <div className="grid min-h-0 flex-1 content-start gap-4 overflow-y-auto px-5 pb-1">
          {problem !== '' && <Alert>{problem}</Alert>}
          <p className="text-pretty text-fg-2">
            For a student who studied elsewhere before. The semesters before the entry are recorded without
            subjects and count in nothing. Deleting the last recorded semester takes it back.
          </p>
          <div className="max-w-60">
            <SelectField
              label="Enters in"
              name="semester"
              value={semester}
              onChange={setSemester}
              options={options.map((value) => ({ value, label: `Semester ${value}` }))}
            />
          </div>
        </div>
        <div className="flex flex-wrap justify-end gap-2 px-5 pt-3 pb-4 max-xs:*:grow">
          <Button onClick={() => dialog.current?.close()}>Cancel</Button>
          <Button type="submit" variant="primary" processing={isRunning}>
            {`Enter in semester ${semester}`}
          </Button>
        </div>
      </form>
    </TaskDialog>
  );
}
