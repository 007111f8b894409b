import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Student } from '../../../contract/students/students.ts';
import { calendarDate } from '../../../domain/age.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { ApiError, errorMessage } from '../../lib/api.ts';
import { call } from '../../lib/call.ts';
import { LoadError } from '../../ui/page/load-error.tsx';
import { StatusFields, type StatusValues, toStatusChange } from '../status-fields.tsx';
import { familyStepQuery, studentBaseQuery, studentRecordQuery } from '../student-queries.ts';

interface StatusDialogProps {
  studentId: string;
  onClose: () => void;
}

/** Changes whether a student is active, with the date and a reason. */
export function StatusDialog({ studentId, onClose }: StatusDialogProps) {
  const queries = useQueryClient();
  // Read again: the change must be based on what is stored now.
  const base = useQuery(studentBaseQuery(studentId));
  const student = base.data?.body.student;
  return (
    <FormDialog
      title="Change status"
      fields={student && initialValues(student)}
      loading={<LoadError query={base} />}
      action="Change status"
      failure={(error) =>
        isStale(error)
          ? 'Another user changed this record while you were editing. Save again to set this status.'
          : errorMessage(error, 'The status could not be changed. Try again.')
      }
      run={async (values) => {
        const changed = await call('PUT /api/students/:id/status', {
          params: { id: studentId },
          body: toStatusChange(values),
          ifMatch: base.data?.version,
        });
        queries.removeQueries({ queryKey: ['students', 'list'] });
        return changed;
      }}
      // Before it closes, so that the button that gets the focus back stays on the screen.
      invalidates={[studentRecordQuery(studentId).queryKey, familyStepQuery(studentId).queryKey]}
      onError={(error) => {
        if (isStale(error)) void base.refetch();
      }}
      onClose={onClose}
    >
      {({ values, change, field }) => (
        <StatusFields
          field={(name) =>
            name === 'status'
              ? {
                  ...field('status'),
                  // Another status is of another day, unless a day has been chosen.
                  onChange: (status) =>
                    change({ status, ...(values.date === student?.status_date && today()) }),
                }
              : field(name)
          }
        />
      )}
    </FormDialog>
  );
}

const isStale = (error: Error) => error instanceof ApiError && error.status === 412;

const today = () => ({ date: calendarDate(new Date()), reason: '' });

/** The status as it is, to be corrected or replaced; that of an active student can only be replaced. */
const initialValues = ({ status, status_date, status_reason }: Student): StatusValues =>
  status === 'active' || status_date === null
    ? { status: '', ...today() }
    : { status, date: status_date, reason: status_reason ?? '' };
