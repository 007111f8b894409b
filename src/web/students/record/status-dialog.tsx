import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import type { Student, StudentBase } from '../../../contract/students/students.ts';
import { calendarDate } from '../../../domain/age.ts';
import { displayErrorTexts } from '../../forms/error-texts.ts';
import type { FieldErrors } from '../../forms/use-draft-form.ts';
import { ApiError, errorMessage } from '../../lib/api.ts';
import { call } from '../../lib/call.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { TaskDialog } from '../../ui/dialog/task-dialog.tsx';
import { flash } from '../../ui/flash.tsx';
import { LoadError } from '../../ui/page/load-error.tsx';
import { StatusFields, type StatusValues, toStatusChange } from '../status-fields.tsx';
import { familyStepQuery, studentBaseQuery, studentRecordQuery } from '../student-queries.ts';

interface StatusDialogProps {
  studentId: string;
  onClose: () => void;
}

/** Changes whether a student is active, with the date and a reason. */
export function StatusDialog({ studentId, onClose }: StatusDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isRunning, setIsRunning] = useState(false);
  // Read again: the change must be based on what is stored now.
  const base = useQuery(studentBaseQuery(studentId));
  return (
    <TaskDialog dialog={dialog} title="Change status" isRunning={isRunning} onClose={onClose}>
      {base.data === undefined ? (
        <div className="min-h-40 px-5 pb-5">
          <LoadError query={base} />
        </div>
      ) : (
        <StatusForm
          base={base.data}
          isRunning={isRunning}
          onRunning={setIsRunning}
          onStale={() => void base.refetch()}
          onDone={() => dialog.current?.close()}
        />
      )}
    </TaskDialog>
  );
}

interface StatusFormProps {
  base: { body: StudentBase; version: string | undefined };
  isRunning: boolean;
  onRunning: (isRunning: boolean) => void;
  /** The record has been changed by somebody else since it was read. */
  onStale: () => void;
  onDone: () => void;
}

function StatusForm({ base, isRunning, onRunning, onStale, onDone }: StatusFormProps) {
  const queries = useQueryClient();
  const { student } = base.body;
  const [values, setValues] = useState(() => initialValues(student));
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<string>();

  /** Another status is of another day, unless a day has been chosen. */
  const change = (changed: StatusValues) => {
    const isKept = changed.status === values.status || changed.date !== student.status_date;
    setValues(isKept ? changed : { ...changed, ...today() });
  };

  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (isRunning) return;
    const body = toStatusChange(values.status, values);
    if (body === undefined) return setErrors({ date: 'Required' });
    onRunning(true);
    setErrors({});
    setFailure(undefined);
    try {
      const { message } = await call('PUT /api/students/:id/status', {
        params: { id: student.id },
        body,
        ifMatch: base.version,
      });
      queries.removeQueries({ queryKey: ['students', 'list'] });
      // The record stays on the screen meanwhile, with the button that has the focus again.
      for (const { queryKey } of [studentRecordQuery(student.id), familyStepQuery(student.id)])
        await queries.invalidateQueries({ queryKey });
      flash(message);
      onRunning(false);
      onDone();
    } catch (error) {
      onRunning(false);
      if (error instanceof ApiError && error.status === 422)
        return setErrors(displayErrorTexts(error.errors));
      if (error instanceof ApiError && error.status === 412) {
        onStale();
        return setFailure(
          'Another user changed this record while you were editing. Save again to set this status.',
        );
      }
      setFailure(errorMessage(error, 'The status could not be changed. Try again.'));
    }
  };
  return (
    <form noValidate onSubmit={(event) => void save(event)} className="flex min-h-0 flex-1 flex-col">
      <div className="grid min-h-0 flex-1 content-start gap-4 overflow-y-auto px-5 pb-1">
        {failure !== undefined && <Alert tone="warn">{failure}</Alert>}
        <StatusFields values={values} onChange={change} errors={errors} />
      </div>
      <div className="flex flex-wrap justify-end gap-2 px-5 pt-4 pb-4 max-xs:*:grow">
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" variant="primary" processing={isRunning}>
          Change status
        </Button>
      </div>
    </form>
  );
}

const today = () => ({ date: calendarDate(new Date()), reason: '' });

/** The status as it is, to be corrected or replaced; that of an active student can only be replaced. */
const initialValues = ({ status, status_date, status_reason }: Student): StatusValues =>
  status === 'active' || status_date === null
    ? { status: '', ...today() }
    : { status, date: status_date, reason: status_reason ?? '' };
