import { useQueryClient } from '@tanstack/react-query';
import type { Student } from '../../../contract/students/students.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { useIdempotencyKey } from '../../forms/use-idempotency-key.ts';
import { call } from '../../lib/call.ts';
import { SelectField } from '../../ui/fields/input-fields.tsx';
import { invalidateStudent } from '../student-queries.ts';

interface EntrySemesterDialogProps {
  student: Pick<Student, 'id' | 'current_sem'>;
  onClose: () => void;
}

/** Asks in which semester a student enters who studied elsewhere before. */
export function EntrySemesterDialog({ student, onClose }: EntrySemesterDialogProps) {
  const queries = useQueryClient();
  const idempotencyKey = useIdempotencyKey();
  const options = Array.from({ length: student.current_sem - 1 }, (_, i) => String(i + 2));
  return (
    <FormDialog
      title="Enters in a later semester"
      fields={{ semester: String(student.current_sem) }}
      action={({ semester }) => `Enter in semester ${semester}`}
      failure="It could not be stored. Try again."
      run={(body) =>
        call('POST /api/students/:id/entry-semester', {
          params: { id: student.id },
          body,
          idempotencyKey: idempotencyKey(body),
        })
      }
      onDone={() => invalidateStudent(queries, student.id)}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <p className="text-pretty text-fg-2">
            For a student who studied elsewhere before. The semesters before the entry are recorded without
            subjects and count in nothing. Deleting the last recorded semester takes it back.
          </p>
          <div className="max-w-60">
            <SelectField
              {...field('semester')}
              label="Enters in"
              options={options.map((value) => ({ value, label: `Semester ${value}` }))}
            />
          </div>
        </>
      )}
    </FormDialog>
  );
}
